// Scans of columns on the GPU: what arguments may be, what is refused, graphs, epochs.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <iterator>

#include "lookback/pixel.hpp"
#include "support/column_cases.hpp"
#include "support/graph.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

TEST(Columns, BytesToWideSumsFromDeviceMemory) {
    const axis_extents e{3, 5001, 21};
    const auto values = items_of<std::uint8_t>(e);
    shifted_array<std::uint8_t> in(values, 0);
    shifted_array<std::int64_t> out(values.size(), 0);
    device_array<std::int64_t> init(std::vector<std::int64_t>{1'000'000});
    lookback::gpu gpu;
    exclusive_scan(gpu, in.data(), e, out.data(), value_at<std::int64_t>{init.data()});
    out.expect(down_columns<std::int64_t>(values, e, 1'000'000, true, plus<>{}), "exclusive");
    inclusive_scan(gpu, in.data(), e, out.data(), plus<>{}, value_at<std::int64_t>{init.data()});
    out.expect(down_columns<std::int64_t>(values, e, 1'000'000, false, plus<>{}), "inclusive");
}

// Items and results of other sizes than accumulators, in every way to move them.
template <class In, class Out, class A>
void scan_items_that_change_size(const axis_extents& e) {
    const auto values = items_of<In>(e);
    const auto folds = down_columns<A>(values, e, std::nullopt, false, plus<A>{});
    std::vector<Out> want;
    for (const A& fold : folds) want.push_back(static_cast<Out>(fold));
    lookback::gpu gpu;
    for (const column_route& way : column_routes) {
        SCOPED_TRACE(std::string(way.name) + ", " + name_of(e));
        choose(gpu, way);
        shifted_array<In> in(values, way.shift);
        shifted_array<Out> out(values.size(), 3 * way.shift);
        inclusive_scan(gpu, in.data(), e, out.data(), plus<A>{});
        out.expect(want, "sums");
        in.expect(values, "the input");
        if constexpr (std::is_same_v<In, Out>) {
            inclusive_scan(gpu, in.data(), e, in.data(), plus<A>{});
            in.expect(want, "in place");
        }
    }
}
template <class In, class Out, class A>
void scan_all_that_change_size() {
    for (const axis_extents& e : shapes(100'000)) scan_items_that_change_size<In, Out, A>(e);
    scan_items_that_change_size<In, Out, A>({1, 3000, 1000});
    scan_items_that_change_size<In, Out, A>({2, 1500, 1001});
}
TEST(Columns, BytesToWideSums) {
    scan_all_that_change_size<std::uint8_t, std::int64_t, std::int64_t>();
}
TEST(Columns, BytesByWiderAccumulators) {
    scan_all_that_change_size<std::uint8_t, std::uint8_t, std::uint32_t>();
}
TEST(Columns, PixelsOf3Bytes) {
    using pixel3 = pixel<std::uint8_t, 3>;
    scan_all_that_change_size<pixel3, pixel3, pixel3>();
}
TEST(Columns, IntegersOf8BytesToNarrowOnes) {
    scan_all_that_change_size<std::int64_t, std::uint16_t, std::int64_t>();
}

struct low_bits {
    __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
        return static_cast<std::uint32_t>(i * 2654435761U);
    }
};

void scan_computed_and_reversed_items(const axis_extents& e) {
    const std::uint64_t n = e.outer * e.length * e.inner;
    const auto computed =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), low_bits{});
    std::vector<std::uint32_t> values(n);
    for (std::uint64_t i = 0; i < n; ++i) values[i] = low_bits{}(i);
    shifted_array<std::uint32_t> out(n, 1);
    lookback::gpu gpu;
    inclusive_scan(gpu, computed, e, out.data(), compose{});
    out.expect(down_columns<std::uint32_t>(values, e, std::nullopt, false, compose{}), "computed");
    // From the last item to the first.
    shifted_array<std::uint32_t> in(values, 0);
    const auto end = static_cast<std::ptrdiff_t>(n);
    inclusive_scan(gpu, std::reverse_iterator(in.data() + end), e,
                   std::reverse_iterator(out.data() + end), compose{});
    std::reverse(values.begin(), values.end());
    auto want = down_columns<std::uint32_t>(values, e, std::nullopt, false, compose{});
    std::reverse(want.begin(), want.end());
    out.expect(want, "backward");
}
TEST(Columns, ItemsThatAreComputedAndReversed) {
    scan_computed_and_reversed_items({2, 4001, 30});
    scan_computed_and_reversed_items({1, 400'001, 2});
    scan_computed_and_reversed_items({500, 801, 1});
    scan_computed_and_reversed_items({2, 400'001, 1});
}

// Writes what it is given to an array, increased by 1000.
struct put_shifted {
    int* to;
    __device__ void operator()(std::ptrdiff_t i, int value) const { to[i] = value + 1000; }
};
TEST(Columns, OutputsThatCanOnlyBeWritten) {
    const axis_extents e{2, 4001, 30};
    const auto values = items_of<int>(e);
    auto want = down_columns<int>(values, e, std::nullopt, false, plus<>{});
    for (int& x : want) x += 1000;
    shifted_array<int> in(values, 0), out(values.size(), 0);
    lookback::gpu gpu;
    inclusive_scan(gpu, in.data(), e, thrust::make_discard_iterator());
    inclusive_scan(gpu, in.data(), e,
                   thrust::make_tabulate_output_iterator(put_shifted{out.data()}));
    out.expect(want, "behind an iterator");
}
TEST(Columns, ReversedExclusiveAndInPlace) {
    const axis_extents e{2, 4001, 30};
    auto values = items_of<int>(e);
    shifted_array<int> in(values, 0);
    std::reverse(values.begin(), values.end());
    auto want = down_columns<int>(values, e, std::optional<int>(7), true, plus<>{});
    std::reverse(want.begin(), want.end());
    const std::reverse_iterator<int*> from(in.data() + values.size());
    lookback::gpu gpu;
    exclusive_scan(gpu, from, e, from, 7);
    in.expect(want, "in place");
}

TEST(Columns, InGraphs) {
    const axis_extents e{2, 30'000, 40};
    auto values = items_of<std::uint32_t>(e);
    shifted_array<std::uint32_t> in(values, 0), out(values.size(), 0);
    stream s;
    lookback::gpu gpu{s};
    const auto scan = [&] { inclusive_scan(gpu, in.data(), e, out.data(), compose{}); };
    EXPECT_THROW(graph(s, scan), cuda_error);  // no workspace yet
    reserve<std::uint32_t>(gpu, e);
    graph scans(s, scan);
    // Makes a larger workspace, which the graph does not use.
    reserve<std::uint32_t>(gpu, {2, 300'000, 40});
    for (int turn = 0; turn < 4; ++turn) {
        scans.replay();
        s.wait();
        out.expect(down_columns<std::uint32_t>(values, e, std::nullopt, false, compose{}),
                   "replay");
        std::rotate(values.begin(), values.begin() + 12'345, values.end());
        check(cudaMemcpy(in.data(), values.data(), values.size() * 4, cudaMemcpyHostToDevice),
              "other values");
        check(cudaDeviceSynchronize(), "other values");
    }
}

template <class V, class Op>
void scan_in_a_reserved_graph(const axis_extents& e, Op op) {
    const auto values = items_of<V>(e);
    shifted_array<V> in(values, 0), out(values.size(), 0);
    stream s;
    lookback::gpu gpu{s};
    reserve<V>(gpu, e);
    graph scans(s, [&] { inclusive_scan(gpu, in.data(), e, out.data(), op); });
    scans.replay();
    s.wait();
    out.expect(down_columns<V>(values, e, std::nullopt, false, op), "rows");
}
TEST(Columns, ReservedRowsInGraphs) {
    scan_in_a_reserved_graph<std::uint32_t>({30'000, 500, 1}, compose{});
}
TEST(Columns, ReservedPairsInGraphs) {
    scan_in_a_reserved_graph<std::uint32_t>({1, 900'001, 2}, compose{});
}
TEST(Columns, ReservedBytesInGraphs) {
    for (const axis_extents e : {axis_extents{1, 1000, 8}, axis_extents{1, 900'001, 8},
                                 axis_extents{1, 50'001, 32}, axis_extents{60'001, 39, 1}}) {
        SCOPED_TRACE(name_of(e));
        scan_in_a_reserved_graph<std::uint8_t>(e, plus<>{});
    }
}

template <class V, class Op>
void scan_across_the_end_of_epochs(Op op) {
    const axis_extents e{1, 60'000, 24};
    const auto values = items_of<V>(e);
    const auto want = down_columns<V>(values, e, std::nullopt, false, op);
    stream s;
    lookback::gpu gpu{s};
    shifted_array<V> in(values, 0);
    for (const column_route& way : column_routes) {
        SCOPED_TRACE(way.name);
        choose(gpu, way);
        access::set_epoch<V>(gpu, 0xfffffffe);
        for (int turn = 0; turn < 4; ++turn) {
            shifted_array<V> out(values.size(), 0);
            inclusive_scan(gpu, in.data(), e, out.data(), op);
            out.expect(want, "across the end");
        }
    }
}
TEST(Columns, EpochsBeginAgain) {
    scan_across_the_end_of_epochs<std::uint32_t>(compose{});
    scan_across_the_end_of_epochs<span_of>(join{});
}

TEST(Columns, MoreThan32BitsOfItems) {
    if (reduced()) GTEST_SKIP() << "takes too long under a sanitizer";
    // Sums of ones, in bytes that wrap around.
    const axis_extents e{1, (std::uint64_t{1} << 31) + 77, 3};
    const std::uint64_t n = e.length * e.inner;
    device_array<std::uint8_t> bytes(n);
    check(cudaMemset(bytes.data(), 1, n), "filling");
    lookback::gpu gpu;
    inclusive_scan(gpu, bytes.data(), e, bytes.data());
    for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{1} << 30, e.length - 1}) {
        std::uint8_t got[3];
        check(cudaMemcpy(got, bytes.data() + row * 3, 3, cudaMemcpyDeviceToHost), "reading");
        for (const std::uint8_t x : got) {
            EXPECT_EQ(x, static_cast<std::uint8_t>(row + 1)) << "row " << row;
        }
    }
}

TEST(Columns, SaysWhatIsWrong) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(64);
    std::uint32_t* const at = x.data();
    std::uint32_t* const nothing = nullptr;
    const auto scan = [&](std::uint32_t* in, axis_extents e, std::uint32_t* out) {
        return inclusive_scan(gpu, in, e, out);
    };
    EXPECT_THROW(scan(nothing, {1, 4, 2}, at), std::invalid_argument);
    EXPECT_THROW(scan(at, {1, 4, 2}, nothing), std::invalid_argument);
    EXPECT_THROW(scan(at, {1, 4, 2}, at + 1), std::invalid_argument);
    EXPECT_THROW(scan(at, {1ULL << 40, 2, 1ULL << 40}, at), std::invalid_argument);
    EXPECT_THROW(reserve<float>(gpu, {1ULL << 40, 2, 1ULL << 40}), std::invalid_argument);
    const axis_extents many{1ULL << 50, 2, 3};  // in tiles of 1706 blocks
    const std::string too_many =
        "lookback: the extents 1125899906842624 x 2 x 3 make 659964775406 tiles; at most "
        "2147483648 are possible in one call";
    EXPECT_EQ(message_of([&] { scan(at, many, at); }), too_many);
    EXPECT_EQ(message_of([&] { reserve<std::uint32_t>(gpu, many); }), too_many);
    EXPECT_EQ(scan(nothing, {1, 0, 4}, nothing), nothing);
    EXPECT_EQ(scan(nothing, {0, 4, 4}, nothing), nothing);
    EXPECT_EQ(scan(nothing, {4, 4, 0}, nothing), nothing);
}

}  // namespace
}  // namespace lookback::test
