// Arguments that CUB takes, too: iterators that hold a lambda, functions whose operator() is not
// const, outputs with an assignment operator of the user's, 16-bit counts.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/functional>
#if __has_include(<cuda/iterator>)
#include <cuda/iterator>
#endif

#include <cstdint>
#include <numeric>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/on_gpu.hpp"
#include "support/plain_loops.hpp"

namespace lookback::test {

// ---- functions whose operator() is not const: each is called on a copy, so `calls` is 0 or 1

struct adds_once {
    int calls = 0;
    LOOKBACK_HD int operator()(int a, int b) { return a + b + 1000 * calls++; }
};
struct is_positive_once {
    bool called = false;
    LOOKBACK_HD bool operator()(int x) {
        const bool first = !called;
        called = true;
        return first && x > 0;
    }
};
struct is_equal_once {
    bool called = false;
    LOOKBACK_HD bool operator()(int a, int b) {
        const bool first = !called;
        called = true;
        return first && a == b;
    }
};

TEST(FunctionsThatAreNotConst, AreCalledOnCopies) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = plain::short_runs(n);
        const auto runs = plain::runs_of(in);
        const auto parts = plain::partition(in, is_positive{});
        on_gpu on(in);
        device_array<int> more(n);
        inclusive_scan(on.gpu, on.begin(), on.end(), on.out.data(), adds_once{});
        EXPECT_EQ(on.out.get(), plain::inclusive_scan(in));
        exclusive_scan(on.gpu, on.begin(), on.end(), on.out.data(), 7, adds_once{});
        EXPECT_EQ(on.out.get(), plain::exclusive_scan(in, 7));
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), adds_once{},
                              is_equal_once{});
        EXPECT_EQ(on.out.get(), plain::inclusive_scan_by_key(in, in));
        select_if(on.gpu, on.begin(), on.end(), on.out.data(), on.count(), is_positive_once{});
        EXPECT_EQ(on.found(), static_cast<int>(parts.kept.size()));
        EXPECT_EQ(on.first_of(on.out, parts.kept.size()), parts.kept);
        partition_if(on.gpu, on.begin(), on.end(), on.out.data(), more.data(), on.count(),
                     is_positive_once{});
        EXPECT_EQ(on.first_of(more, parts.rest.size()), parts.rest);
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), more.data(),
                      on.count(), adds_once{}, is_equal_once{});
        EXPECT_EQ(on.first_of(more, runs.sums.size()), runs.sums);
        unique(on.gpu, on.begin(), on.end(), on.out.data(), on.count(), is_equal_once{});
        EXPECT_EQ(on.found(), static_cast<int>(runs.firsts.size()));
    }
}

// ---- iterators that hold a lambda

template <class In>
void check_computed(const In& first, std::size_t n, int factor) {
    SCOPED_TRACE(std::to_string(n) + " items");
    std::vector<int> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i % 5) * factor;
    on_gpu on(in);
    const auto last = first + static_cast<std::ptrdiff_t>(n);
    exclusive_scan(on.gpu, first, last, on.out.data(), 1);
    EXPECT_EQ(on.out.get(), plain::exclusive_scan(in, 1));
    exclusive_scan_by_key(on.gpu, first, last, first, on.out.data(), 1);
    EXPECT_EQ(on.out.get(), plain::exclusive_scan_by_key(in, in, 1));
    unique(on.gpu, first, last, on.out.data(), on.count());
    const auto runs = plain::runs_of(in);
    EXPECT_EQ(on.first_of(on.out, runs.firsts.size()), runs.firsts);
}
// (nvcc takes such a lambda only in an ordinary function, not in the body of a test.)
void check_transformed_by_lambdas() {
    for (const std::size_t n : sizes_of_calls()) {
        const int factor = static_cast<int>(n % 7) + 2;
        check_computed(thrust::make_transform_iterator(
                           thrust::counting_iterator<int>(0),
                           [factor] __host__ __device__(int i) -> int { return i % 5 * factor; }),
                       n, factor);
        check_computed(thrust::make_transform_iterator(
                           thrust::counting_iterator<int>(0),
                           cuda::proclaim_return_type<int>(
                               [factor] __device__(int i) { return i % 5 * factor; })),
                       n, factor);
#if __has_include(<cuda/iterator>)
        check_computed(
            cuda::transform_iterator(cuda::counting_iterator<int>(0),
                                     cuda::proclaim_return_type<int>(
                                         [factor] __device__(int i) { return i % 5 * factor; })),
            n, factor);
#endif
    }
}
TEST(IteratorsThatHoldALambda, AreRead) { check_transformed_by_lambdas(); }

// ---- items of outputs

TEST(VolatileItems, AreWritten) {
    for (const std::size_t n : sizes_of_calls()) {
        std::vector<std::uint32_t> want(n);
        std::iota(want.begin(), want.end(), 0U);
        std::inclusive_scan(want.begin(), want.end(), want.begin());
        lookback::gpu gpu;
        device_array<std::uint32_t> out(n);
        volatile std::uint32_t* const to = out.data();
        const thrust::counting_iterator<std::uint32_t> first(0);
        inclusive_scan(gpu, first, first + n, to);
        EXPECT_EQ(out.get(), want);
    }
}

// Its assignment operator doubles the value, and leaves the tag alone.
struct doubled {
    int value;
    int tag;
    doubled() = default;
    LOOKBACK_HD explicit doubled(int) : value(-1), tag(-1) {}
    LOOKBACK_HD doubled& operator=(int x) {
        value = 2 * x;
        return *this;
    }
};
// The same, but it cannot be constructed from an int.
struct only_assigned {
    int value;
    int tag;
    LOOKBACK_HD only_assigned& operator=(int x) {
        value = 2 * x;
        return *this;
    }
};

template <class T>
class ItemsOfOutputs : public ::testing::Test {};
using assigned_types = ::testing::Types<doubled, only_assigned>;
TYPED_TEST_SUITE(ItemsOfOutputs, assigned_types);
TYPED_TEST(ItemsOfOutputs, AreGivenResultsByTheirOwnAssignment) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = plain::short_runs(n);
        on_gpu on(in);
        device_array<TypeParam> out(n);
        int tag = 0;
        std::memset(&tag, poison, sizeof(tag));
        const auto check_out = [&](const std::vector<int>& want, std::size_t count) {
            const auto got = out.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < count; ++i) {
                wrong += got[i].value != 2 * want[i] || got[i].tag != tag;
            }
            EXPECT_EQ(wrong, 0u);
            out.fill_with_poison();
        };
        const auto runs = plain::runs_of(in);
        inclusive_scan(on.gpu, on.begin(), on.end(), out.data());
        check_out(plain::inclusive_scan(in), n);
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), out.data());
        check_out(plain::inclusive_scan_by_key(in, in), n);
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), out.data(),
                      on.count());
        check_out(runs.sums, runs.sums.size());
        run_length_encode(on.gpu, on.begin(), on.end(), on.out.data(), out.data(), on.count());
        check_out(runs.lengths, runs.lengths.size());
        const auto parts = plain::partition(in, is_positive{});
        select_if(on.gpu, on.begin(), on.end(), out.data(), on.count(), is_positive{});
        check_out(parts.kept, parts.kept.size());
        for (const std::size_t columns : {2, 50}) {
            const axis_extents extents{1, n / columns, columns};
            inclusive_scan(on.gpu, on.begin(), extents, out.data());
            check_out(plain::inclusive_scan(in, columns), n / columns * columns);
        }
    }
}

// ---- counts of 16 bits; an operator whose result type can only be asked for with accumulators

TEST(CountsOf16Bits, AreReadAndWritten) {
    const auto in = plain::short_runs(32'767);
    on_gpu on(in);
    for (const int n : {0, 1, 5000, 32'767}) {
        device_array<std::int16_t> counts(std::vector<std::int16_t>{
            static_cast<std::int16_t>(n), std::int16_t{-1}, std::int16_t{-1}});
        unique(on.gpu, on.begin(), count_at<std::int16_t>{counts.data(), in.size()}, on.out.data(),
               count_to<std::int16_t>{counts.data() + 1});
        const auto want = plain::runs_of(std::vector<int>(in.begin(), in.begin() + n)).firsts;
        const auto found = counts.get();
        EXPECT_EQ(found[0], n);
        EXPECT_EQ(found[1], static_cast<std::int16_t>(want.size()));
        EXPECT_EQ(found[2], -1);
        EXPECT_EQ(on.first_of(on.out, want.size()), want);
    }
    device_array<std::int16_t> too_narrow(1);
    device_array<char> many(40'000);
    EXPECT_THROW(unique(on.gpu, many.data(), many.data() + 40'000, many.data(),
                        count_to<std::int16_t>{too_narrow.data()}),
                 std::invalid_argument);
}

struct point {
    int x;
    point() = default;
    LOOKBACK_HD explicit point(int x_) : x(x_) {}
};
struct adds_points {
    template <class T>
    LOOKBACK_HD auto operator()(const T& a, const T& b) const {
        return T(a.x + b.x);
    }
};
TEST(OperatorsThatDeduceTheirResult, AreAskedForItOfAccumulatorsOnly) {
    for (const std::size_t n : sizes_of_calls()) {
        const auto in = plain::short_runs(n);
        on_gpu on(in);
        device_array<point> out(n);
        device_array<point> init(std::vector<point>{point(9)});
        const value_at<point> there{init.data()};
        const auto same = [&](const std::vector<int>& want) {
            const auto got = out.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) wrong += got[i].x != want[i];
            return wrong == 0;
        };
        exclusive_scan(on.gpu, on.begin(), on.end(), out.data(), there, adds_points{});
        EXPECT_TRUE(same(plain::exclusive_scan(in, 9)));
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), out.data(), there,
                              adds_points{});
        EXPECT_TRUE(same(plain::inclusive_scan_by_key(in, in, 9)));
    }
}

}  // namespace lookback::test
