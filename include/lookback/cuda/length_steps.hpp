/// \file
/// What a block does with a tile of stretches whose items are only counted: the positions of their
/// first items, and those items where they are wanted, are compacted within the stage when the tile
/// is reduced; a length is the distance of two positions. The first length of a tile, which began
/// before it, is known to those who store.
///
/// Stretches are runs, or, to find the runs of two items or more, stretches of "heads" and "others"
/// by turns (run_problem.hpp).
///
/// Outputs may lie over the input, by the argument of run_steps.hpp.
///
/// Cost: each item is read once; a key, or a position, and a length are written for each run.
#pragma once

#include <cstdint>

#include "lookback/cuda/kept_tile.hpp"
#include "lookback/cuda/run_problem.hpp"

namespace lookback::detail::gpu {

/// The position of an item in its tile.
using position = std::uint16_t;

template <class Problem, int warps>
using length_tile =
    kept_tile<typename Problem::item_type, position, typename Problem::value_type, warps>;

template <class Problem, int warps, bool in_bulk>
class length_steps : public kept_steps<Problem, length_tile<Problem, warps>, in_bulk> {
    using base = kept_steps<Problem, length_tile<Problem, warps>, in_bulk>;
    using base::problem_;
    using tile = length_tile<Problem, warps>;
    using T = typename Problem::item_type;
    using A = typename Problem::value_type;
    static_assert(tile::items <= 65536);
    static constexpr bool by_kind = Problem::stretches == stretches_of::heads_and_others;
    static constexpr int items_before = by_kind ? 2 : 1;

    using Prefix = typename Problem::prefix_type;

 public:
    using base::base;

    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded) const {
        tile{stage}.template start_load<items_before>(problem_.in, nowhere{}, first, items, loaded);
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        tile{stage}.template load<by, items_before>(problem_.in, nowhere{}, first, items, thread);
    }

    template <class Barrier>
    __device__ A reduce(unsigned char* stage, std::uint64_t first, int items,
                        nothing_kept& /*mine*/, A* totals, const Barrier& barrier) const {
        const tile here{stage};
        const int left = items - tile::first_of_mine();
        typename tile::item_chunk key;
        std::uint64_t heads = 0;
        A total{};
        if (left > 0) {
            here.load_mine(key);
            const int mine = left < tile::per_thread ? left : tile::per_thread;
            heads = mine == tile::per_thread ? begins_of_mine<true>(here, key, first, left)
                                             : begins_of_mine<false>(here, key, first, left);
            total = {count_bits(heads), static_cast<std::uint32_t>(mine - highest_bit(heads))};
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(total, items, totals, problem_.op, barrier);
        if (heads != 0) {
            std::uint32_t place = at.before.some ? at.before.value.heads : 0;
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                if (heads >> i & 1) {
                    if constexpr (!by_kind) here.item_array()[place] = key[i];
                    here.beside_array()[place] = static_cast<position>(tile::first_of_mine() + i);
                    ++place;
                }
            }
        }
        if (tile::thread() == 0) here.note() = at.aggregate;
        return at.aggregate;
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int /*items*/,
                          const maybe<Prefix>& prefix, bool last_tile, int thread) const {
        const tile here{stage};
        const A aggregate = here.note();
        const auto heads = static_cast<int>(aggregate.heads);
        // The stretch that ends at the tile's i-th head is stretch `ended` + i.
        const std::int64_t begun = prefix.some ? static_cast<std::int64_t>(prefix.value.heads) : 0;
        const std::int64_t ended = begun - 1;
        const position* const positions = here.beside_array();
        if constexpr (by_kind) {
            store_each<by>(positions, heads, thread,
                           [&](int i, position at) { problem_.keys_out[begun + i] = first + at; });
        } else {
            store_each<by>(
                here.item_array(), heads, thread,
                [&](int i, const T& key) { problem_.keys_out[begun + i] = key; },
                skew_of(problem_.keys_out, begun));
        }
        store_each<by>(
            positions, heads, thread,
            [&](int i, position at) {
                if (i > 0) put_length(ended + i, std::uint64_t{at} - positions[i - 1]);
            },
            skew_of(problem_.values_out, ended));
        if (thread == 0) {
            if (heads > 0 && prefix.some) put_length(ended, prefix.value.open + positions[0]);
            if (last_tile) {
                const Prefix all = append(prefix, aggregate, problem_.op).value;
                put_length(static_cast<std::int64_t>(all.heads) - 1, all.open);
                problem_.total.set(0, by_kind ? all.heads / 2 : all.heads);
            }
        }
    }

    __device__ void emit_nothing() const { problem_.total.set(0, 0); }

 private:
    // Which of this thread's items begin a stretch, a bit for each.
    template <bool full>
    __device__ std::uint64_t begins_of_mine(const tile& here, const typename tile::item_chunk& key,
                                            std::uint64_t first, int left) const {
        if constexpr (by_kind) {
            return here.template changes_of_mine<full>(key, first, left, problem_.equal);
        } else {
            return here.template heads_of_mine<full>(key, first, left, problem_.equal);
        }
    }

    __device__ void put_length(std::int64_t stretch, std::uint64_t length) const {
        problem_.values_out[stretch] = static_cast<item_of<decltype(Problem::values_out)>>(length);
    }
};

}  // namespace lookback::detail::gpu
