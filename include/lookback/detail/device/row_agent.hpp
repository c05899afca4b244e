/// \file
/// What a block does with a tile of a scan of rows, which lie one behind the other in an array. It
/// is the agent of plain scans (scan_agent.hpp): a tile may contain parts of several rows. Where a
/// row begins is computed, so no flag is stored or published: every fold goes back to the beginning
/// of its row, and no further.
///
/// - The fold of a thread's items, of a warp's or of a tile's covers the items since the last
///   beginning of a row among them.
/// - The look-back of a tile begins at the tile in which the row of its first item begins.
/// - Integers of 1 or 2 bytes are folded in words (packed_folds.hpp). At most one row may begin
///   among the items of a thread, so rows have at least as many items; shorter rows, and few items,
///   are folded in 32 bits.
///
/// The tree is that of tile_scan.hpp within each row, with batches of 32 tiles counted from the
/// tile in which the row begins. So the bits depend on the types and the extents only.
///
/// Cost: each item is read once, and each result is written once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/divisor.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/scan_agent.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// `Scan`: the scan of each row. Its count is that of all items, its initial value that of each
/// row.
template <class Scan>
struct row_problem : Scan {
    divisor length;  ///< items of a row
};

/// The warps of a block of the small driver.
inline constexpr int small_row_warps = 8;

/// The look-back of a warp whose tiles belong to different rows.
template <class LookBack>
struct row_look_back {
    LookBack tiles;
    std::uint32_t begin;  ///< the tile at which the last look-back began
};

template <class Problem, int warps, bool in_bulk>
class row_agent : public scan_agent<Problem, warps, in_bulk> {
    using base = scan_agent<Problem, warps, in_bulk>;
    using base::left_at_mine;
    using base::per_thread;
    using base::problem_;
    using A = typename Problem::value_type;
    using items_of_thread = typename base::items_of_thread;

 public:
    using base::base;
    using base::in_words;
    using base::tile_items;
    using typename base::packed;
    static constexpr bool loads_one_by_one = false;
    /// Rows that are folded in words have at least so many items: at most one begins in a thread.
    static constexpr std::uint64_t least_length = per_thread;

    /// What a thread keeps from reduce to emit. (Its first row is that of its first item.)
    struct memory {
        maybe<A> before;    ///< the fold of the first row's items in the tile before the thread's
        int head;           ///< the thread's first item that begins a row, or no_head
        bool after_prefix;  ///< the first row begins in an earlier tile
    };

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t first, int items, memory& mine,
                           A* totals, const Barrier& barrier, const Publish& publish) const {
        const int at = thread_in_block() * per_thread;
        const std::uint64_t column = column_of(first + static_cast<std::uint64_t>(at));
        const int behind = at_most(column, at);
        const int to_head = column == 0 ? 0 : at_most(problem_.length.value() - column, per_thread);
        mine.head = to_head < per_thread ? to_head : no_head;
        mine.after_prefix = column > static_cast<std::uint64_t>(at);
        const bool has_head = mine.head < left_at_mine(items);
        const A total = total_of_mine(stage, items, mine.head, has_head);

        // The lanes of the row's items before the thread's own.
        const int lanes_behind = has_head ? 0 : (behind + per_thread - 1) / per_thread;
        const int lanes = lanes_in_use(items - warp() % warps * items_of_warp, per_thread);
        const A inclusive = scan_behind<warp_lanes>(total, lane() < lanes ? lanes_behind : 0);
        const maybe<A> lanes_before = {from_lane_below(inclusive, 1),
                                       lane() > 0 && lane() < lanes && behind > 0};

        const int my_warp = warp() % warps;
        if (lane() == lanes - 1) totals[my_warp] = inclusive;
        barrier();
        const int warps_in_use = (items + items_of_warp - 1) / items_of_warp;
        const bool in_use = lane() < warps_in_use;
        const A of_warps = scan_behind<warps>(totals[in_use ? lane() : 0],
                                              in_use ? warps_behind(first, items) : 0);
        const maybe<A> warps_before = {from_lane(of_warps, my_warp > 0 ? my_warp - 1 : 0),
                                       behind > lane() * per_thread};
        publish(from_lane(of_warps, warps_in_use - 1));
        mine.before = combine(warps_before, lanes_before, problem_.op);
    }

    template <look_back_way way>
    __device__ row_look_back<typename base::template look_back_type<way>> start_look_back(
        const tile_statuses<A>& statuses, std::uint32_t epoch) const {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        return {{statuses, epoch, {A{}, false}, problem_.op}, none};
    }
    /// The fold of the items before `tile` in the row of its first item; lane 0 has it.
    template <class LookBack>
    __device__ maybe<A> before(LookBack& fold, std::uint32_t tile, unsigned char* /*stage*/,
                               std::uint32_t /*part*/) const {
        const std::uint64_t first = std::uint64_t{tile} * tile_items;
        const std::uint64_t column = column_of(first);
        if (column == 0) return {A{}, false};
        const auto begin = static_cast<std::uint32_t>((first - column) / tile_items);
        if (begin != fold.begin) {
            fold.tiles.begin_at(begin);
            fold.begin = begin;
        }
        return fold.tiles.before(tile);
    }

    __device__ void emit(unsigned char* stage, int items, const maybe<A>& prefix,
                         const memory& mine) const {
        const maybe<A> before =
            mine.head == 0 ? problem_.init.get()
                           : combine({prefix.value, mine.after_prefix}, mine.before, problem_.op);
        if constexpr (base::in_words) {
            base::scan_mine_in_words(stage, [&](std::uint32_t* word) {
                const A running = base::or_identity(before);
                // Where a row begins in no lane, fewer instructions do.
                if (ballot(mine.head < per_thread) != 0) {
                    scan_words<packed, A, Problem::is_exclusive, base::backward, base::words>(
                        word, running, mine.head, base::or_identity(problem_.init.get()));
                } else {
                    scan_words<packed, A, Problem::is_exclusive, base::backward, base::words>(
                        word, running);
                }
            });
        } else {
            base::scan_mine(stage, items, [&](auto& chunk, auto full, int left) {
                if (mine.head < left) {
                    scan_rows(chunk, mine.head, left, before);
                } else {
                    chunk.template scan<Problem::is_exclusive, full.value>(before, left,
                                                                           problem_.op);
                }
            });
        }
    }

 private:
    static constexpr int no_head = tile_items;  // no thread has as many items
    static constexpr int items_of_warp = warp_lanes * per_thread;

    __device__ std::uint64_t column_of(std::uint64_t item) const {
        return problem_.length.remainder(item);
    }
    __device__ static int at_most(std::uint64_t items, int most) {
        return items < static_cast<std::uint64_t>(most) ? static_cast<int>(items) : most;
    }

    // The number of warps before warp number lane() that have items of the row of that warp's last
    // item.
    __device__ int warps_behind(std::uint64_t first, int items) const {
        const int end = (lane() + 1) * items_of_warp;
        const int last = (end < items ? end : items) - 1;
        const int behind = at_most(column_of(first + static_cast<std::uint64_t>(last)), last);
        return lane() - (last - behind) / items_of_warp;
    }

    // Scan_lanes, in which each lane folds the values of the `behind` lanes before it and its own.
    template <int most>
    __device__ A scan_behind(A value, int behind) const {
#pragma unroll
        for (int distance = 1; distance < most; distance *= 2) {
            const A below = from_lane_below(value, distance);
            if (distance <= behind && distance <= lane()) value = apply(below, value);
        }
        return value;
    }

    __device__ A apply(const A& a, const A& b) const { return static_cast<A>(problem_.op(a, b)); }

    // The fold of the thread's items since the last beginning of a row among them.
    __device__ A total_of_mine(const unsigned char* stage, int items, int head,
                               bool has_head) const {
        if constexpr (base::in_words) {
            const A fold = base::fold_mine_in_words(stage, items, has_head ? head : 0);
            const maybe<A> start = problem_.init.get();
            return has_head && start.some ? apply(start.value, fold) : fold;
        } else {
            return base::fold_mine(stage, items, [&](const auto& chunk, auto full, int left) {
                if (has_head) return fold_rows(chunk, head, left);
                return chunk.template fold<full.value>(left, problem_.op);
            });
        }
    }

    // The fold of the items since the last of the beginnings of rows, head, head + length, ...
    __device__ A fold_rows(const items_of_thread& chunk, int head, int left) const {
        const maybe<A> start = problem_.init.get();
        const int length = at_most(problem_.length.value(), per_thread);
        A fold{};
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            if (i < left) {
                if (i == head) {
                    fold = start.some ? apply(start.value, chunk[i]) : chunk[i];
                    head += length;
                } else {
                    fold = i > 0 ? apply(fold, chunk[i]) : chunk[i];
                }
            }
        }
        return fold;
    }
    __device__ void scan_rows(items_of_thread& chunk, int head, int left,
                              const maybe<A>& before) const {
        const maybe<A> start = problem_.init.get();
        const int length = at_most(problem_.length.value(), per_thread);
        maybe<A> running = before;
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            if (i < left) {
                if (i == head) {
                    running = start;
                    head += length;
                }
                const A next = running.some ? apply(running.value, chunk[i]) : chunk[i];
                chunk[i] = Problem::is_exclusive ? running.value : next;
                running = {next, true};
            }
        }
    }
};

}  // namespace lookback::detail::device
