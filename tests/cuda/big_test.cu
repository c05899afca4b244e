// Arrays from 5 million to more than 2^32 items, which are made and checked in device memory.
#include <iterator>
#include <string>

#include "support/generated.hpp"

namespace lookback::test {
namespace {

constexpr std::uint64_t guard = 64;

// The fold of the first n items by other means: atomic additions, in any order.
template <class T, class Items>
__global__ void sum_kernel(std::uint64_t n, Items items, unsigned long long* sum) {
    unsigned long long mine = 0;
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        mine += static_cast<unsigned long long>(items(i));
    }
    atomicAdd(sum, mine);
}
template <class T, class Items>
T sum_of(std::uint64_t n, Items items) {
    device_array<unsigned long long> sum(std::vector<unsigned long long>{0});
    sum_kernel<T><<<1024, 256>>>(n, items, sum.data());
    check(cudaGetLastError(), "summing");
    return static_cast<T>(sum.get()[0]);
}

template <class T>
T item(const T* at) {
    T value;
    check(cudaMemcpy(&value, at, sizeof(T), cudaMemcpyDeviceToHost), "reading an item");
    return value;
}

bool fits(std::uint64_t bytes) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    return bytes + (std::uint64_t{1} << 28) < free;
}

template <class T>
struct big_case {
    std::uint64_t n;
    scan_kind<T> was{};
    bool in_place = false;
    bool bulk = true;
};

// Kind and direction are template parameters, because each has its own kernel, to be compiled only
// where it is used.
template <class T, bool exclusive = false, bool backward = false, class Op>
void run(big_case<T> c, Op op) {
    const std::uint64_t n = c.n;
    c.was.exclusive = exclusive;
    c.was.backward = backward;
    SCOPED_TRACE(std::to_string(n) + " items" + (c.was.exclusive ? ", exclusive" : "") +
                 (c.was.backward ? ", backward" : "") + (c.in_place ? ", in place" : "") +
                 (c.bulk ? "" : ", staged driver"));
    const std::uint64_t need = (c.in_place ? 1 : 2) * n * sizeof(T);
    if (!fits(need)) {
        GTEST_SKIP() << "not enough device memory: " << need << " bytes for " << n << " items";
    }
    const exact_items<T> items{n};
    stream s;
    inspector steps(s), around(s);
    lookback::gpu gpu(s);
    if (!c.bulk) detail::device::access::use_pipeline(gpu, false);
    // Backward, the end of the array lies on a vector's boundary.
    const std::uint64_t begin = guard + (c.was.backward ? 16 - n % 16 : 0);
    device_array<T> out_memory(begin + n + guard);
    device_array<T> in_memory(c.in_place ? 1 : n + 16);
    T* const out = out_memory.data() + begin;
    T* const in = c.in_place ? out : in_memory.data() + (c.was.backward ? 16 - n % 16 : 0);
    fill(s, in, n, items, c.was.backward);
    const T* const from = in;
    const auto scan = [&](auto first, auto last, auto to) {
        if constexpr (exclusive) {
            lookback::exclusive_scan(gpu, first, last, to, c.was.init, op);
        } else if (c.was.has_init) {
            lookback::inclusive_scan(gpu, first, last, to, op, c.was.init);
        } else {
            lookback::inclusive_scan(gpu, first, last, to, op);
        }
    };
    if constexpr (backward) {
        scan(std::reverse_iterator(from + n), std::reverse_iterator(from),
             std::reverse_iterator(out + n));
    } else {
        scan(from, from + n, out);
    }
    check_steps(steps, s, out, n, items, op, c.was);
    EXPECT_EQ(steps.result(), "") << "results that do not follow from the one before";
    around.compare(out, nullptr, 0, guard * sizeof(T));
    EXPECT_EQ(around.result(), "") << "bytes changed before the output";
    around.compare(out + n, nullptr, 0, 0, guard * sizeof(T));
    EXPECT_EQ(around.result(), "") << "bytes changed after the output";
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus<>>) {
        for (const std::uint64_t k : {n, n / 2, n / 3}) {
            const T last = c.was.exclusive ? sum_of<T>(k - 1, items) : sum_of<T>(k, items);
            const bool add = c.was.exclusive || c.was.has_init;
            const T* const at = out + (backward ? n - k : k - 1);
            EXPECT_EQ(item(at), op(last, add ? c.was.init : T{0})) << "item " << k - 1;
        }
    }
}

}  // namespace

TEST(Big, SumsOfInt32AtTheSeedSizes) {
    for (const std::uint64_t n : {5'003'565ULL, 50'003'565ULL, 500'003'565ULL, 1'000'003'565ULL}) {
        if (reduced() && n > 6'000'000) return;
        run<std::int32_t>({n}, plus{});
        run<std::int32_t>({.n = n, .bulk = false}, plus{});
        if (reduced()) return;
        run<std::int32_t>({.n = n, .was = {.has_init = true, .init = -5}, .in_place = true},
                          plus{});
        run<std::int32_t, true>({.n = n, .was = {.init = 11}}, plus{});
        run<std::int32_t, false, true>({.n = n, .in_place = true}, plus{});
        run<std::int32_t, false, true>({.n = n, .bulk = false}, plus{});
    }
}

TEST(Big, MoreThanFourBillionBytes) {
    if (reduced()) GTEST_SKIP() << "reduced";
    const std::uint64_t n = (std::uint64_t{1} << 32) + 7;
    run<std::uint8_t>({n}, plus{});
    run<std::uint8_t>({.n = n, .in_place = true, .bulk = false}, plus{});
    run<std::uint8_t>({.n = n, .was = {.has_init = true, .init = 3}, .in_place = true}, plus{});
}

TEST(Big, OtherTypes) {
    if (reduced()) GTEST_SKIP() << "reduced";
    run<std::uint64_t>({300'000'001}, bit_xor{});
    run<affine32>({(1ULL << 28) + 3}, affine{});
    run<affine32>({.n = (1ULL << 28) + 3, .in_place = true, .bulk = false}, affine{});
    run<matrix>({100'000'001}, matrix_product{});
    run<span_of>({100'000'001}, join{});
}

}  // namespace lookback::test
