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
    static constexpr bool counts = is_nowhere<Beside>;

    struct note_type {
        A aggregate;
        bool continues;  // the tile's first item is no head
    };
    using tile = kept_tile<T, W, note_type, warps_>;
    static_assert(counts || sizeof(Beside) <= sizeof(W));

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
    static constexpr bool fenced = true;
    struct memory {};

    __device__ explicit run_steps(const Problem& problem) : problem_(problem) {}

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
        typename tile::item_chunk key;
        W value[tile::per_thread];
        bool head[tile::per_thread];
        A total{};
        if (left > 0) {
            here.load_mine(key);
            const T before = here.before_mine();
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                if (i < left) {
                    value[i] = value_of_mine(here, i);
                    head[i] = (i == 0 && first == 0 && threadIdx.x == 0) ||
                              !problem_.equal(i > 0 ? key[i > 0 ? i - 1 : 0] : before, key[i]);
                    const A one{head[i] ? 1U : 0U, value[i]};
                    total = i > 0 ? problem_.op(total, one) : one;
                }
            }
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(total, items, totals, problem_.op, barrier);

        maybe<A> so_far = at.before;
        if (left > 0) {
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                if (i < left) {
                    if (head[i]) {
                        const std::uint32_t place = so_far.some ? so_far.value.heads : 0;
                        here.item_array()[place] = key[i];
                        if (so_far.some) here.beside_array()[place] = so_far.value.open;
                    }
                    so_far = combine(so_far, {A{head[i] ? 1U : 0U, value[i]}, true}, problem_.op);
                }
            }
        }
        if (threadIdx.x == 0) here.note() = {at.aggregate, !head[0]};
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

    __device__ static W value_of_mine(const tile& here, int i) {
        if constexpr (counts) {
            return 1;
        } else {
            // Values lie in the stage as they were loaded, the folds take their place later.
            return static_cast<W>(
                reinterpret_cast<const Beside*>(here.beside_array())[tile::first_of_mine() + i]);
        }
    }

    const Problem& problem_;
};

}  // namespace lookback::detail::gpu
