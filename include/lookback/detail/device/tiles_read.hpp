/// \file
/// Results over items: which tiles have been read, so that others may write there.
///
/// What a tile publishes tells others how much it writes; that its items have been read is news of
/// its own, with a word of its own: of `tiles` tiles, the status word of tile `tiles` + t says it
/// of tile t. So no fence stands before a publication, which all later tiles wait for (a fence
/// waits for every store of the multiprocessor). A thread that nobody waits for tells it, after a
/// fence; and only those look at it, with a fence behind their look, who write over these items:
/// the two fences order the reads before the writes (docs/model.md).
///
/// Cost: a word written for each tile, and read by each block that writes over items of tiles from
/// there on.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// Tells that `tile`, of `tiles`, has been read, by this thread or those it has waited for.
template <class A>
__device__ void tell_read(const tile_statuses<A>& statuses, std::uint32_t epoch, std::uint32_t tile,
                          std::uint32_t tiles) {
    fence();
    statuses.publish(std::uint64_t{tiles} + tile, epoch, A{});
}

/// How many tiles, from the first on, have been read, as far as a warp knows. All its threads call
/// it together.
template <class A>
class tiles_read {
    static constexpr int at_once = 8;
    // As many tiles more as are asked about, a look being due: so fences are rare.
    static constexpr std::uint32_t ahead = 4096;

 public:
    __device__ tiles_read(const tile_statuses<A>& statuses, std::uint32_t epoch,
                          std::uint32_t tiles)
        : statuses_(statuses), epoch_(epoch), tiles_(tiles) {}

    /// Waits until the first `wanted` tiles have been read. What this warp does next, and what
    /// those do who wait for it, comes after these reads.
    __device__ void wait_for(std::uint32_t wanted) {
        if (wanted <= ordered_) return;
        while (seen_ < wanted) look(wanted);
        fence();
        ordered_ = seen_;
    }
    /// Looks, without waiting, how many of the tiles before `tile` have been read beyond the first
    /// `wanted`, if a whole look is to be had.
    __device__ void look_ahead(std::uint32_t wanted, std::uint32_t tile) {
        constexpr std::uint32_t most = at_once * warp_lanes;
        if (seen_ < wanted + ahead && seen_ + most <= tile) look(tile);
    }

 private:
    __device__ void look(std::uint32_t end) {
        bool ready[at_once];
#pragma unroll
        for (int b = 0; b < at_once; ++b) {
            const std::uint32_t at = seen_ + static_cast<std::uint32_t>(b * warp_lanes + lane());
            ready[b] = at >= end || statuses_.is_there(std::uint64_t{tiles_} + at, epoch_);
        }
#pragma unroll
        for (int b = 0; b < at_once; ++b) {
            const unsigned late = ballot(!ready[b]);
            const std::uint32_t left = end - seen_;
            const auto more = static_cast<std::uint32_t>(late != 0 ? lowest_bit(late) : warp_lanes);
            seen_ += more < left ? more : left;
            if (late != 0) return;
        }
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    std::uint32_t tiles_;
    std::uint32_t seen_ = 0;
    std::uint32_t ordered_ = 0;  // of those seen: a fence has followed
};

}  // namespace lookback::detail::device
