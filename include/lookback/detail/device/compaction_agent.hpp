/// \file
/// What a block does with a tile of a compaction. When the tile is reduced, its items are
/// classified once, and compacted within the stage, class by class, before their places in the
/// outputs are known. Storers then copy each class to its place.
///
/// Outputs may overlap the input. The results of a tile go to places at or before its own items,
/// and are stored once all tiles before it have published, and those under the results have been
/// read. In the pipelined driver a word says so (tiles_read.hpp), if there is one output, whose
/// results lie over items of the same numbers. Otherwise the publication says so: it comes after a
/// fence, and a block that sees it executes a fence after that. So no result overtakes a read. (A
/// rest that goes behind the kept items may overwrite items of later tiles: it is stored once all
/// tiles have published.) The item before a tile belongs to another tile, whose results may be
/// stored at that moment. But only that item itself can be written to its place: a result reaches
/// the place only if no item before it was dropped.
///
/// Cost: each item is read once. Each kept item is written once, by words of its size.
#pragma once

#include <cstdint>

#include "lookback/detail/device/compaction_problem.hpp"
#include "lookback/detail/device/paired_agent.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/tiles_read.hpp"

namespace lookback::detail::device {

template <class Problem, int warps, loads how, int bytes_of_thread>
using compaction_tile = paired_tile<typename Problem::item_type, typename Problem::paired_type,
                                    typename Problem::value_type, warps, bytes_of_thread, how>;

/// With `tile_warps` warps. Each thread has `bytes_of_thread` bytes of the wider array.
template <class Problem, int tile_warps, loads how, int bytes_of_thread>
class compaction_agent_of
    : public paired_agent<Problem, compaction_tile<Problem, tile_warps, how, bytes_of_thread>,
                          how> {
    using tile = compaction_tile<Problem, tile_warps, how, bytes_of_thread>;
    using base = paired_agent<Problem, tile, how>;
    using base::problem_;
    using T = typename Problem::item_type;
    using Paired = typename Problem::paired_type;
    using A = typename Problem::value_type;
    static constexpr int counted = Problem::counted;

    using Prefix = typename Problem::prefix_type;

 public:
    using base::base;
    using base::warps;
    using anywhere = compaction_agent_of<Problem, tile_warps, loads::anywhere, bytes_of_thread>;
    static constexpr bool rest_is_behind = Problem::rest_is_behind;

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t first, int items,
                           nothing_kept& /*mine*/, A* totals, const Barrier& barrier,
                           const Publish& publish) const {
        const auto here =
            tile::template in<Problem::items_before>(stage, problem_.in, problem_.paired);
        const int left = items - tile::first_of_mine();
        classified mine;
        if (left >= tile::per_thread) {
            classify<true>(here, first, left, mine);
        } else if (left > 0) {
            classify<false>(here, first, left, mine);
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(mine.total, items, totals, problem_.op, barrier);
        publish(at.aggregate);
        std::uint32_t next[counted + 1];
        std::uint32_t begin = 0;
        next[counted] = static_cast<std::uint32_t>(tile::first_of_mine());
#pragma unroll
        for (int k = 0; k < counted; ++k) {
            const std::uint32_t before = at.before.some ? at.before.value.of[k] : 0;
            next[k] = begin + before;
            begin += at.aggregate.of[k];
            next[counted] -= before;
        }
        next[counted] += begin;
        if (left >= tile::per_thread) {
            compact<true>(here, mine, next, left);
        } else if (left > 0) {
            compact<false>(here, mine, next, left);
        }
        if (tile::thread() == 0) here.note() = at.aggregate;
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int items,
                          const maybe<Prefix>& prefix, bool last_tile, int thread) const {
        const tile here{stage};
        const A kept = here.note();
        std::uint64_t rest =
            rest_begins_at(problem_.outputs.template at<counted>(), rest_begins_) + first;
        std::uint64_t to[counted + 1];
        int begin[counted + 2] = {};
#pragma unroll
        for (int k = 0; k < counted; ++k) {
            to[k] = prefix.some ? prefix.value.of[k] : 0;
            rest -= to[k];
            begin[k + 1] = begin[k] + static_cast<int>(kept.of[k]);
        }
        to[counted] = rest;
        begin[counted + 1] = items;
        store_class<by, 0>(here, to, begin, thread);
        if constexpr (has_values) {
            store_each<by, tile::items>(
                here.paired_array(), begin[1], thread,
                [&](int i, const Paired& x) {
                    problem_.values[static_cast<std::int64_t>(to[0]) + i] = x;
                },
                skew_of(problem_.values, static_cast<std::int64_t>(to[0])));
        }
        if (last_tile && thread == 0) {
            for (int k = 0; k < counted; ++k) problem_.total.set(k, to[k] + kept.of[k]);
        }
    }

    /// For a rest that lies behind the kept items: the number of items kept before this tile, and
    /// in all tiles, of which there are at most 256. One warp calls it; lane 0 has the result.
    /// (Sums of counts do not depend on their order.)
    struct both_ways {
        Prefix before, all;
    };
    __device__ both_ways look_both_ways(const tile_statuses<A>& statuses, std::uint32_t epoch,
                                        std::uint32_t mine, std::uint32_t tiles,
                                        unsigned char* stage) const {
        constexpr int at_once = 256 / warp_lanes;
        both_ways found{};
        if (tiles == 1) {
            // Lane 0 has written the note. The compiler may let all lanes read it.
            sync_warp();
            if (lane() == 0) found.all = Prefix(tile{stage}.note());
            return found;
        }
        // All words are read until all are complete: a warp that waited for one word after the
        // other would take the time of as many reads.
        A count[at_once] = {};
        bool all_ready = false;
        while (!in_all_lanes(all_ready)) {
            all_ready = true;
#pragma unroll
            for (int b = 0; b < at_once; ++b) {
                const auto at = static_cast<std::uint32_t>(b * warp_lanes + lane());
                const bool ready = statuses.read(at < tiles ? at : tiles - 1, epoch, count[b]);
                all_ready = all_ready && ready;
            }
        }
#pragma unroll
        for (int b = 0; b < at_once; ++b) {
            const auto at = static_cast<std::uint32_t>(b * warp_lanes + lane());
            if (at < tiles) found.all = problem_.op(found.all, count[b]);
            if (at < mine) found.before = problem_.op(found.before, count[b]);
        }
        sync_warp();
        return {fold_lanes(found.before, warp_lanes, problem_.op),
                fold_lanes(found.all, warp_lanes, problem_.op)};
    }
    __device__ void learn_all(const Prefix& all) { rest_begins_ = all.of[0]; }

    static constexpr bool tells_of_reads = Problem::has_one_output;
    __device__ tile_range tiles_under_results(const maybe<Prefix>& prefix,
                                              std::uint32_t tile) const {
        return tiles_under<base::tile_items>(prefix.some ? prefix.value.of[0] : 0, tile);
    }

    __device__ void emit_nothing() const {
        for (int k = 0; k < counted; ++k) problem_.total.set(k, 0);
    }

 private:
    static constexpr bool has_paired = !is_absent<Paired>;
    static constexpr bool has_values = !is_absent<decltype(Problem::values)>;

    template <int c>
    using output = decltype(std::declval<Problem>().outputs.template at<c>());

    // A thread's items, held in registers before results take their place in the stage; and for
    // each counted class, one bit for each item of that class.
    struct classified {
        typename tile::item_chunk item;
        std::conditional_t<has_paired, typename tile::template chunk_of<Paired>, no_array> paired;
        std::uint64_t is[counted] = {};
        A total{};
    };

    template <bool full>
    __device__ void classify(const tile& here, std::uint64_t first, int left,
                             classified& mine) const {
        here.load_mine(mine.item);
        if constexpr (has_paired) here.load_paired_mine(mine.paired);
        if constexpr (decltype(Problem::classify)::compares) {
            mine.is[0] =
                here.template heads_of_mine<full>(mine.item, first, left, problem_.classify.equal);
        } else {
#pragma unroll
            for (int i = 0; i < tile::per_thread; ++i) {
                if (full || i < left) {
                    int c;
                    if constexpr (has_paired) {
                        c = problem_.classify(mine.paired[i]);
                    } else {
                        c = problem_.classify(mine.item[i]);
                    }
#pragma unroll
                    for (int k = 0; k < counted; ++k) {
                        if (c == k) mine.is[k] |= std::uint64_t{1} << i;
                    }
                }
            }
        }
#pragma unroll
        for (int k = 0; k < counted; ++k) mine.total.of[k] = count_bits(mine.is[k]);
    }

    // Puts each item at the next place of its class in the stage.
    template <bool full>
    __device__ void compact(const tile& here, const classified& mine,
                            std::uint32_t (&next)[counted + 1], int left) const {
#pragma unroll
        for (int i = 0; i < tile::per_thread; ++i) {
            if (full || i < left) put<0>(here, mine, i, next);
        }
    }
    template <int c>
    __device__ static void put(const tile& here, const classified& mine, int i,
                               std::uint32_t (&next)[counted + 1]) {
        bool is_here = true;
        if constexpr (c < counted) is_here = (mine.is[c] >> i & 1) != 0;
        if (is_here) {
            if constexpr (!is_absent<output<c>>) here.item_array()[next[c]] = mine.item[i];
            if constexpr (c == 0 && has_values) here.paired_array()[next[c]] = mine.paired[i];
            ++next[c];
        } else if constexpr (c < counted) {
            put<c + 1>(here, mine, i, next);
        }
    }

    template <int by, int c>
    __device__ void store_class(const tile& here, const std::uint64_t (&to)[counted + 1],
                                const int (&begin)[counted + 2], int thread) const {
        if constexpr (c <= counted) {
            if constexpr (!is_absent<output<c>>) {
                const auto out = problem_.outputs.template at<c>();
                const auto at = static_cast<std::int64_t>(to[c]);
                store_each<by, tile::items>(
                    here.item_array() + begin[c], begin[c + 1] - begin[c], thread,
                    [&](int i, const T& item) { out[at + i] = item; }, skew_of(out, at));
            }
            store_class<by, c + 1>(here, to, begin, thread);
        }
    }

    std::uint64_t rest_begins_ = 0;
};

template <class Problem, int warps, bool in_bulk>
using compaction_agent =
    compaction_agent_of<Problem, warps, in_bulk ? loads::on_boundaries : loads::by_items,
                        paired_chunk_bytes<typename Problem::paired_type>>;

}  // namespace lookback::detail::device
