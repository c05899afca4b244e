// The pieces for a block: sums of flags; tiles on their way to the threads and back.
#include <algorithm>
#include <utility>

#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "support/pieces.hpp"

namespace lookback::test {
namespace {

template <class T, int threads, int per_thread>
__global__ void striped_kernel(const T* in, T* out, int items) {
    using tile = block::tile_io<T, threads, per_thread>;
    T item[per_thread];
    tile::load_striped(in, item, items);
    tile::store_striped(item, out, items);
}
// Blocked in, striped out: item i of thread t comes from t · per_thread + i.
template <class T, int threads, int per_thread>
__global__ void transpose_kernel(const T* in, T* out, int items) {
    using tile = block::tile_io<T, threads, per_thread>;
    __shared__ typename tile::memory stage;
    T item[per_thread];
    tile(stage).load_blocked(in, item, items);
    tile::store_striped(item, out);
}

template <class T, int threads, int per_thread>
void check_moves() {
    constexpr std::size_t tile = threads * per_thread;
    const auto values = random_values<T>(tile, 2);
    for (const int count : counts_of(threads, per_thread)) {
        const auto items = static_cast<std::size_t>(count);
        device_array<T> in(values), out(tile);
        std::vector<T> want(tile, poisoned<T>());
        std::copy(&values[0], &values[0] + count, want.begin());
        striped_kernel<T, threads, per_thread><<<1, threads>>>(in.data(), out.data(), count);
        check(cudaGetLastError(), "starting a copy");
        EXPECT_EQ(difference(want, out.get()), "")
            << "striped, " << count << " of " << threads << " x " << per_thread;
        if (items < tile) continue;
        for (std::size_t i = 0; i < tile; ++i) {
            want[i] = values[i % threads * per_thread + i / threads];
        }
        out.fill_with_poison();
        transpose_kernel<T, threads, per_thread><<<1, threads>>>(in.data(), out.data(), count);
        check(cudaGetLastError(), "starting a copy");
        EXPECT_EQ(difference(want, out.get()), "")
            << "blocked to striped, " << threads << " x " << per_thread;
    }
}

// ---- flags

struct flag_facts {
    int inclusive, exclusive, from_behind, after, count[5], any, all, narrow;
};

template <int threads>
__global__ void flag_kernel(const int* numbers, flag_facts* out) {
    __shared__ typename block::binary_sums<threads>::memory memory;
    const block::binary_sums<threads> sums(memory);
    const auto at = blockIdx.x * threads + threadIdx.x;
    const int number = numbers[at];
    const bool flag = (number & 1) != 0;
    constexpr auto backward = direction::backward;
    const auto a = sums.inclusive(flag);
    __syncthreads();
    const auto b = sums.exclusive(flag);
    __syncthreads();
    const auto c = sums.template inclusive<backward>(flag);
    __syncthreads();
    const auto d = sums.template exclusive<backward>(flag);
    out[at] = {a.sum,
               b.sum,
               c.sum,
               d.sum,
               {a.count, b.count, c.count, d.count, block::count(flag)},
               block::any(flag) ? 1 : 0,
               block::all(flag) ? 1 : 0,
               block::narrow_sum<3>(static_cast<unsigned>(number))};
}

template <int threads>
void check_flags() {
    // For each block, how many of 8 flags are set. Some blocks have only one flag set, or all but
    // one.
    const int densities[] = {0, 8, 1, 4, 7};
    std::mt19937_64 random(threads);
    std::vector<int> numbers;
    std::vector<flag_facts> want;
    for (int b = 0; b < 9; ++b) {
        const std::size_t first = numbers.size();
        for (int i = 0; i < threads; ++i) {
            const auto bits = static_cast<int>(random() >> 40);
            const bool lonely = b == 5   ? i == 0
                                : b == 6 ? i == threads - 1
                                : b == 7 ? i != threads / 2
                                         : i == threads / 2;
            const bool flag = b < 5 ? (bits >> 3) % 8 < densities[b] : lonely;
            numbers.push_back((bits & 6) | (flag ? 1 : 0));
        }
        int count = 0, sum = 0;
        for (std::size_t i = first; i < numbers.size(); ++i) {
            count += numbers[i] & 1;
            sum += numbers[i];
        }
        int before = 0;
        for (std::size_t i = first; i < numbers.size(); ++i) {
            const int flag = numbers[i] & 1;
            want.push_back({before + flag,
                            before,
                            count - before,
                            count - before - flag,
                            {count, count, count, count, count},
                            count > 0 ? 1 : 0,
                            count == threads ? 1 : 0,
                            sum});
            before += flag;
        }
    }
    device_array<int> numbers_device(numbers);
    device_array<flag_facts> out(want.size());
    flag_kernel<threads><<<9, threads>>>(numbers_device.data(), out.data());
    check(cudaGetLastError(), "starting the sums");
    const auto members_of = [](const std::vector<flag_facts>& facts) {
        std::vector<int> all(facts.size() * (sizeof(flag_facts) / sizeof(int)));
        std::memcpy(all.data(), facts.data(), all.size() * sizeof(int));
        return all;
    };
    EXPECT_EQ(difference(members_of(want), members_of(out.get())), "")
        << "position = 12 thread + member of flag_facts; blocks of " << threads << " threads";
}
template <int... warps>
void check_flags_of_all_sizes(std::integer_sequence<int, warps...>) {
    (check_flags<32 * (warps + 1)>(), ...);
}

}  // namespace

TEST(BlockFlags, EveryNumberOfWarps) {
    check_flags_of_all_sizes(std::make_integer_sequence<int, 32>());
}

TEST(TileMoves, StripedAndBlocked) {
    check_moves<std::uint8_t, 64, 16>();
    check_moves<std::uint16_t, 96, 3>();
    check_moves<std::int32_t, 32, 1>();
    check_moves<std::int32_t, 256, 9>();
    check_moves<double, 128, 6>();
    check_moves<span_of, 64, 5>();
    check_moves<pair16, 1024, 2>();
}

}  // namespace lookback::test
