/// \file
/// What a block does with a tile of runs: heads are found and values folded once, when the tile is
/// reduced; the heads' keys, and the folds of the runs that end in the tile, are compacted within
/// the stage. The run that the tile found open is closed by those who store, who know the fold of
/// what came before.
///
/// Outputs may lie over the inputs, by the argument of compaction_steps.hpp: the key of run r goes
/// to place r, which is at or before its head; its fold goes there once the next head, or the end,
/// has been read.
///
/// Cost: each item is read once; a key and a fold are written for each run.
#pragma once

#include <cstdint>

#include "lookback/cuda/kept_tile.hpp"
#include "lookback/cuda/run_problem.hpp"

namespace lookback::detail::gpu {

template <class Problem, int warps_, bool in_bulk>
class run_steps {
    using T = typename Problem::item_type;
    using Beside = typename Problem::beside_type;
    using A = typename Problem::value_type;
    using W = decltype(A::open);

    struct note_type {
        A aggregate;
        bool continues;  // the tile's first item is no head
    };
    using tile = kept_tile<T, W, note_type, warps_>;
    static_assert(sizeof(Beside) <= sizeof(W), "folds take the place of values in the stage");

 public:
    using problem_type = Problem;
    using value_type = A;
    using prefix_type = typename Problem::prefix_type;
    using op_type = decltype(Problem::op);
    static constexpr int warps = warps_;
    static constexpr int threads = tile::threads;
    static constexpr int tile_items = tile::items;
    static constexpr int stage_bytes = tile::bytes;
    static constexpr bool loads_in_bulk = in_bulk;
    static constexpr bool stores_in_bulk = false;
    static constexpr bool emits = false;
    struct memory {};

    __device__ explicit run_steps(const Problem& problem) : problem_(problem) {}

    /// Whether results may overwrite the items of other tiles.
    __device__ bool in_place() const { return problem_.in_place; }

    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded) const {
        tile{stage}.template start_load<true>(problem_.in, problem_.values, first, items, loaded);
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        tile{stage}.template load<by, true>(problem_.in, problem_.values, first, items, thread);
    }

    template <class Barrier>
    __device__ A reduce(unsigned char* stage, std::uint64_t first, int items, memory& /*mine*/,
                        A* totals, const Barrier& barrier) const {
        const tile here{stage};
        const int left = items - tile::first_of_mine();
        chunk_of_runs mine;
        if (left >= tile::per_thread) {
            fold<true>(here, first, left, mine);
        } else if (left > 0) {
            fold<false>(here, first, left, mine);
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(mine.total, items, totals, problem_.op, barrier);
        if (mine.heads != 0) {
            if (left >= tile::per_thread) {
                compact<true>(here, mine, at.before, left);
            } else {
                compact<false>(here, mine, at.before, left);
            }
        }
        if (tile::thread() == 0) here.note() = {at.aggregate, (mine.heads & 1) == 0};
        return at.aggregate;
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t /*first*/, int /*items*/,
                          const maybe<prefix_type>& prefix, bool last_tile, int thread) const {
        const tile here{stage};
        const note_type note = here.note();
        const auto heads = static_cast<int>(note.aggregate.heads);
        // The run that ends at the tile's i-th head is run `ended` + i.
        const std::int64_t begun = prefix.some ? static_cast<std::int64_t>(prefix.value.heads) : 0;
        const std::int64_t ended = begun - 1;
        store_each<by>(
            here.item_array(), heads, thread,
            [&](int i, const T& key) { problem_.keys_out[begun + i] = key; },
            skew_of(problem_.keys_out, begun));
        store_each<by>(
            here.beside_array(), heads, thread,
            [&](int i, const W& fold) {
                if (i > 0) put_value(ended + i, static_cast<V>(fold));
            },
            skew_of(problem_.values_out, ended));
        if (thread == 0) {
            if (heads > 0 && prefix.some) {
                put_value(ended, note.continues
                                     ? problem_.op.op(prefix.value.open,
                                                      static_cast<V>(here.beside_array()[0]))
                                     : prefix.value.open);
            }
            if (last_tile) {
                const prefix_type all = append(prefix, note.aggregate, problem_.op).value;
                put_value(static_cast<std::int64_t>(all.heads) - 1, all.open);
                problem_.total.set(0, all.heads);
            }
        }
    }

    __device__ void emit_nothing() const { problem_.total.set(0, 0); }

 private:
    using V = decltype(prefix_type::open);

    __device__ void put_value(std::int64_t run, const V& value) const {
        problem_.values_out[run] = static_cast<item_of<decltype(Problem::values_out)>>(value);
    }

    // A thread's items, in registers before anybody's results take their place.
    struct chunk_of_runs {
        typename tile::item_chunk key;
        typename tile::template chunk_of<Beside> value;
        std::uint64_t heads = 0;
        A total{};
    };

    template <bool full>
    __device__ void fold(const tile& here, std::uint64_t first, int left,
                         chunk_of_runs& mine) const {
        here.load_mine(mine.key);
        here.load_beside_mine(mine.value);
        mine.heads = here.template heads_of_mine<full>(mine.key, first, left, problem_.equal);
        W open = static_cast<W>(mine.value[0]);
#pragma unroll
        for (int i = 1; i < tile::per_thread; ++i) {
            if (full || i < left) {
                const auto value = static_cast<W>(mine.value[i]);
                open = mine.heads >> i & 1 ? value : static_cast<W>(problem_.op.op(open, value));
            }
        }
        mine.total = {count_bits(mine.heads), open};
    }

    // Puts each head's key where the head's number says, and the fold of the run that it ends, if
    // one began in this tile.
    template <bool full>
    __device__ void compact(const tile& here, const chunk_of_runs& mine, const maybe<A>& before,
                            int left) const {
        std::uint32_t place = before.some ? before.value.heads : 0;
        W open = before.value.open;
#pragma unroll
        for (int i = 0; i < tile::per_thread; ++i) {
            if (full || i < left) {
                const auto value = static_cast<W>(mine.value[i]);
                const bool some = i > 0 || before.some;
                if (mine.heads >> i & 1) {
                    here.item_array()[place] = mine.key[i];
                    if (some) here.beside_array()[place] = open;
                    ++place;
                    open = value;
                } else {
                    open = some ? static_cast<W>(problem_.op.op(open, value)) : value;
                }
            }
        }
    }

    const Problem& problem_;
};

}  // namespace lookback::detail::gpu
