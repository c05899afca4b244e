/// \file
/// Prefix sums and counts of flags, for kernels of yours: of a warp, and of a block.
///
///     const int place = lookback::warp::binary_exclusive_sum(wanted);   // wanted lanes before
///     const int all = lookback::warp::count(wanted);
///
/// A ballot gives each lane the flags of its whole warp as the bits of one word; the sum before a
/// lane is the number of bits below its own. Four masks make the four directions: the lanes at or
/// below this one (le) and those below it (lt) for inclusive and exclusive sums forward, those at
/// or above it (ge) and above it (gt) for sums backward. A second mask makes segments. (Harris and
/// Garland, *Optimizing Parallel Prefix Operations for the Fermi Architecture*, GPU Computing Gems
/// Jade Edition, chapter 3, sections 3.2.2.1 to 3.2.2.3.)
///
/// All threads of a warp, or of a block of whole warps, call together; a thread without an item
/// calls with `false`. Warps may be part of blocks of any shape, blocks are one-dimensional.
///
/// Cost of a warp's sum: a ballot, a mask, a count of bits, where a scan of 32-bit sums takes five
/// shuffles and five additions. No shared memory.
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

/// In how many lanes `flag` holds, of those in `among`.
__device__ inline int count(bool flag, unsigned among = every_lane) {
    return static_cast<int>(detail::device::count_bits(ballot(flag) & among));
}

/// In how many lanes up to this one, with it, `flag` holds; backward, from this one on. Of those in
/// `among` only.
template <direction way = direction::forward>
__device__ int binary_inclusive_sum(bool flag, unsigned among = every_lane) {
    return count(flag, among & (way == direction::forward ? lane_mask_le() : lane_mask_ge()));
}

/// The same without this lane.
template <direction way = direction::forward>
__device__ int binary_exclusive_sum(bool flag, unsigned among = every_lane) {
    return count(flag, among & (way == direction::forward ? lane_mask_lt() : lane_mask_gt()));
}

/// The lanes of this lane's segment, for `among`, where a segment begins at each lane that has its
/// bit in `heads` (a ballot of flags, say) and at lane 0. It ends before the next head, whichever
/// way sums run.
__device__ inline unsigned segment_lanes(unsigned heads) {
    const int first = detail::device::highest_bit((heads & lane_mask_le()) | 1U);
    const unsigned later = heads & lane_mask_gt();
    return every_lane << first & ((later & (0U - later)) - 1U);  // no later head: all bits
}

/// Sums of numbers below 2^bits, one bit of all lanes at a time: as fast as `inclusive_scan` with 2
/// bits on an H200 (the text has about 4, on a GTX 480), slower with more; but without shuffles.
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

/// In how many threads of the block `flag` holds; whether in any, in all. Each is one barrier for
/// the whole block, of any shape, that counts as well: no shared memory.
__device__ inline int count(bool flag) { return detail::device::sync_block_count(flag); }
__device__ inline bool any(bool flag) { return detail::device::sync_block_or(flag); }
__device__ inline bool all(bool flag) { return detail::device::sync_block_and(flag); }

/// The sum of numbers below 2^bits, one barrier for each bit.
template <int bits>
__device__ int narrow_sum(unsigned number) {
    static_assert(bits >= 1 && bits <= 21, "sums of 1024 numbers have to fit in an int");
    int sum = 0;
#pragma unroll
    for (int bit = 0; bit < bits; ++bit) sum += count((number >> bit & 1U) != 0) << bit;
    return sum;
}

/// A sum of flags, and how many of the whole block hold.
struct binary_sum {
    int sum;
    int count;
};

/// Prefix sums of the flags of a block of `threads` threads. The counts of its warps are a byte
/// each, at most 32 of them: every thread reads them all as a few vectors of 16 bytes and adds up
/// those of the warps before its own, four by one instruction. One barrier. Shared memory: 16 bytes
/// for each 16 warps; between two uses of it by the whole block stands a __syncthreads().
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

    /// In how many threads up to this one, with it, `flag` holds; backward, from this one on.
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

    // A one in each of the first `count` of four bytes.
    __device__ static constexpr unsigned ones(int count) {
        return count <= 0 ? 0U : 0x01010101U >> (count < 4 ? 32 - 8 * count : 0);
    }

    memory& shared_;
};

}  // namespace block
}  // namespace lookback
