/// \file
/// The driver for small arrays: one tile per block, held in registers, with as few round trips to
/// memory as possible.
///
/// Tile t is the tile of block t, so loads start at once, without a ticket. Nothing is assumed
/// about the order in which blocks start. A block that waits long for a tile computes that tile's
/// aggregate itself and publishes it ("decoupled fallback", Smith, Levien & Owens 2025). The bits
/// are the same whichever block publishes. Results may overwrite items that a helping block is
/// reading. But a tile's owner publishes before it writes; a fence orders the two. And a helper,
/// which goes row by row, looks at the tile's status again after it has read a row and before it
/// applies the operator to it.
///
/// The tree: a warp's items lie in rows of 32 vectors of 16 bytes, one vector a lane. Items of a
/// vector are folded from left to right, vectors of a row by Kogge-Stone, rows from left to right,
/// warps by Kogge-Stone, batches of 32 tiles by neighbours, and the batches by neighbours again.
///
/// Cost: each item is read and written once; each block also executes one atomic operation, beside
/// its loads.
#pragma once

#include <concepts>
#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/warp_items.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What the light driver asks of a problem.
template <class P>
concept light_problem =
    tiled_problem<P> && requires(const P& problem, std::uint64_t i, typename P::value_type value) {
        // Item i, as an accumulator; and where its result goes.
        { problem.load(i) } -> std::same_as<typename P::value_type>;
        problem.store(i, value);
        // The distance from each item to the next one in its array, and from result to result.
        requires P::step == 1 || P::step == -1;
        // Whether result i is the fold of the items before item i, without it.
        requires P::is_exclusive || !P::is_exclusive;
        // The value before the first item, if there is one.
        { problem.init.get() } -> std::same_as<maybe<typename P::value_type>>;
        // Whether results may overwrite items.
        { problem.in_place } -> std::convertible_to<bool>;
    };

/// What a block of the light driver does.
template <class Problem, int warps, int rows>
class light_block {
    using A = typename Problem::value_type;
    using share = warp_items<Problem, warps, rows>;
    static constexpr long long patience = 50'000;  // cycles

 public:
    static constexpr int tile_items = warps * share::items;
    static constexpr std::uint32_t none = 0xffffffffU;

    struct shared_state {
        std::uint32_t epoch;
        std::uint32_t missing;  // a tile for which this block has waited long
        alignas(16) unsigned char totals[warps * sizeof(A)];        // of this tile's warps
        alignas(16) unsigned char batches[warp_lanes * sizeof(A)];  // of 32 earlier tiles each
    };

    __device__ light_block(const Problem& problem, const tile_statuses<A>& statuses,
                           std::uint64_t items, shared_state& shared)
        : problem_(problem), statuses_(statuses), items_(items), shared_(shared) {}

    /// 2. Loads and reduces a tile, and returns its aggregate.
    __device__ A reduce(std::uint32_t tile) {
        const place_of_share at = share_of(tile);
        first_ = at.first;
        left_ = at.left;
        const auto place = place_share(mine_.load_and_scan(problem_, first_, left_), at.items);
        before_ = place.before;
        return place.aggregate;
    }

    /// 3. Publishes the tile, 4. looks back, and returns the fold of all earlier tiles.
    __device__ maybe<A> look_back(std::uint32_t tile, const A& aggregate) {
        if (thread_in_block() == 0) {
            statuses_.publish(tile, shared_.epoch, aggregate);
            // In place, other blocks see the aggregate before any result: results are written after
            // the barrier below.
            if (problem_.in_place) fence();
        }
        const int batches = static_cast<int>((tile + warp_lanes - 1) / warp_lanes);
        for (;;) {
            for (int b = warp(); b < batches; b += warps) {
                fold_batch(b, static_cast<int>(tile) - b * warp_lanes);
            }
            sync_block();
            const std::uint32_t missing = shared_.missing;
            if (missing == none) break;
            help(missing);
        }
        const A* const of_batches = reinterpret_cast<A*>(shared_.batches);
        if (batches <= 1) return {of_batches[0], batches == 1};
        const A of_batch = of_batches[lane() < batches ? lane() : 0];
        const A fold = fold_lanes(of_batch, static_cast<std::uint32_t>(batches), problem_.op);
        return {from_lane(fold, 0), true};
    }

    /// 5. Writes the results of the tile that was reduced last.
    __device__ void emit(const maybe<A>& prefix) {
        mine_.emit(problem_, first_, left_, combine(prefix, before_, problem_.op));
    }

 private:
    struct place_of_share {
        std::uint64_t first;  // the first item of this warp's share of a tile
        int left;             // items from there to the tile's end
        int items;            // items of the tile
    };
    __device__ place_of_share share_of(std::uint32_t tile) const {
        const std::uint64_t first = std::uint64_t{tile} * tile_items;
        const std::uint64_t left = items_ - first;
        const int items = left < tile_items ? static_cast<int>(left) : tile_items;
        const int before = warp() * share::items;
        return {first + static_cast<std::uint64_t>(before), items - before, items};
    }

    // The place of a warp's share in a tile of `items` items, given the fold of the share.
    __device__ place_in_tile<A> place_share(const maybe<A>& fold, int items) const {
        return place_warp<warps>(fold.value, 0, (items + share::items - 1) / share::items,
                                 reinterpret_cast<A*>(shared_.totals), problem_.op,
                                 [] { sync_block(); });
    }

    __device__ void fold_batch(int batch, int tiles) {
        const auto first = static_cast<std::uint32_t>(batch * warp_lanes);
        A aggregate{};
        bool ready = lane() >= tiles;
        const long long begin = cycles();
        for (;;) {
            if (!ready) ready = statuses_.read(first + lane(), shared_.epoch, aggregate);
            if (in_all_lanes(ready)) break;
            if (in_all_lanes(ready || cycles() - begin < patience)) continue;
            const int late = first_lane_where(!ready);
            if (lane() == 0) {
                set_to_lowest(&shared_.missing, first + static_cast<std::uint32_t>(late));
            }
            return;
        }
        const A fold = fold_lanes(aggregate, static_cast<std::uint32_t>(tiles), problem_.op);
        if (lane() == 0) reinterpret_cast<A*>(shared_.batches)[batch] = fold;
    }

    // Publishes for a tile whose block has not reached it. If that block has reached the tile
    // meanwhile, the row that was read here may contain results, or halves of them. In that case
    // the block has already published, and the operator is not applied to the row. (This rarely
    // runs, so its code is kept short, and does not disturb the registers that hold this block's
    // own items.)
    __device__ void help(std::uint32_t late) {
        const place_of_share at = share_of(late);
        maybe<A> fold{{}, false};
        bool done = false;
#pragma unroll 1
        for (int r = 0; r < share::rows && !done; ++r) {
            typename share::row row;
            {
                const racing_reads dropped_if_published;
                row.load(problem_, at.first, at.left, r);
            }
            sync_block();
            if (thread_in_block() == 0) {
                fence();  // the row was read before the tile's status is read again
                A published;
                done = statuses_.read(late, shared_.epoch, published);
            }
            done = sync_block_or(done);
            if (!done) fold = combine(fold, row.fold(problem_, at.left, r), problem_.op);
        }
        if (!done) {
            const A aggregate = place_share(fold, at.items).aggregate;
            if (thread_in_block() == 0) statuses_.publish(late, shared_.epoch, aggregate);
        }
        if (thread_in_block() == 0) shared_.missing = none;
        sync_block();
    }

    const Problem& problem_;
    tile_statuses<A> statuses_;
    std::uint64_t items_;
    shared_state& shared_;
    share mine_;
    std::uint64_t first_ = 0;
    int left_ = 0;
    maybe<A> before_{};
};

/// `many`: there is more than one tile, and at most 1024. Otherwise there is no tile to look back
/// to.
template <light_problem Problem, int warps, int rows, bool many>
__global__ __launch_bounds__(warps* warp_lanes, 1) void light_kernel(
    const __grid_constant__ Problem problem, workspace_view<typename Problem::value_type> workspace,
    bool last_block_first) {
    using A = typename Problem::value_type;
    using block_type = light_block<Problem, warps, rows>;
    auto& shared = shared_memory<typename block_type::shared_state>();
    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    block_type block(problem, workspace.statuses(), items, shared);

    if constexpr (!many) {
        if (items == 0) return;
        block.reduce(0);
        block.emit(problem.init.get());
    } else {
        // 1. The tile has the block's number: no ticket is needed.
        if (thread_in_block() == 0) {
            workspace.enter();
            shared.epoch = read_epoch(workspace.counter);
            shared.missing = block_type::none;
        }
        const std::uint32_t tile =
            last_block_first ? blocks_in_grid() - 1 - block_in_grid() : block_in_grid();
        if (std::uint64_t{tile} * block_type::tile_items < items) {
            const A aggregate = block.reduce(tile);
            const maybe<A> before = block.look_back(tile, aggregate);
            block.emit(combine(problem.init.get(), before, problem.op));
        } else {
            sync_block();
        }
        if (warp() == 0) workspace.finish(shared.epoch);
        if (thread_in_block() == 0) workspace.leave();
    }
}

}  // namespace lookback::detail::device
