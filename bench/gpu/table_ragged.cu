#include "table_measure.cuh"

namespace lookback::bench {
namespace {

using rgba8 = pixel<std::uint8_t, 4>;
using rgba32 = pixel<std::uint32_t, 4>;

// Tables of bytes and of their squares, in one pass. The sums lie in the session's array.
void measure_sums_and_squares(session& s, const observer& tell, const image_case& of) {
    using in_type = std::uint8_t;
    using sum = std::uint32_t;
    using square = std::uint64_t;
    if (!has_room(s, of, sizeof(in_type), sizeof(square))) return;
    cell c;
    c.op = "summed_area_tables";
    c.type = "u8 to u32, u64";
    c.data = of.text();
    c.items = of.items();
    c.item_bytes = sizeof(sum) + sizeof(square);
    c.least_bytes = of.items() * (sizeof(in_type) + sizeof(sum) + sizeof(square));
    c.copied_bytes = c.least_bytes / 32 * 32;
    if (!tell.wants(c)) return;
    tell.begin(c);

    const auto* const in = static_cast<const in_type*>(s.in());
    auto* const sums = static_cast<sum*>(s.out());
    const table_places places = places_of(of);
    auto* const squares = static_cast<square*>(s.scratch(0, places.out_items() * sizeof(square)));
    const implementation ours = {
        "ours", [=, &s] {
            summed_area_tables(s.gpu(), in, {of.height, of.width}, sums, squares);
        }};
    const table_judge<in_type, sum> judge(s, places, in, sums);
    const auto judge_both = [&] {
        check(cudaMemsetAsync(squares, 0xa5, places.out_items() * sizeof(square), s.stream()),
              "poisoning");
        const std::string wrong = judge.judge(ours);
        return wrong.empty() ? judge.what_is_wrong<true>("ours, of squares,", squares) : wrong;
    };
    judge.fill(pixels_are::timed);
    c.trouble = judge_both();
    if (c.trouble.empty()) c.trouble = judge.judge_itself();
    if (c.trouble.empty()) {
        std::vector<implementation> timed = {ours};
        for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        const std::string wrong = judge_both();  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace

void measure_ragged_tables(session& s, const observer& tell) {
    const image_case whole{8192, 8192}, odd{8191, 8193},
        pitched{.height = 8192, .width = 8192, .gap = 1},
        off{.height = 8192, .width = 8192, .off = 1},
        exclusive{.height = 8192, .width = 8192, .exclusive = true};
    for (const image_case& of : {odd, pitched, off, exclusive}) {
        measure_table<float, float>(s, tell, "f32", of);
        measure_table<std::uint8_t, std::uint32_t>(s, tell, "u8 to u32", of);
    }
    // Sums that fit 32 bits.
    measure_table<std::uint8_t, std::uint32_t>(s, tell, "u8 to u32",
                                               {.height = 2048, .width = 2048, .exclusive = true});
    // As cameras and screens have them.
    for (const image_case& of : {image_case{2160, 3840}, image_case{6000, 6000}}) {
        measure_table<float, float>(s, tell, "f32", of);
        measure_table<std::uint8_t, std::uint32_t>(s, tell, "u8 to u32", of);
        measure_table<rgba8, rgba32>(s, tell, "RGBA8 to 4 u32", of);
    }
    for (const std::uint64_t side : {1024, 2048, 4096}) {
        measure_table<rgba8, rgba32>(s, tell, "RGBA8 to 4 u32", {side, side});
    }
    measure_table<rgba8, rgba32>(s, tell, "RGBA8 to 4 u32", whole);
    measure_sums_and_squares(s, tell, whole);
}

}  // namespace lookback::bench
