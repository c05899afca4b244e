/// \file
/// What a block does with a tile of stretches whose items are only counted. When the tile is
/// reduced, the first items of stretches (where they are wanted), and then the positions of these
/// items, are compacted within the stage, over the other items. A length is the difference of two
/// positions. The tile's first head ends a stretch that began in an earlier tile; storers compute
/// its length from the prefix.
///
/// If the tile has so many heads that there is no room for their positions, there is room for the
/// positions of the other items. Then all lengths are first stored as 1, and the lengths of longer
/// runs are stored after that.
///
/// Stretches are runs; or, to find the runs of two items or more, they are alternately stretches of
/// "heads" and of "others" (run_problem.hpp).
///
/// Outputs may overlap the input, for the reasons in run_agent.hpp.
///
/// Cost: each item is read once. A key (or a position) and a length are written for each run.
#pragma once

#include <cstdint>

#include "lookback/detail/device/paired_agent.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/run_problem.hpp"

namespace lookback::detail::device {

/// The position of an item in its tile.
using position = std::uint16_t;

/// Items of one byte leave no room for positions: each has a position paired with it in the stage.
template <class T>
using paired_lengths = std::conditional_t<sizeof(T) == 1, position, no_array>;

template <class A>
struct length_note {
    A aggregate;
    std::uint32_t first_head;  ///< its position in the tile, if there is one
};

template <class Problem, int warps, loads how, int bytes_of_thread>
using length_tile =
    paired_tile<typename Problem::item_type, paired_lengths<typename Problem::item_type>,
                length_note<typename Problem::value_type>, warps, bytes_of_thread, how>;

template <class Problem, int tile_warps, loads how, int bytes_of_thread>
class length_agent_of
    : public paired_agent<Problem, length_tile<Problem, tile_warps, how, bytes_of_thread>, how> {
    using tile = length_tile<Problem, tile_warps, how, bytes_of_thread>;
    using base = paired_agent<Problem, tile, how>;
    using base::problem_;
    using T = typename Problem::item_type;
    using A = typename Problem::value_type;
    static_assert(tile::items <= 65536);
    static constexpr bool by_kind = Problem::stretches == stretches_of::heads_and_others;

    using Prefix = typename Problem::prefix_type;

 public:
    using base::base;
    using base::warps;
    using anywhere = length_agent_of<Problem, tile_warps, loads::anywhere, bytes_of_thread>;

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t first, int items,
                           nothing_kept& /*mine*/, A* totals, const Barrier& barrier,
                           const Publish& publish) const {
        const auto here = tile::template in<Problem::items_before>(stage, problem_.in, no_array{});
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
        publish(at.aggregate);
        if (tile::thread() == 0) here.note().aggregate = at.aggregate;
        std::uint32_t place = at.before.some ? at.before.value.heads : 0;
        if (heads != 0 && place == 0) {
            here.note().first_head = static_cast<std::uint32_t>(
                tile::first_of_mine() + highest_bit(heads & (0 - heads)));  // the lowest head
        }
        position* const positions = positions_of(here, at.aggregate.heads);
        if (!has_room(at.aggregate.heads)) {
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                const int at_item = tile::first_of_mine() + i;
                if (heads >> i & 1) {
                    here.item_array()[place++] = key[i];
                } else if (i < left) {
                    positions[at_item - place] = static_cast<position>(at_item);
                }
            }
        } else if (heads != 0) {
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                if (heads >> i & 1) {
                    if constexpr (!by_kind) here.item_array()[place] = key[i];
                    positions[place] = static_cast<position>(tile::first_of_mine() + i);
                    ++place;
                }
            }
        }
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int items,
                          const maybe<Prefix>& prefix, bool last_tile, int thread) const {
        const tile here{stage};
        const A aggregate = here.note().aggregate;
        const auto heads = static_cast<int>(aggregate.heads);
        // The stretch that ends at the tile's i-th head has the number `ended` + i.
        const std::int64_t begun = prefix.some ? static_cast<std::int64_t>(prefix.value.heads) : 0;
        const std::int64_t ended = begun - 1;
        const position* const positions = positions_of(here, aggregate.heads);
        if constexpr (by_kind) {
            store_each<by, tile::items>(positions, heads, thread, [&](int i, position at) {
                problem_.keys_out[begun + i] = first + at;
            });
        } else {
            store_each<by, tile::items>(
                here.item_array(), heads, thread,
                [&](int i, const T& key) { problem_.keys_out[begun + i] = key; },
                skew_of(problem_.keys_out, begun));
        }
        if (has_room(aggregate.heads)) {
            store_each<by, tile::items>(
                positions, heads, thread,
                [&](int i, position at) {
                    if (i > 0) put_length(ended + i, std::uint64_t{at} - positions[i - 1]);
                },
                skew_of(problem_.values_out, ended));
        } else {
            store_each<by, tile::items>(
                here.item_array(), heads, thread,
                [&](int i, const T&) {
                    if (i > 0) put_length(ended + i, 1);
                },
                skew_of(problem_.values_out, ended));
            sync_threads<4, by>();
            put_long_lengths<by>(positions, items - heads, heads, begun, thread);
        }
        if (thread == 0 && heads > 0 && prefix.some) {
            put_length(ended, prefix.value.open + here.note().first_head);
        }
        if (last_tile && thread == 0) {
            const Prefix all = append(prefix, aggregate, problem_.op).value;
            put_length(static_cast<std::int64_t>(all.heads) - 1, all.open);
            problem_.total.set(0, by_kind ? all.heads / 2 : all.heads);
        }
    }

    __device__ void emit_nothing() const { problem_.total.set(0, 0); }

 private:
    // Which of this thread's items begin a stretch, one bit for each.
    template <bool full>
    __device__ std::uint64_t begins_of_mine(const tile& here, const typename tile::item_chunk& key,
                                            std::uint64_t first, int left) const {
        if constexpr (by_kind) {
            return here.template changes_of_mine<full>(key, first, left, problem_.equal);
        } else {
            return here.template heads_of_mine<full>(key, first, left, problem_.equal);
        }
    }

    // Where positions lie in a stage: behind the first items of stretches, or in their place.
    __device__ static int positions_at(std::uint32_t heads) {
        constexpr int unit = sizeof(position);
        return by_kind ? 0 : (static_cast<int>(heads * sizeof(T)) + unit - 1) / unit * unit;
    }
    __device__ static position* positions_of(const tile& here, std::uint32_t heads) {
        return reinterpret_cast<position*>(here.stage + positions_at(heads));
    }
    __device__ static bool has_room(std::uint32_t heads) {
        return by_kind || sizeof(T) == 1 ||
               positions_at(heads) + static_cast<int>(heads * sizeof(position)) <= tile::before_at;
    }

    // Stores the lengths of the runs of two items or more that begin and end in the tile. `others`:
    // the positions of the `count` items of the tile that are no heads.
    template <int by>
    __device__ void put_long_lengths(const position* others, int count, int heads,
                                     std::int64_t begun, int thread) const {
        const auto run_of = [&](int i) { return others[i] - i - 1; };  // in the tile
        for (int begin = thread - lane(); begin < count; begin += by) {
            const int i = begin + lane();
            const int run = i < count ? run_of(i) : heads;
            const bool begins = i == 0 || (i < count && run_of(i - 1) != run);
            const bool ends = i + 1 >= count || run_of(i + 1) != run;
            const unsigned begun_here = ballot(begins) & lane_mask_le();
            if (!ends || run < 0 || run + 1 >= heads) continue;
            int first = begin + highest_bit(begun_here);
            if (begun_here == 0) {
                first = i;
                bool grows = true;  // the step grows until it is too long
                for (int step = 1; step > 0; step = grows ? 2 * step : step / 2) {
                    if (step <= first && run_of(first - step) == run) {
                        first -= step;
                    } else {
                        grows = false;
                    }
                }
            }
            put_length(begun + run, static_cast<std::uint64_t>(2 + i - first));
        }
    }

    __device__ void put_length(std::int64_t stretch, std::uint64_t length) const {
        store_at(problem_.values_out, stretch, length);
    }
};

template <class Problem, int warps, bool in_bulk>
using length_agent =
    length_agent_of<Problem, warps, in_bulk ? loads::on_boundaries : loads::by_items,
                    paired_chunk_bytes<paired_lengths<typename Problem::item_type>>>;

}  // namespace lookback::detail::device
