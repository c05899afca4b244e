/// \file
/// What a block does with a tile of runs. When the tile is reduced, heads are found and values are
/// folded, once. The heads' keys, and the folds of the runs that end in the tile, are compacted
/// within the stage. A run that began before the tile is completed by the storers, which know the
/// fold of the tiles before.
///
/// Outputs may overlap the inputs, for the reasons in compaction_agent.hpp: the key of run r goes
/// to place r, which is at or before the run's head; the run's fold goes to place r after the next
/// head, or the end, has been read. In the pipelined driver, tiles over whose items results of
/// the same numbers lie have words that tell that they have been read (tiles_read.hpp).
///
/// Cost: each item is read once. A key and a fold are written for each run.
#pragma once

#include <cstdint>

#include "lookback/detail/device/paired_agent.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/run_problem.hpp"
#include "lookback/detail/device/tiles_read.hpp"

namespace lookback::detail::device {

template <class A>
struct run_note {
    A aggregate;
    bool continues;  // the tile's first item is no head
};

template <class Problem>
using open_type = decltype(Problem::value_type::open);

template <class Problem, int warps, loads how, int bytes_of_thread>
using run_tile = paired_tile<typename Problem::item_type, open_type<Problem>,
                             run_note<typename Problem::value_type>, warps, bytes_of_thread, how>;

template <class Problem, int tile_warps, loads how, int bytes_of_thread>
class run_agent_of
    : public paired_agent<Problem, run_tile<Problem, tile_warps, how, bytes_of_thread>, how> {
    using tile = run_tile<Problem, tile_warps, how, bytes_of_thread>;
    using base = paired_agent<Problem, tile, how>;
    using base::problem_;
    using T = typename Problem::item_type;
    using Paired = typename Problem::paired_type;
    using A = typename Problem::value_type;
    using W = decltype(A::open);

    static_assert(sizeof(Paired) <= sizeof(W),
                  "an accumulator of reduce_by_key is no smaller than a value");

    using Prefix = typename Problem::prefix_type;

 public:
    using base::base;
    using base::warps;
    using anywhere = run_agent_of<Problem, tile_warps, loads::anywhere, bytes_of_thread>;

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t first, int items,
                           nothing_kept& /*mine*/, A* totals, const Barrier& barrier,
                           const Publish& publish) const {
        const auto here =
            tile::template in<Problem::items_before>(stage, problem_.in, problem_.paired);
        const int left = items - tile::first_of_mine();
        chunk_of_runs mine;
        if (left >= tile::per_thread) {
            fold<true>(here, first, left, mine);
        } else if (left > 0) {
            fold<false>(here, first, left, mine);
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(mine.total, items, totals, problem_.op, barrier);
        publish(at.aggregate);
        if (mine.heads != 0) {
            if (left >= tile::per_thread) {
                compact<true>(here, mine, at.before, left);
            } else {
                compact<false>(here, mine, at.before, left);
            }
        }
        if (tile::thread() == 0) here.note() = {at.aggregate, (mine.heads & 1) == 0};
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t /*first*/, int /*items*/,
                          const maybe<Prefix>& prefix, bool last_tile, int thread) const {
        const tile here{stage};
        const run_note<A> note = here.note();
        const auto heads = static_cast<int>(note.aggregate.heads);
        // The run that ends at the tile's i-th head has the number `ended` + i.
        const std::int64_t begun = prefix.some ? static_cast<std::int64_t>(prefix.value.heads) : 0;
        const std::int64_t ended = begun - 1;
        store_each<by, tile::items>(
            here.item_array(), heads, thread,
            [&](int i, const T& key) { problem_.keys_out[begun + i] = key; },
            skew_of(problem_.keys_out, begun));
        store_each<by, tile::items>(
            here.paired_array(), heads, thread,
            [&](int i, const W& fold) {
                if (i > 0) put_value(ended + i, static_cast<V>(fold));
            },
            skew_of(problem_.values_out, ended));
        if (thread == 0) {
            if (heads > 0 && prefix.some) {
                put_value(ended, note.continues
                                     ? problem_.op.op(prefix.value.open,
                                                      static_cast<V>(here.paired_array()[0]))
                                     : prefix.value.open);
            }
            if (last_tile) {
                const Prefix all = append(prefix, note.aggregate, problem_.op).value;
                put_value(static_cast<std::int64_t>(all.heads) - 1, all.open);
                problem_.total.set(0, all.heads);
            }
        }
    }

    static constexpr bool tells_of_reads = true;
    __device__ tile_range tiles_under_results(const maybe<Prefix>& prefix,
                                              std::uint32_t tile) const {
        return tiles_under<base::tile_items>(prefix.some ? prefix.value.heads : 0, tile);
    }

    __device__ void emit_nothing() const { problem_.total.set(0, 0); }

 private:
    using V = decltype(Prefix::open);

    __device__ void put_value(std::int64_t run, const V& value) const {
        store_at(problem_.values_out, run, value);
    }

    // A thread's items, held in registers before results take their place in the stage.
    struct chunk_of_runs {
        typename tile::item_chunk key;
        typename tile::template chunk_of<Paired> value;
        std::uint64_t heads = 0;
        A total{};
    };

    template <bool full>
    __device__ void fold(const tile& here, std::uint64_t first, int left,
                         chunk_of_runs& mine) const {
        here.load_mine(mine.key);
        here.load_paired_mine(mine.value);
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

    // Puts each head's key at the place of the head's number, and beside it the fold of those items
    // of the run that it ends which lie in this tile, if there are any.
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
                    if (some) here.paired_array()[place] = open;
                    ++place;
                    open = value;
                } else {
                    open = some ? static_cast<W>(problem_.op.op(open, value)) : value;
                }
            }
        }
    }
};

template <class Problem, int warps, bool in_bulk>
using run_agent = run_agent_of<Problem, warps, in_bulk ? loads::on_boundaries : loads::by_items,
                               paired_chunk_bytes<open_type<Problem>>>;

}  // namespace lookback::detail::device
