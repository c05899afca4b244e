/// \file
/// How a tile learns the fold of all tiles before it, in four versions, from waiting for one tile
/// to looking at 32 at a time (M. Willén and M. Broløs, "Single Pass Scan", PMPH project report,
/// sections 3.2 to 3.4; Merrill & Garland 2016, sections 3.2, 4.1, 4.4).
///
/// The first warp of a block calls `find`, for a tile > 0; lane 0 gets the fold. The fold grows to
/// the left as the walk goes back: op(tile, what has been folded). So operators need not commute.
/// Tile 0 publishes P alone, so every walk ends there at the latest.
#pragma once

#include "prefix.cuh"
#include "tile_states.cuh"

namespace lookback::strategies {

/// Version 0, chained scan: waits for the prefix of the tile before. So prefixes travel from block
/// to block, one at a time.
struct chained {
    static constexpr bool publishes_aggregates = false;
    template <class T>
    struct storage {};

    template <class T, class Op>
    static __device__ T find(const tile_states<T>& tiles, std::uint64_t tile, storage<T>&,
                             const Op&) {
        T fold{};
        if (detail::device::lane() == 0) fold = tiles.wait_for_prefix(tile - 1);
        return fold;
    }
};

/// Version 1: one thread walks back over aggregates to the nearest prefix.
struct one_thread {
    static constexpr bool publishes_aggregates = true;
    template <class T>
    struct storage {};

    template <class T, class Op>
    static __device__ T find(const tile_states<T>& tiles, std::uint64_t tile, storage<T>&,
                             const Op& op) {
        T fold{};
        if (detail::device::lane() == 0) {
            tile_report<T> seen = tiles.wait(--tile);
            fold = seen.fold;
            while (seen.state != tile_state::P) {
                seen = tiles.wait(--tile);
                fold = op(seen.fold, fold);
            }
        }
        return fold;
    }
};

/// What lane l's tile reports, of the 32 tiles before `end`. Lanes whose tile would lie before tile
/// 0 report X; the fold ends at a P before it reaches them.
template <class T>
__device__ tile_report<T> wait_in_window(const tile_states<T>& tiles, std::uint64_t end) {
    using namespace detail::device;
    const auto place = static_cast<std::uint64_t>(lane());
    if (end + place < warp_lanes) return {};
    return tiles.wait(end + place - warp_lanes);
}

/// Version 2: a warp copies what 32 tiles report to shared memory, and one thread folds the copy.
struct warp_copies {
    static constexpr bool publishes_aggregates = true;
    template <class T>
    struct storage {
        tile_report<T> seen[detail::device::warp_lanes];
    };

    template <class T, class Op>
    static __device__ T find(const tile_states<T>& tiles, std::uint64_t tile, storage<T>& s,
                             const Op& op) {
        using namespace detail::device;
        prefix<T> fold{};
        for (std::uint64_t end = tile;; end -= warp_lanes) {
            s.seen[lane()] = wait_in_window(tiles, end);
            sync_warp();  // the copy is complete before lane 0 reads it
            bool is_done = false;
            if (lane() == 0) {
                for (int l = warp_lanes - 1; l >= 0 && !is_done; --l) {
                    const tile_report<T>& seen = s.seen[l];
                    fold = {true,
                            fold.exists ? static_cast<T>(op(seen.fold, fold.value)) : seen.fold};
                    is_done = seen.state == tile_state::P;
                }
            }
            if (from_lane(is_done, 0)) return fold.value;
            sync_warp();  // lane 0 has read the copy before the next one overwrites it
        }
    }
};

/// Version 3: a warp scans what 32 tiles report.
///
/// The report's version 3 failed from 500 million items on, by a race that its authors could not
/// find. It relies on lanes that exchange flags and values in shared memory without a barrier, as
/// they "execute in lock step". They do not. Each lane polls its own tile, so lanes leave that loop
/// at different times, and since Volta nothing brings them together again. Then
///   - a lane may read its neighbour's flag and value as they were before a step, or after it, or
///     one of each, because the neighbour writes them while it reads;
///   - all lanes read the last flag to learn whether to go on, while a lane that has done so may
///     have copied the next window over it. Then some lanes go on and others stop.
/// The more tiles there are, the more often this happens; hence the large arrays. And the fold was
/// op(fold, tile), which is right only for operators that commute.
///
/// Here lanes exchange registers by shuffles. All lanes take part in a shuffle, so they meet there,
/// and a value cannot change while another lane reads it. All lanes decide by the value that one
/// lane holds.
struct warp_scans {
    static constexpr bool publishes_aggregates = true;
    template <class T>
    struct storage {};

    template <class T, class Op>
    static __device__ T find(const tile_states<T>& tiles, std::uint64_t tile, storage<T>&,
                             const Op& op) {
        using namespace detail::device;
        prefix<T> fold{};
        for (std::uint64_t end = tile;; end -= warp_lanes) {
            tile_report<T> mine = wait_in_window(tiles, end);
            // A fold that has reached a P takes nothing from further back ("segmented reduction").
#pragma unroll
            for (int distance = 1; distance < warp_lanes; distance *= 2) {
                const tile_report<T> before = from_lane_below(mine, distance);
                if (lane() >= distance && mine.state == tile_state::A) {
                    mine = {before.state, static_cast<T>(op(before.fold, mine.fold))};
                }
            }
            const tile_report<T> window = from_lane(mine, warp_lanes - 1);
            fold = {true, fold.exists ? static_cast<T>(op(window.fold, fold.value)) : window.fold};
            if (window.state == tile_state::P) return fold.value;
        }
    }
};

}  // namespace lookback::strategies
