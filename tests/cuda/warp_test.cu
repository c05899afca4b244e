// The pieces for a warp: both directions, every number of lanes, any operator; sums of flags.
#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/warp.hpp"
#include "support/pieces.hpp"

namespace lookback::test {
namespace {

constexpr int lanes_of_warp = 32;
constexpr int warps_of_block = 3;
constexpr int blocks = 64;
constexpr int all_warps = blocks * warps_of_block;
constexpr int all_items = all_warps * lanes_of_warp;

// Warp w has w % 32 + 1 values.
LOOKBACK_HD int lanes_of(int warp) { return warp % lanes_of_warp + 1; }

template <direction way, class T, class Op>
__global__ void scan_kernel(const T* in, T init, Op op, T* inclusive, T* exclusive, T* folds) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int lanes = lanes_of(at / lanes_of_warp);
    const T value = in[at];
    const T with = warp::inclusive_scan<way>(value, op, lanes);
    const T without = warp::exclusive_scan<way>(value, init, op, lanes);
    folds[at] = warp::reduce(value, op, lanes);
    if (at % lanes_of_warp < lanes) {
        inclusive[at] = with;
        exclusive[at] = without;
    }
}

template <direction way, class T, class Op>
void check_scans(const std::vector<T>& values, const T& init, Op op) {
    constexpr bool backward = way == direction::backward;
    std::vector<T> in(all_items, poisoned<T>());
    std::vector<T> inclusive = in, exclusive = in, folds = in;
    for (int w = 0; w < all_warps; ++w) {
        const auto first = static_cast<std::size_t>(w * lanes_of_warp);
        const auto lanes = static_cast<std::size_t>(lanes_of(w));
        const std::vector<T> mine(&values[first], &values[first] + lanes);
        const std::vector<T> ordered = backward ? std::vector<T>(mine.rbegin(), mine.rend()) : mine;
        const sequential_scan<T, Op> want(ordered, init, op);
        const sequential_scan<T, Op> forward(mine, init, op);
        for (std::size_t i = 0; i < lanes; ++i) {
            const std::size_t at = first + (backward ? lanes - 1 - i : i);
            in[first + i] = mine[i];
            inclusive[at] = want.inclusive[i];
            exclusive[at] = want.exclusive[i];
        }
        for (std::size_t i = 0; i < lanes_of_warp; ++i) folds[first + i] = forward.fold;
    }
    device_array<T> in_device(in), inclusive_device(all_items), exclusive_device(all_items),
        folds_device(all_items);
    device_array<unsigned> met(std::vector<unsigned>{0});
    scan_kernel<way><<<blocks, warps_of_block * lanes_of_warp>>>(
        in_device.data(), init, watchful<T, Op>{op, met.data()}, inclusive_device.data(),
        exclusive_device.data(), folds_device.data());
    check(cudaGetLastError(), "starting the scans");
    const char* order = backward ? "backward" : "forward";
    EXPECT_EQ(difference(inclusive, inclusive_device.get()), "") << "inclusive, " << order;
    EXPECT_EQ(difference(exclusive, exclusive_device.get()), "") << "exclusive, " << order;
    EXPECT_EQ(difference(folds, folds_device.get()), "") << "reduce";
    EXPECT_EQ(met.get()[0], 0U) << "the operator met what is no value, " << order;
}

template <class T, class Op>
void check_both_ways(const T& init, Op op) {
    const auto values = random_values<T>(all_items, 7);
    check_scans<direction::forward>(values, init, op);
    check_scans<direction::backward>(values, init, op);
}

// Sums of 8 flags of each lane: the results of every function.
struct flag_sums {
    int count, among, inclusive, exclusive, from_behind, after, segment_inclusive,
        segment_exclusive, segment_from_behind, segment_after, segment_count;
    int narrow, narrow_inclusive, narrow_from_behind, narrow_exclusive, narrow_after;
};

template <int bits>
__global__ void flag_kernel(const unsigned* flags, const unsigned* heads, const unsigned* numbers,
                            unsigned among, flag_sums* out) {
    // Blocks have any shape: lanes are counted row by row.
    const auto thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const auto at = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + thread;
    const auto w = at / lanes_of_warp;
    const bool flag = (flags[w] >> at % lanes_of_warp & 1U) != 0;
    const bool head = (heads[w] >> at % lanes_of_warp & 1U) != 0;
    const unsigned mine = warp::segment_lanes(warp::ballot(head));
    constexpr auto backward = direction::backward;
    out[at] = {warp::count(flag),
               warp::count(flag, among),
               warp::binary_inclusive_sum(flag),
               warp::binary_exclusive_sum(flag),
               warp::binary_inclusive_sum<backward>(flag),
               warp::binary_exclusive_sum<backward>(flag),
               warp::binary_inclusive_sum(flag, mine),
               warp::binary_exclusive_sum(flag, mine),
               warp::binary_inclusive_sum<backward>(flag, mine),
               warp::binary_exclusive_sum<backward>(flag, mine),
               warp::count(flag, mine),
               warp::narrow_sum<bits>(numbers[at]),
               warp::narrow_inclusive_sum<bits>(numbers[at]),
               warp::narrow_inclusive_sum<bits, backward>(numbers[at]),
               warp::narrow_exclusive_sum<bits>(numbers[at]),
               warp::narrow_exclusive_sum<bits, backward>(numbers[at])};
}

flag_sums sums_of(unsigned flags, unsigned heads, const unsigned* numbers, unsigned among,
                  int lane) {
    const auto is = [](unsigned word, int i) { return static_cast<int>(word >> i & 1U); };
    int first = lane, end = lane + 1;
    while (first > 0 && is(heads, first) == 0) --first;
    while (end < lanes_of_warp && is(heads, end) == 0) ++end;
    flag_sums s{};
    for (int i = 0; i < lanes_of_warp; ++i) {
        const int flag = is(flags, i);
        const int number = static_cast<int>(numbers[i]);
        const int in_segment = i >= first && i < end ? flag : 0;
        s.count += flag;
        s.among += is(among, i) * flag;
        s.segment_count += in_segment;
        s.narrow += number;
        if (i <= lane) s.inclusive += flag, s.segment_inclusive += in_segment;
        if (i < lane) s.exclusive += flag, s.segment_exclusive += in_segment;
        if (i >= lane) s.from_behind += flag, s.segment_from_behind += in_segment;
        if (i > lane) s.after += flag, s.segment_after += in_segment;
        if (i <= lane) s.narrow_inclusive += number;
        if (i >= lane) s.narrow_from_behind += number;
        if (i < lane) s.narrow_exclusive += number;
        if (i > lane) s.narrow_after += number;
    }
    return s;
}

// Words with edges of every kind, and random words.
std::vector<unsigned> words(std::uint64_t seed) {
    std::vector<unsigned> all = {0U,          0xffffffffU, 0x55555555U,
                                 0xaaaaaaaaU, 0xffff0000U, 0x0000ffffU};
    for (int i = 0; i < lanes_of_warp; ++i) {
        all.push_back(1U << i);
        all.push_back(~(1U << i));
        all.push_back((1U << i) - 1U);
    }
    std::mt19937_64 random(seed);
    while (all.size() % 8 != 0 || all.size() < 160) {
        all.push_back(static_cast<unsigned>(random() & random()));
        all.push_back(static_cast<unsigned>(random()));
    }
    return all;
}

template <int bits>
void check_flags(dim3 block) {
    const auto edges = words(1);
    const auto threads = static_cast<std::size_t>(block.x * block.y * block.z);
    // Each word of flags is paired with several words of heads.
    std::vector<unsigned> flags, heads;
    for (std::size_t shift = 0; shift < edges.size(); shift += 9) {
        for (std::size_t i = 0; i < edges.size(); ++i) {
            flags.push_back(edges[i]);
            heads.push_back(edges[(i + shift) % edges.size()]);
        }
    }
    while (flags.size() * lanes_of_warp % threads != 0) {
        flags.push_back(0x12345678U);
        heads.push_back(0x01020408U);
    }
    auto numbers = random_values<unsigned>(flags.size() * lanes_of_warp, 5);
    for (unsigned& number : numbers) number &= (1U << bits) - 1U;
    const unsigned among = 0x0ff0f00fU;
    std::vector<flag_sums> want;
    for (std::size_t w = 0; w < flags.size(); ++w) {
        for (int lane = 0; lane < lanes_of_warp; ++lane) {
            want.push_back(sums_of(flags[w], heads[w], &numbers[w * lanes_of_warp], among, lane));
        }
    }
    device_array<unsigned> flags_device(flags), heads_device(heads), numbers_device(numbers);
    device_array<flag_sums> out(want.size());
    flag_kernel<bits><<<static_cast<unsigned>(want.size() / threads), block>>>(
        flags_device.data(), heads_device.data(), numbers_device.data(), among, out.data());
    check(cudaGetLastError(), "starting the sums");
    // All sums as one array, with 16 numbers for each lane.
    const auto numbers_of = [](const std::vector<flag_sums>& sums) {
        std::vector<int> all(sums.size() * (sizeof(flag_sums) / sizeof(int)));
        std::memcpy(all.data(), sums.data(), all.size() * sizeof(int));
        return all;
    };
    EXPECT_EQ(difference(numbers_of(want), numbers_of(out.get())), "")
        << "position = 16 (32 warp + lane) + member of flag_sums; numbers of " << bits
        << " bits, blocks of " << block.x << " x " << block.y << " x " << block.z;
}

__global__ void masks_kernel(unsigned* out) {
    unsigned* const mine = out + 4 * threadIdx.x;
    mine[0] = warp::lane_mask_le();
    mine[1] = warp::lane_mask_lt();
    mine[2] = warp::lane_mask_ge();
    mine[3] = warp::lane_mask_gt();
}

}  // namespace

TEST(WarpScans, Sums) { check_both_ways<std::int32_t>(11, plus{}); }
TEST(WarpScans, Maxima) { check_both_ways<std::int64_t>(-5, maximum{}); }
TEST(WarpScans, AffineMaps) { check_both_ways<affine32>({3, 4}, affine{}); }
TEST(WarpScans, Matrices) { check_both_ways<matrix>({1, 2, 3, 7}, matrix_product{}); }

TEST(WarpScans, NarrowItems) {
    auto values = random_values<std::uint16_t>(all_items, 7);
    for (auto& value : values) value &= 0x3ff;  // so that no sum looks like the poison
    check_scans<direction::forward>(values, std::uint16_t{9}, plus{});
    check_scans<direction::backward>(values, std::uint16_t{9}, plus{});
}

// An operator on 24 bytes that does not commute; only neighbours may be joined.
TEST(WarpScans, Sequences) {
    std::vector<span_of> values(all_items);
    for (int i = 0; i < all_items; ++i) {
        const auto number = static_cast<std::uint64_t>(i % lanes_of_warp + 100);
        values[static_cast<std::size_t>(i)] = {1, number, number};
    }
    check_scans<direction::forward>(values, span_of{1, 99, 99}, join{});
}

TEST(WarpScans, FloatsHaveTheSameBitsInEveryRun) {
    const auto values = random_values<float>(all_items, 3);
    device_array<float> in(values), inclusive(all_items), exclusive(all_items), folds(all_items);
    std::vector<float> first[3];
    for (int run = 0; run < 100; ++run) {
        scan_kernel<direction::forward><<<blocks, warps_of_block * lanes_of_warp>>>(
            in.data(), 0.5F, plus{}, inclusive.data(), exclusive.data(), folds.data());
        check(cudaGetLastError(), "starting the scans");
        device_array<float>* const results[] = {&inclusive, &exclusive, &folds};
        for (int r = 0; r < 3; ++r) {
            const auto got = results[r]->get();
            if (run == 0) first[r] = got;
            ASSERT_EQ(difference(first[r], got), "") << "run " << run << ", result " << r;
            results[r]->fill_with_poison();
        }
    }
    // And they are the sums: of at most 32 numbers within 1, in any order.
    for (int w = 0; w < all_warps; ++w) {
        double sum = 0;
        for (int i = 0; i < lanes_of(w); ++i) {
            const auto at = static_cast<std::size_t>(w * lanes_of_warp + i);
            ASSERT_NEAR(first[1][at], sum + 0.5, 1e-5) << "exclusive, warp " << w << ", lane " << i;
            sum += values[at];
            ASSERT_NEAR(first[0][at], sum, 1e-5) << "inclusive, warp " << w << ", lane " << i;
        }
        ASSERT_NEAR(first[2][static_cast<std::size_t>(w * lanes_of_warp)], sum, 1e-5);
    }
}

TEST(WarpFlags, LaneMasks) {
    std::vector<unsigned> want;
    for (int i = 0; i < 64; ++i) {
        const unsigned mine = 1U << i % lanes_of_warp;
        for (const unsigned mask : {mine - 1U + mine, mine - 1U, ~(mine - 1U), ~(mine - 1U + mine)})
            want.push_back(mask);
    }
    device_array<unsigned> out(want.size());
    masks_kernel<<<1, 64>>>(out.data());
    check(cudaGetLastError(), "starting the masks");
    EXPECT_EQ(difference(want, out.get()), "") << "position = 4 lane + le, lt, ge, gt";
}

TEST(WarpFlags, SumsInEveryDirectionAndBySegments) {
    check_flags<1>(96);
    check_flags<2>(32);
    check_flags<3>(256);
    check_flags<4>(dim3(16, 4));
    check_flags<8>(dim3(4, 8, 3));
    check_flags<16>(1024);
}

}  // namespace lookback::test
