/// \file
/// What a block does with a tile of a scan: it loads the tile into a stage, reduces it, emits its
/// results into the stage, and stores them. (The other primitives have agents of the same shape.)
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/packed_folds.hpp"
#include "lookback/detail/device/row_items.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/detail/device/skewed_row.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

/// With `warps` warps. `in_bulk`: the stage holds items, and then results, as they lie in their
/// arrays, and bulk copies move them, or threads by vectors. Otherwise the stage holds
/// accumulators, and threads move them one by one.
template <class Problem, int warps, bool in_bulk>
class scan_agent : public one_value_agent<Problem, typename Problem::value_type, warps> {
    using base = one_value_agent<Problem, typename Problem::value_type, warps>;

 protected:
    using base::problem_;

 private:
    using A = typename Problem::value_type;
    using In = typename staged_items<in_bulk, Problem, A>::In;
    using Out = typename staged_items<in_bulk, Problem, A>::Out;

 protected:
    static constexpr bool backward = in_bulk && Problem::step < 0;
    using items_of_thread = chunk<A, A, backward, chunk_items<Problem::staged_size>>;
    static constexpr int per_thread = items_of_thread::items;

 public:
    using base::base;
    using base::threads;
    static constexpr int tile_items = threads * per_thread;
    using in_row = skewed_row<const In, Problem::step, tile_items>;
    using out_row = skewed_row<Out, Problem::step, tile_items>;
    static constexpr int stage_bytes = [] {
        if constexpr (!in_bulk) return tile_items * static_cast<int>(sizeof(A));
        return in_row::stage_bytes < out_row::stage_bytes ? out_row::stage_bytes
                                                          : in_row::stage_bytes;
    }();
    static constexpr bool loads_in_bulk = in_bulk;
    static constexpr bool stores_in_bulk = in_bulk;
    // Where items or results do not fill the stage, a tile has few bytes to wait for.
    static constexpr bool loads_one_by_one =
        in_bulk && sizeof(In) == Problem::staged_size && sizeof(Out) == Problem::staged_size;
    // Where a block has more than about four tiles, other work hides look-backs, and more reads
    // would slow that work down.
    static constexpr std::uint32_t few_tiles = 512;
    static constexpr look_back_way way_of_many_tiles = {8, rereading::of_a_batch};
    static constexpr bool emits = true;
    // If a thread has more accumulators, the registers do not suffice for two blocks.
    static constexpr int registers = per_thread * static_cast<int>((sizeof(A) + 3) / 4);
    static constexpr int staged_blocks = registers <= 20 ? 2 : 1;

    /// What a thread keeps from reduce to emit: the fold of the tile's items before its own items.
    using memory = maybe<A>;

    template <class Wait>
    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded, const Wait& wait_for_room) const {
        const std::uint64_t behind = problem_.count.get() - first - static_cast<unsigned>(items);
        in_row(problem_.in).start_load(stage, first, items, behind, loaded, wait_for_room);
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        if constexpr (in_bulk) {
            in_row(problem_.in).template load<by>(stage, first, items, thread);
        } else {
            load_each<by>(reinterpret_cast<A*>(stage), items, thread, [&](int i) {
                return problem_.load(first + static_cast<std::uint64_t>(i));
            });
        }
    }

    /// `totals` and `barrier`: see place_warp.
    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t /*first*/, int items, memory& mine,
                           A* totals, const Barrier& barrier, const Publish& publish) const {
        const A total = total_of_mine(stage, items);
        const auto at = place_chunk<warps, per_thread>(total, items, totals, problem_.op, barrier);
        publish(at.aggregate);
        mine = at.before;
    }

    __device__ void emit(unsigned char* stage, int items, const maybe<A>& prefix,
                         const memory& mine) const {
        const maybe<A> before = combine(prefix, mine, problem_.op);
        results_of_mine(stage, items, before);
    }

    template <class Wait>
    __device__ void start_store(unsigned char* stage, std::uint64_t first, int items,
                                const Wait& wait_for_results) const {
        out_row(problem_.out).start_store(stage, first, items, wait_for_results);
    }
    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int items,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        if constexpr (in_bulk) {
            out_row(problem_.out).template store<by>(stage, first, items, thread);
        } else {
            store_each<by>(reinterpret_cast<const A*>(stage), items, thread,
                           [&](int i, const A& value) {
                               problem_.store(first + static_cast<std::uint64_t>(i), value);
                           });
        }
    }

    __device__ void emit_nothing() const {}

 protected:
    // The number of the tile's items from this thread's chunk on: it may be negative, or larger
    // than a chunk.
    __device__ static int left_at_mine(int items) { return items - thread_in_block() * per_thread; }
    // The byte at which this thread's chunk begins, in a row without a skew.
    template <class T>
    __device__ static int place_of_mine() {
        const int mine = thread_in_block();
        return (backward ? threads - 1 - mine : mine) * per_thread * static_cast<int>(sizeof(T));
    }
    __device__ int skew_in() const {
        if constexpr (in_bulk) return in_row(problem_.in).skew();
        return 0;
    }
    __device__ int skew_out() const {
        if constexpr (in_bulk) return out_row(problem_.out).skew();
        return 0;
    }

    using items_in = row_items<In, per_thread, backward>;
    using items_out = row_items<Out, per_thread, backward>;

    /// fold(chunk, full, left) of this thread's items, of which the first `left` belong to the
    /// tile, or all if `full`. Without items, a value that is not used.
    template <class Fold>
    __device__ A fold_mine(const unsigned char* stage, int items, const Fold& fold) const {
        if (items == tile_items) return fold_chunk<true>(stage, per_thread, fold);
        if (const int left = left_at_mine(items); left > 0) {
            return fold_chunk<false>(stage, left, fold);
        }
        return A{};
    }
    /// scan(chunk, full, left) turns this thread's items into results, which replace them in the
    /// stage.
    template <class Scan>
    __device__ void scan_mine(unsigned char* stage, int items, const Scan& scan) const {
        items_in mine;
        mine.load(stage, place_of_mine<In>(), skew_in());
        wait_for_readers<In, Out, threads, per_thread, backward>(skew_in(), skew_out());
        items_out results;
        if (items == tile_items) {
            scan_chunk<true>(mine, per_thread, results, scan);
        } else {
            scan_chunk<false>(mine, left_at_mine(items), results, scan);
        }
        results.store(stage, place_of_mine<Out>(), skew_out());
    }

    // Integers of 1 or 2 bytes are folded without unpacking them.
    using packed = packed_fold<std::remove_cvref_t<decltype(Problem::op)>, A, In, Out>;
    static constexpr int words = items_in::packed_words;
    static constexpr bool in_words = in_bulk && words > 0 && !std::is_void_v<packed>;

    /// The fold of this thread's items that belong to the tile, without the first `left_out`.
    __device__ A fold_mine_in_words(const unsigned char* stage, int items, int left_out) const {
        items_in mine;
        mine.load(stage, place_of_mine<In>(), skew_in());
        if (left_out > 0) leave_out<packed, A, backward, words>(mine.packed(), left_out);
        return fold_words<packed, A, backward, words>(mine.packed(), left_at_mine(items));
    }
    /// scan(word) turns this thread's items into results. Items, which have the size of results,
    /// become results where they are. What lies behind the tile's items becomes results too, which
    /// are not stored.
    template <class Scan>
    __device__ void scan_mine_in_words(unsigned char* stage, const Scan& scan) const {
        items_out mine;
        mine.load(stage, place_of_mine<In>(), skew_in());
        wait_for_readers<In, Out, threads, per_thread, backward>(skew_in(), skew_out());
        scan(mine.packed());
        mine.store(stage, place_of_mine<Out>(), skew_out());
    }
    __device__ static A or_identity(const maybe<A>& value) {
        return value.some ? value.value : packed::identity;
    }

 private:
    __device__ A total_of_mine(const unsigned char* stage, int items) const {
        if constexpr (in_words) {
            return fold_mine_in_words(stage, items, 0);
        } else {
            return fold_mine(stage, items, [&](const auto& chunk, auto full, int left) {
                return chunk.template fold<full.value>(left, problem_.op);
            });
        }
    }
    __device__ void results_of_mine(unsigned char* stage, int items, const maybe<A>& before) const {
        if constexpr (in_words) {
            scan_mine_in_words(stage, [&](std::uint32_t* word) {
                scan_words<packed, A, Problem::is_exclusive, backward, words>(word,
                                                                              or_identity(before));
            });
        } else {
            scan_mine(stage, items, [&](auto& chunk, auto full, int left) {
                chunk.template scan<Problem::is_exclusive, full.value>(before, left, problem_.op);
            });
        }
    }

    template <bool full, class Fold>
    __device__ A fold_chunk(const unsigned char* stage, int left, const Fold& fold) const {
        items_in mine;
        mine.load(stage, place_of_mine<In>(), skew_in());
        items_of_thread chunk;
        mine.template unpack<full>(chunk, left);
        return fold(chunk, std::bool_constant<full>{}, left);
    }
    template <bool full, class Scan>
    __device__ void scan_chunk(const items_in& mine, int left, items_out& results,
                               const Scan& scan) const {
        items_of_thread chunk;
        mine.template unpack<full>(chunk, left);
        scan(chunk, std::bool_constant<full>{}, left);
        results.template pack<full>(chunk, left);
    }
};

}  // namespace lookback::detail::device
