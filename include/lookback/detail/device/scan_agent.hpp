/// \file
/// What a block does with a tile of a scan (the other primitives have their own, of the same
/// shape): load it to a stage, reduce it, emit its results into the stage, store them.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// By `warps_` warps; `in_bulk`: both arrays lie on 16-byte boundaries.
template <class Problem, int warps, bool in_bulk>
class scan_agent : public one_value_agent<Problem, typename Problem::value_type, warps, true> {
    using base = one_value_agent<Problem, typename Problem::value_type, warps, true>;
    using base::problem_;
    using A = typename Problem::value_type;
    using In = typename staged_items<in_bulk, Problem, A>::In;
    using Out = typename staged_items<in_bulk, Problem, A>::Out;
    static constexpr bool backward = in_bulk && Problem::step < 0;
    using items_of_thread = chunk<A, In, backward>;

 public:
    using base::base;
    using base::threads;
    static constexpr int tile_items = threads * items_of_thread::items;
    static constexpr int stage_bytes = tile_items * static_cast<int>(sizeof(A));
    static constexpr bool loads_in_bulk = in_bulk;
    static constexpr bool stores_in_bulk = in_bulk;
    static constexpr bool emits = true;

    /// What a thread keeps from reduce to emit: the fold of the tile's items before its own.
    using memory = maybe<A>;

    /// Whether results may overwrite the items of other tiles.
    __device__ static constexpr bool in_place() { return false; }

    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded) const {
        const bulk_array<const In*, Problem::step, tile_items> from{problem_.in};
        from.load_rest(stage, first, items);
        loaded.expect(from.bytes_to_copy(items));
        from.start_load(stage, first, items, loaded);
        loaded.arrive();
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        load_each<by>(reinterpret_cast<A*>(stage), items, thread,
                      [&](int i) { return problem_.load(first + static_cast<std::uint64_t>(i)); });
    }

    /// All compute threads together; each calls `publish` with the tile's aggregate as soon as it
    /// is known, and its items have been read. `totals` and `barrier`: see place_warp.
    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t /*first*/, int items, memory& mine,
                           A* totals, const Barrier& barrier, const Publish& publish) const {
        items_of_thread chunk;
        A total{};
        if (items == tile_items) {
            chunk.load(chunk_of_mine(stage));
            total = chunk.template fold<true>(items_of_thread::items, problem_.op);
        } else if (const int left = left_at_mine(items); left > 0) {
            chunk.load(chunk_of_mine(stage));
            total = chunk.template fold<false>(left, problem_.op);
        }
        const auto at =
            place_chunk<warps, items_of_thread::items>(total, items, totals, problem_.op, barrier);
        publish(at.aggregate);
        mine = at.before;
    }

    __device__ void emit(unsigned char* stage, int items, const maybe<A>& prefix,
                         const memory& mine) const {
        const maybe<A> before = combine(prefix, mine, problem_.op);
        items_of_thread chunk;
        chunk.load(chunk_of_mine(stage));
        if (items == tile_items) {
            chunk.template scan<Problem::is_exclusive, true>(before, items_of_thread::items,
                                                             problem_.op);
        } else {
            chunk.template scan<Problem::is_exclusive, false>(before, left_at_mine(items),
                                                              problem_.op);
        }
        chunk.template store<Out>(chunk_of_mine(stage));
    }

    __device__ void start_store(unsigned char* stage, std::uint64_t first, int items) const {
        bulk_array<Out*, Problem::step, tile_items>{problem_.out}.store(stage, first, items);
    }
    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int items,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        store_each<by>(reinterpret_cast<const A*>(stage), items, thread,
                       [&](int i, const A& value) {
                           problem_.store(first + static_cast<std::uint64_t>(i), value);
                       });
    }

    /// One thread, where there is no tile at all.
    __device__ void emit_nothing() const {}

 private:
    // Items of the tile that are left at this thread's chunk: perhaps none, perhaps more than fit.
    __device__ static int left_at_mine(int items) {
        return items - thread_in_block() * items_of_thread::items;
    }
    __device__ static unsigned char* chunk_of_mine(unsigned char* stage) {
        const int mine = thread_in_block();
        return stage + (backward ? threads - 1 - mine : mine) * items_of_thread::bytes;
    }
};

}  // namespace lookback::detail::device
