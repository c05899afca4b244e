// Scans down the columns of arrays on the GPU, compared with a loop.
#include "support/column_cases.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

/// Rows of more items than the small driver takes, shorter and longer than a thread's items.
std::vector<axis_extents> long_rows() {
    return {{60'001, 39, 1}, {50'001, 40, 1}, {40'001, 79, 1},
            {30'001, 80, 1}, {700, 4097, 1},  {3, 700'001, 1}};
}

TEST(Columns, IntegersOf4Bytes) {
    column_cases<std::int32_t, plus<>> cases({});
    cases.run(shapes(700'000));
}
TEST(Columns, ComposedMaps) {
    column_cases<std::uint32_t, compose> cases({});
    cases.run(shapes(700'000));
    cases.run(large_shapes());
}
TEST(Columns, Maxima) {
    column_cases<std::int32_t, maximum<>> cases({});
    cases.run(shapes(70'000));
}
TEST(Columns, IntegersOf8Bytes) {
    column_cases<std::int64_t, plus<>> cases({});
    cases.run(shapes(300'000));
    cases.run({{1, 700'000, 7}, {1, 2100, 1000}});
}
TEST(Columns, WholeFloats) {
    column_cases<float, plus<>> cases({});
    cases.run(shapes(300'000));
}
TEST(Columns, Bytes) {
    column_cases<std::uint8_t, plus<>> cases({});
    cases.run(shapes(300'000));
    cases.run({{1, 2'000'003, 3},
               {1, 400'000, 32},
               {1, 5000, 1000},
               {2, 7001, 101},
               {1, 900'001, 4},
               {1, 900'001, 8},
               {1, 77, 4}});
    cases.run(long_rows());
}
TEST(Columns, MaximaOfBytes) {
    column_cases<std::uint8_t, maximum<>> cases({});
    cases.run(shapes(100'000));
    cases.run(long_rows());
}
TEST(Columns, SignedMinimaOfBytes) {
    column_cases<std::int8_t, minimum<std::int8_t>> cases({});
    cases.run({{1, 5000, 1000}, {2, 7001, 12}});
    cases.run(long_rows());
}
TEST(Columns, SignedSumsOf2Bytes) {
    column_cases<std::int16_t, plus<std::int16_t>> cases({});
    cases.run({{1, 5000, 1000}, {2, 7001, 101}});
    cases.run(long_rows());
}
TEST(Columns, IntegersOf2Bytes) {
    column_cases<std::uint16_t, plus<>> cases({});
    cases.run(shapes(100'000));
    cases.run({{3, 20'000, 9}, {1, 150, 3333}, {1, 400'003, 4}});
}
TEST(Columns, SpansOf24Bytes) {
    column_cases<span_of, join> cases({});
    cases.run(shapes(110'000));
    cases.run({{1, 300'000, 3}, {1, 2000, 500}});
}
TEST(Columns, MatricesOf16Bytes) {
    column_cases<matrix, matrix_product> cases({});
    cases.run(shapes(70'000));
}

TEST(Columns, FloatSumsHaveTheSameBits) {
    for (const axis_extents e : {axis_extents{1, 1'000'003, 3}, axis_extents{1, 100'001, 32},
                                 axis_extents{2, 3001, 500}, axis_extents{40'000, 50, 2}}) {
        if (reduced() && e.inner != 500) continue;
        SCOPED_TRACE(name_of(e));
        const std::uint64_t n = e.outer * e.length * e.inner;
        std::vector<float> values(n);
        std::minstd_rand random(2);
        for (auto& v : values) v = static_cast<float>(random()) / 1e6F;
        shifted_array<float> in(values, 0), off(values, 1), out(n, 0), off_out(n, 1);
        lookback::gpu gpu;
        std::vector<float> first(n), again(n);
        constexpr unsigned blocks[] = {0, 1, 7, 131};
        for (int turn = 0; turn < 24; ++turn) {
            access::limit_blocks(gpu, blocks[turn % 4]);
            const column_route& way = column_routes[turn % 5 % 4];
            choose(gpu, way);
            float* const to = (way.shift > 0 ? off_out : out).data();
            check(cudaMemset(to, poison, n * 4), "poisoning");
            inclusive_scan(gpu, (way.shift > 0 ? off : in).data(), e, to);
            check(cudaMemcpy((turn == 0 ? first : again).data(), to, n * 4, cudaMemcpyDeviceToHost),
                  "reading");
            if (turn == 0) continue;
            ASSERT_EQ(std::memcmp(first.data(), again.data(), n * 4), 0)
                << "turn " << turn << ", " << way.name << ", blocks " << blocks[turn % 4];
        }
        // And the results are the sums.
        const auto want = down_columns<double>(values, e, std::nullopt, false, plus<>{});
        for (std::uint64_t i = 0; i < n; ++i) {
            ASSERT_NEAR(first[i], want[i], 1e-4 * want[i]) << "item " << i;
        }
    }
}

}  // namespace
}  // namespace lookback::test
