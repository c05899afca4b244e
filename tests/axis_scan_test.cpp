// Scans along an axis, compared with loops: rows and columns, from N x 2 to 2 x N.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

template <class T, class Op>
std::vector<T> sequential(const std::vector<T>& in, const axis_extents& e,
                          const std::optional<T>& init, bool exclusive, const Op& op) {
    std::vector<T> out(in.size());
    for (std::size_t o = 0; o < e.outer; ++o) {
        for (std::size_t c = 0; c < e.inner; ++c) {
            std::optional<T> fold = init;
            for (std::size_t r = 0; r < e.length; ++r) {
                const std::size_t i = (o * e.length + r) * e.inner + c;
                const T item = in[i];
                if (exclusive) out[i] = *fold;
                fold = fold ? op(*fold, item) : item;
                if (!exclusive) out[i] = *fold;
            }
        }
    }
    return out;
}

std::vector<axis_extents> shapes(std::size_t tile) {
    std::vector<axis_extents> all = {{1, 1, 1},         {3, 5, 1},         {1, 5, 3},
                                     {2, 3, 4},         {1, 9 * tile, 2},  {1, 2, 9 * tile},
                                     {9 * tile, 2, 1},  {2, 9 * tile, 1},  {1, 1, 3 * tile},
                                     {3 * tile, 1, 1},  {700, 65, 1},      {1, 700, 700},
                                     {5, 300, 333},     {40, tile / 8, 1}, {3, 2 * tile + 1, 3},
                                     {2, tile / 64, 67}};
    return all;
}

template <class T, class Op>
void check_axis(const Op& op) {
    const T init = random_values<T>(2, 9)[1];
    for (const axis_extents e : shapes(scan_tile_items<T>)) {
        const std::size_t n = e.outer * e.length * e.inner;
        if (sanitized && n > 6 * scan_tile_items<T>) continue;
        const auto in = random_values<T>(n, n);
        const auto want = sequential<T>(in, e, std::nullopt, false, op);
        const auto want_from = sequential<T>(in, e, init, false, op);
        const auto want_before = sequential<T>(in, e, init, true, op);
        for (const int threads : {1, 16}) {
            const cpu where{.threads = threads};
            const std::string what = "extents " + std::to_string(e.outer) + " x " +
                                     std::to_string(e.length) + " x " + std::to_string(e.inner) +
                                     ", threads " + std::to_string(threads);
            const auto check = [&](const auto& scan, const std::vector<T>& right) {
                watched_output<T> out(n);
                ASSERT_EQ(scan(in.begin(), out.begin()) - out.begin(), std::ptrdiff_t(n));
                ASSERT_NO_FATAL_FAILURE(out.expect(right, what));
                std::vector<T> both = in;
                scan(both.begin(), both.begin());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(both, right, in, what));
            };
            check([&](auto f, auto o) { return inclusive_scan(where, f, e, o, op); }, want);
            check([&](auto f, auto o) { return inclusive_scan(where, f, e, o, op, init); },
                  want_from);
            check([&](auto f, auto o) { return exclusive_scan(where, f, e, o, init, op); },
                  want_before);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

}  // namespace

TEST(AxisScan, IntegerSums) { check_axis<std::uint32_t>(plus<>{}); }
TEST(AxisScan, Maxima) { check_axis<std::int16_t>(maximum<>{}); }
TEST(AxisScan, OperatorsThatDoNotCommute) { check_axis<matrix>(matrix_product{}); }

// Rows have the bits of separate scans; columns have the same bits in every run.
TEST(AxisScan, FloatSums) {
    const std::size_t rows = 3000, columns = 777;
    const auto in = random_values<float>(rows * columns, 1);
    std::vector<float> want(in.size()), out(in.size());
    for (std::size_t r = 0; r < rows; ++r) {
        const auto begin = static_cast<std::ptrdiff_t>(r * columns);
        const auto end = begin + static_cast<std::ptrdiff_t>(columns);
        lookback::inclusive_scan(cpu{}, in.begin() + begin, in.begin() + end, want.begin() + begin);
    }
    lookback::inclusive_scan(cpu{}, in.begin(), axis_extents{rows, columns, 1}, out.begin());
    EXPECT_TRUE(out == want);
    lookback::inclusive_scan(cpu{.threads = 1}, in.begin(), axis_extents{1, rows, columns},
                             want.begin());
    for (const int threads : thread_counts) {
        for (int round = 0; round < 5; ++round) {
            lookback::inclusive_scan(cpu{threads}, in.begin(), axis_extents{1, rows, columns},
                                     out.begin());
            ASSERT_TRUE(out == want);
        }
    }
    for (std::size_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            sum += in[r * columns + c];
            ASSERT_NEAR(out[r * columns + c], sum, 1e-3);
        }
    }
}

// docs/design.md, "The tree": columns are folded item by item within tiles of 256 KiB, and an
// output is prefix + local. Strips are at least 1 KiB wide.
std::vector<float> columns_by_the_tree(const std::vector<float>& in, const axis_extents& e,
                                       std::optional<float> init, bool exclusive) {
    const std::size_t tile = 65536;
    const std::size_t width = std::min(e.inner, std::max<std::size_t>(256, tile / e.length));
    const std::size_t rows = tile / width;
    std::vector<float> out(in.size());
    for (std::size_t o = 0; o < e.outer; ++o) {
        for (std::size_t c = 0; c < e.inner; ++c) {
            std::optional<float> prefix = init;
            float local = 0, last = 0;
            for (std::size_t r = 0; r < e.length; ++r) {
                const std::size_t i = (o * e.length + r) * e.inner + c;
                if (r > 0 && r % rows == 0) prefix = last;
                local = r % rows == 0 ? in[i] : local + in[i];
                const float before = r % rows == 0 && prefix ? *prefix : last;
                last = prefix ? *prefix + local : local;
                out[i] = exclusive ? before : last;
            }
        }
    }
    return out;
}

TEST(AxisScan, ColumnsOfFloatsHaveTheBitsOfTheTree) {
    for (const axis_extents e :
         {axis_extents{1, 700, 1300}, axis_extents{3, 600, 101}, axis_extents{12, 5, 333},
          axis_extents{1, 40000, 65}, axis_extents{2, 3000, 16}, axis_extents{1, 300, 4097}}) {
        const auto in = random_values<float>(e.outer * e.length * e.inner, 3);
        for (const int threads : thread_counts) {
            const cpu where{threads};
            const std::string what = std::to_string(e.inner) + " columns";
            const auto same = [&](const std::vector<float>& got, const std::vector<float>& want) {
                ASSERT_EQ(std::memcmp(got.data(), want.data(), in.size() * sizeof(float)), 0)
                    << what << ", threads " << threads;
            };
            std::vector<float> out(in.size());
            lookback::inclusive_scan(where, in.begin(), e, out.begin());
            same(out, columns_by_the_tree(in, e, std::nullopt, false));
            lookback::inclusive_scan(where, in.begin(), e, out.begin(), plus<>{}, 0.3F);
            same(out, columns_by_the_tree(in, e, 0.3F, false));
            out = in;
            lookback::exclusive_scan(where, out.begin(), e, out.begin(), 0.3F);
            same(out, columns_by_the_tree(in, e, 0.3F, true));
        }
    }
}

// As complex numbers are: two columns are scanned as one line of pairs.
template <class T>
void check_two_columns(const axis_extents& e) {
    using pair = pixel<T, 2>;
    const auto in = random_values<T>(e.outer * e.length * 2 + 1, 7);
    const pair init = {{T(0.3), T(0.3)}};
    for (const int threads : thread_counts) {
        const cpu where{threads};
        for (const std::size_t shift : {0u, 1u}) {  // off the alignment of a pair
            const T* const from = in.data() + shift;
            std::vector<pair> line(e.outer * e.length), want(line.size());
            std::memcpy(line.data(), from, line.size() * sizeof(pair));
            std::vector<T> out(in.size());
            const auto check = [&](const auto& scan_line) {
                for (std::size_t o = 0; o < line.size(); o += e.length) {
                    scan_line(line.data() + o, line.data() + o + e.length, want.data() + o);
                }
                ASSERT_EQ(std::memcmp(out.data() + shift, want.data(), want.size() * sizeof(pair)),
                          0);
            };
            inclusive_scan(where, from, e, out.data() + shift);
            check([&](auto f, auto l, auto o) { inclusive_scan(where, f, l, o); });
            inclusive_scan(where, from, e, out.data() + shift, plus<>{}, T(0.3));
            check([&](auto f, auto l, auto o) { inclusive_scan(where, f, l, o, plus<>{}, init); });
            out = in;
            exclusive_scan(where, out.data() + shift, e, out.data() + shift, T(0.3));
            check([&](auto f, auto l, auto o) { exclusive_scan(where, f, l, o, init); });
        }
    }
}

TEST(AxisScan, TwoColumnsOfFloatsAreALineOfPairs) {
    for (const axis_extents e : {axis_extents{1, 200003, 2}, axis_extents{1, 1, 2},
                                 axis_extents{5, 64, 2}, axis_extents{70, 1001, 2}}) {
        check_two_columns<float>(e);
        check_two_columns<double>(e);
    }
    std::vector<float> none;
    inclusive_scan(cpu{}, none.data(), axis_extents{3, 0, 2}, none.data());
}

TEST(AxisScan, RefusesExtentsThatCannotBeCounted) {
    std::vector<int> in(1);
    const std::size_t large = std::size_t{1} << 40;
    EXPECT_EQ(
        refusal([&] {
            lookback::inclusive_scan(cpu{}, in.begin(), axis_extents{large, 2, large}, in.begin());
        }),
        "lookback: the extents 1099511627776 x 2 x 1099511627776 have more items than can be "
        "counted");
    EXPECT_EQ(
        lookback::inclusive_scan(cpu{}, in.begin(), axis_extents{large, 0, large}, in.begin()),
        in.begin());
}

}  // namespace lookback::test
