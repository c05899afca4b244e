// The pieces for a block: scans by each strategy, with every number of warps, with one item or
// several items a thread.
#include <algorithm>
#include <utility>

#include "lookback/kernel/block.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "support/pieces.hpp"

namespace lookback::test {
namespace {

using block::strategy;

const char* name_of(strategy how) {
    return how == strategy::raking       ? "raking"
           : how == strategy::warp_scans ? "warp scans"
                                         : "Sklansky";
}

// ---- one value for each thread

// What a block writes: the aggregates of its scans and its reduction, from its first and its last
// thread.
template <class T>
struct folds_of_block {
    T of_inclusive[2], of_exclusive[2], of_reduce[2];
};

template <int threads, strategy how, class T, class Op>
__global__ __launch_bounds__(threads) void value_kernel(const T* in, const int* counts, T init,
                                                        Op op, T* inclusive, T* exclusive,
                                                        folds_of_block<T>* folds) {
    using scan = block::scan<T, threads, how>;
    __shared__ typename scan::memory memory;
    const int thread = static_cast<int>(threadIdx.x);
    const int count = counts[blockIdx.x];
    const int at = static_cast<int>(blockIdx.x) * threads + thread;
    const T value = in[at];
    const auto with = scan(memory).inclusive(value, op, count);
    __syncthreads();
    const auto without = scan(memory).exclusive(value, init, op, count);
    __syncthreads();
    const T fold = scan(memory).reduce(value, op, count);
    if (thread < count) {
        inclusive[at] = with.result;
        exclusive[at] = without.result;
    }
    if (thread == 0 || thread == threads - 1) {
        auto& mine = folds[blockIdx.x];
        const int which = thread == 0 ? 0 : 1;
        mine.of_inclusive[which] = with.aggregate;
        mine.of_exclusive[which] = without.aggregate;
        mine.of_reduce[which] = fold;
    }
}

template <int threads, strategy how, class T, class Op>
void check_values(const std::vector<T>& values, const T& init, Op op) {
    const std::vector<int> counts = counts_of(threads, 1);
    const std::size_t items = counts.size() * threads;
    std::vector<T> in(items, poisoned<T>()), inclusive = in, exclusive = in, folds;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const std::size_t first = b * threads;
        const std::vector<T> mine(&values[0], &values[0] + counts[b]);
        const sequential_scan<T, Op> want(mine, init, op);
        std::copy(mine.begin(), mine.end(), &in[first]);
        std::copy(want.inclusive.begin(), want.inclusive.end(), &inclusive[first]);
        std::copy(want.exclusive.begin(), want.exclusive.end(), &exclusive[first]);
        folds.insert(folds.end(), 6, want.fold);
    }
    device_array<T> in_device(in), inclusive_device(items), exclusive_device(items),
        folds_device(folds.size());
    device_array<int> counts_device(counts);
    device_array<unsigned> met(std::vector<unsigned>{0});
    value_kernel<threads, how><<<static_cast<unsigned>(counts.size()), threads>>>(
        in_device.data(), counts_device.data(), init, watchful<T, Op>{op, met.data()},
        inclusive_device.data(), exclusive_device.data(),
        reinterpret_cast<folds_of_block<T>*>(folds_device.data()));
    check(cudaGetLastError(), "starting the scans");
    const std::string what =
        std::string(name_of(how)) + ", blocks of " + std::to_string(threads) + " threads";
    EXPECT_EQ(difference(inclusive, inclusive_device.get()), "") << "inclusive, " << what;
    EXPECT_EQ(difference(exclusive, exclusive_device.get()), "") << "exclusive, " << what;
    EXPECT_EQ(difference(folds, folds_device.get()), "") << "6 folds a block, " << what;
    EXPECT_EQ(met.get()[0], 0U) << "the operator met what is no value, " << what;
}

template <int threads, class T, class Op>
void check_strategies(const std::vector<T>& values, const T& init, Op op) {
    check_values<threads, strategy::warp_scans>(values, init, op);
    check_values<threads, strategy::raking>(values, init, op);
    check_values<threads, strategy::sklansky>(values, init, op);
}

template <int... warps>
void check_all_sizes(std::integer_sequence<int, warps...>) {
    const auto values = random_values<affine32>(1024, 21);
    (check_strategies<32 * (warps + 1)>(values, affine32{5, 6}, affine{}), ...);
}

// ---- several items for each thread, which pass through shared memory

template <int threads, int per_thread, strategy how, class T, class Op>
__global__ __launch_bounds__(threads) void tile_kernel(const T* in, const int* counts, T init,
                                                       Op op, T* inclusive, T* exclusive,
                                                       T* folds) {
    using tile = block::tile_io<T, threads, per_thread>;
    using scan = block::scan<T, threads, how>;
    __shared__ typename tile::memory stage;
    __shared__ typename scan::memory memory;
    const int count = counts[blockIdx.x];
    const std::size_t first = std::size_t{blockIdx.x} * tile::items_of_tile;
    T item[per_thread], copy[per_thread];
    tile(stage).load_blocked(in + first, item, count);
    for (int i = 0; i < per_thread; ++i) copy[i] = item[i];
    const T fold = scan(memory).reduce(item, op, count);
    __syncthreads();
    const T of_inclusive = scan(memory).inclusive(item, op, count);
    __syncthreads();
    const T of_exclusive = scan(memory).exclusive(copy, init, op, count);
    tile(stage).store_blocked(item, inclusive + first, count);
    __syncthreads();
    tile(stage).store_blocked(copy, exclusive + first, count);
    if (threadIdx.x == threads - 1) {
        folds[3 * blockIdx.x] = fold;
        folds[3 * blockIdx.x + 1] = of_inclusive;
        folds[3 * blockIdx.x + 2] = of_exclusive;
    }
}

template <int threads, int per_thread, strategy how, class T, class Op>
void check_tiles(const std::vector<T>& values, const T& init, Op op) {
    constexpr std::size_t tile = threads * per_thread;
    const std::vector<int> counts = counts_of(threads, per_thread);
    const std::size_t items = counts.size() * tile;
    std::vector<T> in(items, poisoned<T>()), inclusive = in, exclusive = in, folds;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const std::vector<T> mine(&values[0], &values[0] + counts[b]);
        const sequential_scan<T, Op> want(mine, init, op);
        std::copy(mine.begin(), mine.end(), &in[b * tile]);
        std::copy(want.inclusive.begin(), want.inclusive.end(), &inclusive[b * tile]);
        std::copy(want.exclusive.begin(), want.exclusive.end(), &exclusive[b * tile]);
        folds.insert(folds.end(), 3, want.fold);
    }
    device_array<T> in_device(in), inclusive_device(items), exclusive_device(items),
        folds_device(folds.size());
    device_array<int> counts_device(counts);
    tile_kernel<threads, per_thread, how><<<static_cast<unsigned>(counts.size()), threads>>>(
        in_device.data(), counts_device.data(), init, op, inclusive_device.data(),
        exclusive_device.data(), folds_device.data());
    check(cudaGetLastError(), "starting the scans");
    const std::string what = std::string(name_of(how)) + ", blocks of " + std::to_string(threads) +
                             " threads with " + std::to_string(per_thread) + " items each";
    EXPECT_EQ(difference(inclusive, inclusive_device.get()), "") << "inclusive, " << what;
    EXPECT_EQ(difference(exclusive, exclusive_device.get()), "") << "exclusive, " << what;
    EXPECT_EQ(difference(folds, folds_device.get()), "") << "3 folds a block, " << what;
}

template <class T, class Op>
void check_tiles_of(const T& init, Op op) {
    const auto values = random_values<T>(1024 * 9, 33);
    check_tiles<32, 1, strategy::warp_scans>(values, init, op);
    check_tiles<96, 4, strategy::warp_scans>(values, init, op);
    check_tiles<224, 5, strategy::raking>(values, init, op);
    check_tiles<256, 7, strategy::warp_scans>(values, init, op);
    check_tiles<160, 8, strategy::sklansky>(values, init, op);
}

}  // namespace

TEST(BlockScans, EveryNumberOfWarpsByEveryStrategy) {
    check_all_sizes(std::make_integer_sequence<int, 32>());
}

TEST(BlockScans, Sums) {
    const auto values = random_values<std::int32_t>(1024, 4);
    check_strategies<64>(values, -3, plus{});
    check_strategies<480>(values, -3, plus{});
    check_strategies<1024>(values, -3, plus{});
}

TEST(BlockScans, WideValues) {
    const auto values = random_values<span_of>(1024, 0);
    check_strategies<96>(values, span_of{1, ~0ULL, ~0ULL}, join{});
    check_strategies<544>(values, span_of{1, ~0ULL, ~0ULL}, join{});
    check_strategies<1024>(random_values<matrix>(1024, 9), matrix{1, 2, 3, 7}, matrix_product{});
}

TEST(BlockScans, SeveralItemsAThread) {
    check_tiles_of<std::int32_t>(5, plus{});
    check_tiles_of<affine32>({5, 6}, affine{});
    check_tiles_of<span_of>({1, ~0ULL, ~0ULL}, join{});
}

TEST(BlockScans, FloatsHaveTheSameBitsInEveryRun) {
    constexpr int threads = 480;
    const std::vector<int> counts = {threads, 77, 1, threads - 1};
    const auto values = random_values<float>(counts.size() * threads, 3);
    const auto run_all = [&](auto kernel, const char* what) {
        device_array<float> in(values), inclusive(values.size()), exclusive(values.size());
        device_array<folds_of_block<float>> folds(counts.size());
        device_array<int> counts_device(counts);
        std::vector<float> first[2];
        for (int run = 0; run < 100; ++run) {
            kernel<<<static_cast<unsigned>(counts.size()), threads>>>(
                in.data(), counts_device.data(), 0.5F, plus{}, inclusive.data(), exclusive.data(),
                folds.data());
            check(cudaGetLastError(), "starting the scans");
            const std::vector<float> got[] = {inclusive.get(), exclusive.get()};
            if (run == 0) first[0] = got[0], first[1] = got[1];
            ASSERT_EQ(difference(first[0], got[0]), "") << what << ", inclusive, run " << run;
            ASSERT_EQ(difference(first[1], got[1]), "") << what << ", exclusive, run " << run;
            inclusive.fill_with_poison();
            exclusive.fill_with_poison();
        }
        double sum = 0;
        for (std::size_t i = 0; i < threads; ++i) {
            ASSERT_NEAR(first[1][i], sum + 0.5, 1e-4) << what << ", exclusive, thread " << i;
            sum += values[i];
            ASSERT_NEAR(first[0][i], sum, 1e-4) << what << ", inclusive, thread " << i;
        }
    };
    run_all(value_kernel<threads, strategy::warp_scans, float, plus<>>, "warp scans");
    run_all(value_kernel<threads, strategy::raking, float, plus<>>, "raking");
    run_all(value_kernel<threads, strategy::sklansky, float, plus<>>, "Sklansky");
}

}  // namespace lookback::test
