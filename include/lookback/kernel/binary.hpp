/// \file
/// Prefix sums and counts of flags, for use in your own kernels: of a warp, and of a block.
///
///     const int place = lookback::warp::binary_exclusive_sum(wanted);   // wanted lanes before
///     const int all = lookback::warp::count(wanted);
///
/// A ballot gives each lane the flags of its whole warp as the bits of one word. The sum before a
/// lane is the number of set bits below its own bit. Four masks select the bits. Forward sums use
/// the lanes at or below this one (le, inclusive) or below it (lt, exclusive); backward sums use
/// the lanes at or above it (ge, inclusive) or above it (gt, exclusive). One more mask restricts a
/// sum to a segment. (Harris and Garland, *Optimizing Parallel Prefix Operations for the Fermi
/// Architecture*, GPU Computing Gems Jade Edition, chapter 3, sections 3.2.2.1 to 3.2.2.3.)
///
/// All threads of a warp, or of a block of whole warps, call together. A thread without an item
/// passes `false`. For warp functions the block may have any shape; for block functions it is
/// one-dimensional.
///
/// Cost of a warp's sum: one ballot, one mask and one bit count. (A scan of 32-bit sums takes five
/// shuffles and five additions.) No shared memory.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/kernel/warp.hpp"

namespace lookback {
namespace warp {

using detail::device::ballot;
using detail::device::lane_mask_ge;
using detail::device::lane_mask_gt;
using detail::device::lane_mask_le;
using detail::device::lane_mask_lt;

inline constexpr unsigned every_lane = detail::device::all_lanes;

/// The number of lanes in `among` whose `flag` is true.
__device__ inline int count(bool flag, unsigned among = every_lane) {
    return static_cast<int>(detail::device::count_bits(ballot(flag) & among));
}

/// The number of lanes in `among`, up to and including this one, whose `flag` is true; backward,
/// from this lane on.
template <direction way = direction::forward>
__device__ int binary_inclusive_sum(bool flag, unsigned among = every_lane) {
    return count(flag, among & (way == direction::forward ? lane_mask_le() : lane_mask_ge()));
}

/// The same without this lane.
template <direction way = direction::forward>
__device__ int binary_exclusive_sum(bool flag, unsigned among = every_lane) {
    return count(flag, among & (way == direction::forward ? lane_mask_lt() : lane_mask_gt()));
}

/// The lanes of this lane's segment, as a mask for `among`. A segment begins at lane 0 and at each
/// lane whose bit is set in `heads` (for example a ballot of flags), and ends before the next such
/// lane, for sums in either direction.
__device__ inline unsigned segment_lanes(unsigned heads) {
    const int first = detail::device::highest_bit((heads & lane_mask_le()) | 1U);
    const unsigned later = heads & lane_mask_gt();
    return every_lane << first & ((later & (0U - later)) - 1U);  // no later head: all bits
}

/// Sums of numbers below 2^bits, computed one bit at a time for all lanes, without shuffles. On an
/// H200 this is as fast as `inclusive_scan` for 2 bits and slower for more. (The source has about 4
/// bits, on a GTX 480.)
template <int bits>
__device__ int narrow_sum(unsigned number, unsigned among = every_lane) {
    static_assert(bits >= 1 && bits <= 26, "sums of 32 numbers have to fit in an int");
    int sum = 0;
#pragma unroll
    for (int bit = 0; bit < bits; ++bit) sum += count((number >> bit & 1U) != 0, among) << bit;
    return sum;
}
template <int bits, direction way = direction::forward>
__device__ int narrow_inclusive_sum(unsigned number, unsigned among = every_lane) {
    return narrow_sum<bits>(number,
                            among & (way == direction::forward ? lane_mask_le() : lane_mask_ge()));
}
template <int bits, direction way = direction::forward>
__device__ int narrow_exclusive_sum(unsigned number, unsigned among = every_lane) {
    return narrow_sum<bits>(number,
                            among & (way == direction::forward ? lane_mask_lt() : lane_mask_gt()));
}

}  // namespace warp

namespace block {

/// The number of threads of the block whose `flag` is true; whether there is any; whether all are.
/// Each function is one barrier of the whole block, of any shape, which also counts: no shared
/// memory.
__device__ inline int count(bool flag) { return detail::device::sync_block_count(flag); }
__device__ inline bool any(bool flag) { return detail::device::sync_block_or(flag); }
__device__ inline bool all(bool flag) { return detail::device::sync_block_and(flag); }

/// The sum of numbers below 2^bits, with one barrier for each bit.
template <int bits>
__device__ int narrow_sum(unsigned number) {
    static_assert(bits >= 1 && bits <= 21, "sums of 1024 numbers have to fit in an int");
    int sum = 0;
#pragma unroll
    for (int bit = 0; bit < bits; ++bit) sum += count((number >> bit & 1U) != 0) << bit;
    return sum;
}

/// A thread's prefix sum of flags, and the number of set flags in the whole block.
struct binary_sum {
    int sum;
    int count;
};

/// Prefix sums of the flags of a block of `threads` threads. Each of its at most 32 warps writes
/// its count to one byte. Every thread reads all these bytes, as a few vectors of 16 bytes, and
/// adds up the counts of the warps before its own, four by one instruction. One barrier. Shared
/// memory: 16 bytes for each 16 warps. Between two uses of this memory the whole block must call
/// __syncthreads().
template <int threads>
class binary_sums {
    static_assert(threads % detail::device::warp_lanes == 0 && threads >= 32 && threads <= 1024,
                  "a block has 32 to 1024 threads, in whole warps");
    static constexpr int warps = threads / detail::device::warp_lanes;
    static constexpr int vectors = (warps + 15) / 16;

 public:
    struct alignas(16) memory {
        unsigned char of_warp[vectors * 16];
    };

    __device__ explicit binary_sums(memory& shared) : shared_(shared) {}

    /// The number of threads, up to and including this one, whose `flag` is true; backward, from
    /// this thread on.
    template <direction way = direction::forward>
    __device__ binary_sum inclusive(bool flag) const {
        const binary_sum forward = inclusive_forward(flag);
        if constexpr (way == direction::forward) return forward;
        return {forward.count - forward.sum + (flag ? 1 : 0), forward.count};
    }

    /// The same without this thread.
    template <direction way = direction::forward>
    __device__ binary_sum exclusive(bool flag) const {
        const binary_sum with = inclusive<way>(flag);
        return {with.sum - (flag ? 1 : 0), with.count};
    }

 private:
    __device__ binary_sum inclusive_forward(bool flag) const {
        using namespace detail::device;
        const int mine = warp::binary_inclusive_sum(flag);
        if (lane() == warp_lanes - 1) {
            shared_.of_warp[detail::device::warp()] = static_cast<unsigned char>(mine);
        }
        sync_block();
        unsigned before = 0, all = 0;
#pragma unroll
        for (int v = 0; v < vectors; ++v) {
            const auto vector = load_vector16<unsigned>(shared_.of_warp + 16 * v);
#pragma unroll
            for (int w = 0; w < 4 && 16 * v + 4 * w < warps; ++w) {
                const int first = 16 * v + 4 * w;
                before = dot4(vector.item[w], ones(detail::device::warp() - first), before);
                all = dot4(vector.item[w], ones(warps - first), all);
            }
        }
        return {static_cast<int>(before) + mine, static_cast<int>(all)};
    }

    // A 1 in each of the first `count` of four bytes.
    __device__ static constexpr unsigned ones(int count) {
        return count <= 0 ? 0U : 0x01010101U >> (count < 4 ? 32 - 8 * count : 0);
    }

    memory& shared_;
};

}  // namespace block
}  // namespace lookback
