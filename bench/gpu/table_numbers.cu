#include "table_measure.cuh"

namespace lookback::bench {
namespace {

template <class In, class A>
void measure_squares(session& s, const observer& tell, const char* type,
                     std::initializer_list<std::uint64_t> sides) {
    for (const std::uint64_t side : sides) measure_table<In, A>(s, tell, type, {side, side});
}

}  // namespace

void measure_tables_f32(session& s, const observer& tell) {
    measure_squares<float, float>(s, tell, "f32", {1024, 2048, 4096, 8192, 16384, 32768});
}

void measure_tables_i32(session& s, const observer& tell) {
    using std::int32_t;
    measure_squares<int32_t, int32_t>(s, tell, "i32", {1024, 2048, 4096, 8192, 16384, 32768});
}

void measure_tables_u8(session& s, const observer& tell) {
    using std::uint8_t, std::uint32_t;
    measure_squares<uint8_t, uint32_t>(s, tell, "u8 to u32",
                                       {1024, 2048, 4096, 8192, 16384, 32768, 65536});
}

void measure_stacks(session& s, const observer& tell) {
    // Some of them with rows that begin anywhere, or with a border of zeros.
    for (const image_case& of :
         {image_case{8, 8, 200'000}, image_case{32, 32, 30'000}, image_case{63, 63, 10'000},
          image_case{64, 64, 10'000}, image_case{64, 64, 10'000, 0, 1},
          image_case{64, 64, 10'000, 0, 0, true}, image_case{256, 256, 1'000}}) {
        measure_table<float, float>(s, tell, "f32", of);
        measure_table<std::uint8_t, std::uint32_t>(s, tell, "u8 to u32", of);
    }
}

}  // namespace lookback::bench
