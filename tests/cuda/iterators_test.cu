// Computed input, and operators that are device lambdas.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/tuple>

#include "support/generated.hpp"

namespace lookback::test {
namespace {

struct square {
    LOOKBACK_HD std::uint64_t operator()(std::uint64_t i) const { return i * i; }
};
struct dot {
    template <class Pair>
    LOOKBACK_HD std::uint64_t operator()(const Pair& p) const {
        return std::uint64_t{thrust::get<0>(p)} * thrust::get<1>(p);
    }
};
struct products {
    LOOKBACK_HD std::uint64_t operator()(std::uint64_t i) const {
        return std::uint64_t{exact_items<std::uint32_t>{1}(i)} * exact_items<std::uint32_t>{2}(i);
    }
};
struct identity {
    LOOKBACK_HD std::uint64_t operator()(std::uint64_t i) const { return i; }
};

// A size for each driver.
std::vector<std::uint64_t> sizes() {
    if (reduced()) return {100, 20'000};
    return {0, 1, 100, 3000, 200'000, 3'000'000, 10'000'001};
}

template <class In, class Items, class Op>
void check_input(const In& first, std::uint64_t n, Items items, Op op) {
    stream s;
    inspector steps(s);
    lookback::gpu gpu(s);
    device_array<std::uint64_t> out(n);
    const auto end = lookback::inclusive_scan(gpu, first, first + static_cast<std::int64_t>(n),
                                              out.data(), op, std::uint64_t{9});
    EXPECT_EQ(end, out.data() + n);
    check_steps(steps, s, out.data(), n, items, plus{}, {.has_init = true, .init = 9});
    EXPECT_EQ(steps.result(), "") << n << " items";
}

}  // namespace

TEST(Iterators, Counting) {
    for (const auto n : sizes()) {
        check_input(thrust::counting_iterator<std::uint64_t>(0), n, identity{}, plus{});
    }
}

TEST(Iterators, Transformed) {
    for (const auto n : sizes()) {
        const auto squares =
            thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), square{});
        check_input(squares, n, square{}, plus{});
    }
}

TEST(Iterators, ZippedAndTransformed) {
    for (const auto n : sizes()) {
        device_array<std::uint32_t> a(n), b(n);
        fill(nullptr, a.data(), n, exact_items<std::uint32_t>{1});
        fill(nullptr, b.data(), n, exact_items<std::uint32_t>{2});
        check(cudaDeviceSynchronize(), "filling");
        const std::uint32_t* const from_a = a.data();
        const std::uint32_t* const from_b = b.data();
        const auto zipped = thrust::make_zip_iterator(from_a, from_b);
        check_input(thrust::make_transform_iterator(zipped, dot{}), n, products{}, plus{});
    }
}

// nvcc takes such a lambda only in an ordinary function, not in the body of a test.
void check_lambda_with_initial_value() {
    for (const auto n : sizes()) {
        check_input(thrust::counting_iterator<std::uint64_t>(0), n, identity{},
                    [] __device__(std::uint64_t a, std::uint64_t b) { return a + b; });
    }
}

void check_lambda_in_exclusive_scan() {
    for (const auto n : sizes()) {
        stream s;
        inspector steps(s);
        lookback::gpu gpu(s);
        device_array<std::int32_t> in(n), out(n);
        const exact_items<std::int32_t> items{4};
        fill(s, in.data(), n, items);
        lookback::exclusive_scan(
            gpu, in.data(), in.data() + n, out.data(), -100,
            [] __device__(std::int32_t a, std::int32_t b) { return b < a ? a : b; });
        check_steps(steps, s, out.data(), n, items, maximum{}, {.exclusive = true, .init = -100});
        EXPECT_EQ(steps.result(), "") << n << " items";
    }
}

TEST(Lambdas, ForTheDeviceWithAnInitialValue) { check_lambda_with_initial_value(); }
TEST(Lambdas, ForTheDeviceExclusive) { check_lambda_in_exclusive_scan(); }

}  // namespace lookback::test
