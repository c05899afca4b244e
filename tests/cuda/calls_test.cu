// What the operator is called on: folds of items, never padding; and how often it is called.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "lookback/detail/device/machine_memory.hpp"
#include "support/case_table.hpp"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

/// The fold of the items up to number `last`, with a mark that all real items have. Poison and
/// zeros do not have it.
template <class Half>
struct marked {
    Half mark, last;
};
template <class Half>
inline constexpr auto real = static_cast<Half>(0x5C3B1E79);

/// The second operand. Counts all calls, and the calls on operands that are not folds of items.
struct watched_last {
    unsigned long long* calls;
    unsigned long long* unreal;
    template <class Half>
    __device__ marked<Half> operator()(const marked<Half>& a, const marked<Half>& b) const {
        atomicAdd(calls, 1ULL);
        if (a.mark != real<Half> || b.mark != real<Half>) atomicAdd(unreal, 1ULL);
        return {real<Half>, b.last};
    }
};

template <class Half>
struct numbered {
    LOOKBACK_HD marked<Half> operator()(std::uint64_t i) const {
        return {real<Half>, static_cast<Half>(i)};
    }
};

template <class Half>
void watch() {
    using A = marked<Half>;
    constexpr std::uint64_t guard = 64;
    constexpr std::uint64_t capacity = table_items<A>;
    stream s;
    inspector results(s);
    lookback::gpu gpu(s), staged(s), reversed(s);
    detail::device::access::use_pipeline(staged, false);
    detail::device::access::start_last_block_first(reversed, true);
    device_array<A> numbers(capacity + 1), in(capacity + 2 * guard), out(capacity + 2 * guard);
    device_array<std::uint64_t> count(1);
    device_array<unsigned long long> counters(std::vector<unsigned long long>{0, 0});
    fill(s, numbers.data(), capacity + 1, numbered<Half>{});
    A* const items = numbers.data() + 1;  // number 0 is the initial value
    const watched_last op{counters.data(), counters.data() + 1};

    const auto run = [&](lookback::gpu& with, std::uint64_t n, std::uint64_t at_most,
                         bool exclusive, std::uint64_t shift, const char* how) {
        SCOPED_TRACE(std::string(how) + ", " + std::to_string(n) + " items of at most " +
                     std::to_string(at_most) + (exclusive ? ", exclusive" : "") + ", off by " +
                     std::to_string(shift));
        A* const from = in.data() + guard + shift;
        // Poisons also what an earlier run left behind the items, as far as a driver might read.
        const std::uint64_t behind = std::min<std::uint64_t>(capacity + guard - shift - n, 100'000);
        check(cudaMemsetAsync(from - guard, poison, (guard + n + behind) * sizeof(A), s), "");
        check(cudaMemsetAsync(out.data() + guard, poison, n * sizeof(A), s), "poisoning");
        check(cudaMemcpyAsync(from, items, n * sizeof(A), cudaMemcpyDeviceToDevice, s), "");
        check(cudaMemcpyAsync(count.data(), &n, sizeof(n), cudaMemcpyHostToDevice, s), "");
        check(cudaMemsetAsync(counters.data(), 0, 2 * sizeof(unsigned long long), s), "");
        const count_at<std::uint64_t> until{count.data(), at_most};
        A* const to = out.data() + guard;
        const A before{real<Half>, 0};
        if (exclusive) {
            lookback::exclusive_scan(with, from, until, to, before, op);
        } else {
            lookback::inclusive_scan(with, from, until, to, op, before);
        }
        results.compare(to, exclusive ? numbers.data() : items, n * sizeof(A));
        EXPECT_EQ(results.result(sizeof(A)), "");
        const auto counted = counters.get();
        EXPECT_EQ(counted[1], 0u) << "calls on what is no fold of items";
        EXPECT_GE(counted[0] + 1, n) << "calls";
        // Tiles that other blocks help with are folded again: there is no bound for these.
        if (&with != &reversed) EXPECT_LE(counted[0], 8 * n + 4096) << "calls";
    };

    for (const auto& shape : detail::device::light<A>) {
        const auto row = static_cast<std::uint64_t>(detail::device::warp_lanes *
                                                    detail::device::vector_items<A>);
        const std::uint64_t tile = row * static_cast<std::uint64_t>(shape.warps * shape.rows);
        for (const std::uint64_t n : sizes_around(row, tile, shape.most_items)) {
            if (n > 34 * tile) continue;  // counting is slow
            run(gpu, n, shape.most_items, n % 2 == 0, n % 3, "light driver");
            run(reversed, n, shape.most_items, n % 2 == 1, 0, "last block first");
        }
    }
    const std::uint64_t tile = detail::device::large_tile_items<A>;
    const auto row = static_cast<std::uint64_t>(detail::device::warp_lanes *
                                                detail::device::chunk_items<sizeof(A)>);
    for (const std::uint64_t n : sizes_around(row, tile, 34 * tile)) {
        for (const bool exclusive : {false, true}) {
            run(gpu, n, capacity, exclusive, 0, "large driver");
            run(staged, n, capacity, exclusive, n % 4, "staged driver");
        }
    }
}

constexpr std::uint64_t a_result = std::uint64_t{1} << 40;

/// Items that the results overwrite. The first tile is read twice: by its own block, which waits
/// until another block has begun to help it; and by that block, which waits until results have
/// overwritten the items, and then reads a result.
struct overwritten_items {
    std::uint64_t tile;
    const std::uint64_t* out;
    std::uint64_t* helped;

    __device__ std::uint64_t operator()(std::uint64_t i) const {
        if (i >= tile) return 1;
        if (detail::device::block_in_grid() == 0) {
            wait_until([this] { return detail::device::load_relaxed(helped) != 0; });
            return 1;
        }
        detail::device::store_relaxed(helped, 1);
        wait_until([this] { return detail::device::load_relaxed(out + tile - 1) == tile; });
        return a_result;
    }
    template <class Condition>
    __device__ static void wait_until(Condition holds) {
        const long long begin = detail::device::cycles();
        while (!holds() && detail::device::cycles() - begin < 4'000'000'000) {
        }
    }
};

struct watched_sum {
    unsigned long long* unreal;
    __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
        if (a >= a_result || b >= a_result) atomicAdd(unreal, 1ULL);
        return a + b;
    }
};

}  // namespace

TEST(Calls, NotOnResultsInThePlaceOfItems) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one block after the other";
    using T = std::uint64_t;
    const auto& shape = detail::device::light<T>[2];
    const auto tile = static_cast<std::uint64_t>(
        shape.warps * shape.rows * detail::device::warp_lanes * detail::device::vector_items<T>);
    const std::uint64_t n = detail::device::light<T>[1].most_items + 1;
    ASSERT_LT(tile, n);
    stream s;
    lookback::gpu gpu(s);
    device_array<T> out(n), helped(std::vector<T>{0});
    device_array<unsigned long long> unreal(std::vector<unsigned long long>{0});
    const auto first =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                        overwritten_items{tile, out.data(), helped.data()});
    lookback::inclusive_scan(gpu, first, first + static_cast<std::int64_t>(n), out.data(),
                             watched_sum{unreal.data()}, T{0});
    s.wait();
    EXPECT_EQ(helped.get()[0], 1U) << "no block has helped";
    EXPECT_EQ(unreal.get()[0], 0U) << "calls on results";
    std::vector<T> want(n);
    std::iota(want.begin(), want.end(), T{1});
    EXPECT_EQ(out.get(), want);
}

TEST(Calls, OnItemsOf2Bytes) { watch<std::uint8_t>(); }
TEST(Calls, OnItemsOf4Bytes) { watch<std::uint16_t>(); }
TEST(Calls, OnItemsOf8Bytes) { watch<std::uint32_t>(); }

}  // namespace lookback::test
