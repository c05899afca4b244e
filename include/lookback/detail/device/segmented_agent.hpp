/// \file
/// What a block does with a tile of a scan of segments. It works as in scan_agent.hpp, with keys or
/// flags paired with the values. These are read once, when the tile is reduced: until it emits, a
/// thread keeps one bit for each of its items, which says whether the item is a head. Results take
/// the place of the values in the stage.
///
/// The tree is that of tile_scan.hpp over pairs {value, head}, with the operator segmented<Op>.
///
/// Cost: each value, and each key or flag, is read once, and each result is written once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/row_items.hpp"
#include "lookback/detail/device/segmented_problem.hpp"
#include "lookback/detail/device/skewed_row.hpp"
#include "lookback/detail/device/tile_agent.hpp"

namespace lookback::detail::device {

/// One team of at most 15 warps. Each thread has 48 bytes of values or of keys, whichever are
/// wider: as much as fits in a stage of the staged driver. There are as many stages as fit; half of
/// them hold tiles that are reduced ahead of the scan.
inline constexpr int segmented_chunk_bytes = small_chunk_bytes;
template <class Key, class T>
inline constexpr large_shape segmented_shape = [] {
    constexpr int bytes_of_warp = warp_lanes * paired_chunk_items<Key, T, segmented_chunk_bytes> *
                                  (staged_size<Key> + staged_size<T>);
    constexpr int most_warps = 45 * 1024 / bytes_of_warp;
    constexpr int warps = most_warps < 15 ? most_warps : 15;
    // Beside the stages there are totals for each warp, and barriers and a prefix for each stage.
    constexpr int value = static_cast<int>(sizeof(segment_value<T>));
    constexpr int room =
        (hopper_shared_bytes - 256 - 2 * warps * value) / (warps * bytes_of_warp + 128 + 2 * value);
    constexpr int stages = room < 8 ? room : 8;
    return large_shape{warps, stages, stages / 2, 1, 1};
}();
template <class Key, class T>
inline constexpr int segmented_tile_items =
    segmented_shape<Key, T>.warps * warp_lanes * paired_chunk_items<Key, T, segmented_chunk_bytes>;

/// With `warps_` warps. `how`: how all three arrays are moved (paired_tile.hpp).
template <class Problem, int warps_, loads how>
class segmented_agent_of : public one_value_agent<Problem, typename Problem::value_type, warps_> {
    using base = one_value_agent<Problem, typename Problem::value_type, warps_>;
    using base::problem_;
    using T = typename Problem::accumulator;
    using A = typename Problem::value_type;
    using Key = typename Problem::heads_type::item_type;
    using tile = paired_tile<Key, T, no_array, warps_, segmented_chunk_bytes, how>;
    static constexpr bool in_bulk = how != loads::by_items;
    static constexpr bool in_rows = how == loads::anywhere;
    using In = typename staged_items<in_bulk, Problem, T>::In;
    using Out = typename staged_items<in_bulk, Problem, T>::Out;
    using values_of_thread = chunk<T, In, false, tile::per_thread>;
    using head_bits = std::conditional_t<(tile::per_thread <= 32), std::uint32_t, std::uint64_t>;
    static constexpr bool with_before = Problem::heads_type::looks_back;

 public:
    using base::base;
    using base::threads;
    using base::warps;
    using anywhere = segmented_agent_of<Problem, warps, loads::anywhere>;
    static constexpr int tile_items = tile::items;
    static constexpr int stage_bytes = tile::bytes;
    static constexpr bool loads_in_bulk = in_bulk;
    static constexpr bool stores_in_bulk = in_bulk;
    static constexpr bool loads_one_by_one = in_bulk;
    static constexpr bool emits = true;

    /// What a thread keeps from reduce to emit: its heads, and the fold of the tile's items before
    /// its own.
    struct memory {
        head_bits heads;
        maybe<A> before;
    };

    template <class Wait>
    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded, const Wait& wait_for_room) const {
        tile{stage}.template start_load<with_before>(problem_.heads.in, problem_.in, problem_.count,
                                                     first, items, loaded, wait_for_room);
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        const auto load = [&](const auto& values) {
            tile{stage}.template load<by, with_before>(problem_.heads.in, values, first, items,
                                                       thread, problem_.aligned);
        };
        if constexpr (std::is_same_v<item_of<decltype(Problem::in)>, T>) {
            load(problem_.in);
        } else {
            load(read_as<decltype(Problem::in), T>{problem_.in});
        }
    }

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t first, int items, memory& mine,
                           A* totals, const Barrier& barrier, const Publish& publish) const {
        const auto here = tile::template in<with_before>(stage, problem_.heads.in, problem_.in);
        const int left = items - tile::first_of_mine();
        A total{};
        mine.heads = 0;
        if (left >= tile::per_thread) {
            total = fold<true>(here, first, left, mine.heads);
        } else if (left > 0) {
            total = fold<false>(here, first, left, mine.heads);
        }
        const auto at =
            place_chunk<warps, tile::per_thread>(total, items, totals, problem_.op, barrier);
        publish(at.aggregate);
        mine.before = at.before;
    }

    __device__ void emit(unsigned char* stage, int items, const maybe<A>& prefix,
                         const memory& mine) const {
        const auto here = tile::template in<with_before>(stage, problem_.heads.in, problem_.in);
        const int left = items - tile::first_of_mine();
        const T before = combine(prefix, mine.before, problem_.op).value.value;
        values_of_thread values;
        here.load_paired_mine(values);
        if constexpr (in_rows) {
            wait_for_readers<In, Out, threads, tile::per_thread, false>(here.paired_from,
                                                                        to_row().skew());
        }
        if (items == tile_items) {
            scan<true>(values, left, mine.heads, before);
        } else {
            scan<false>(values, left, mine.heads, before);
        }
        if constexpr (in_rows) {
            row_items<Out, tile::per_thread, false> results;
            results.template pack<true>(values, tile::per_thread);
            results.store(stage + tile::paired_at,
                          tile::first_of_mine() * static_cast<int>(sizeof(Out)), to_row().skew());
        } else {
            values.template store<Out>(here.template paired_mine<Out>());
        }
    }

    template <class Wait>
    __device__ void start_store(unsigned char* stage, std::uint64_t first, int items,
                                const Wait& wait_for_results) const {
        if constexpr (in_rows) {
            to_row().start_store(stage + tile::paired_at, first, items, wait_for_results);
        } else {
            wait_for_results();
            const bulk_array<decltype(Problem::out)> to{problem_.out};
            to.store(stage + tile::paired_at, first, items);
        }
    }
    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t first, int items,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        const auto begin = static_cast<std::int64_t>(first);
        store_each<by, tile::items>(
            tile{stage}.paired_array(), items, thread,
            [&](int i, const T& value) { store_at(problem_.out, begin + i, value); },
            skew_of(problem_.out, begin));
    }

    __device__ void emit_nothing() const {}

 private:
    __device__ auto to_row() const { return skewed_row<Out, 1, tile_items>(problem_.out); }

    __device__ static bool is_head(head_bits heads, int i) { return (heads >> i & 1) != 0; }

    // The first value of a segment, after the initial value if there is one.
    __device__ T begin_segment(const maybe<T>& start, const T& value) const {
        return start.some ? static_cast<T>(problem_.op.op(start.value, value)) : value;
    }

    template <bool full>
    __device__ A fold(const tile& here, std::uint64_t first, int left, head_bits& heads) const {
        heads = static_cast<head_bits>(problem_.heads.template of_mine<full>(here, first, left));
        values_of_thread values;
        here.load_paired_mine(values);
        const maybe<T> start = problem_.start.get();
        T open = is_head(heads, 0) ? begin_segment(start, values[0]) : values[0];
#pragma unroll
        for (int i = 1; i < tile::per_thread; ++i) {
            if (full || i < left) {
                open = is_head(heads, i) ? begin_segment(start, values[i])
                                         : static_cast<T>(problem_.op.op(open, values[i]));
            }
        }
        return {open, heads != 0};
    }

    // The compiler executes an operator of one instruction under a predicate, and skips it at
    // heads. So a chunk with heads takes no longer than one without, and both use this function.
    // `running` is not used before the first head, unless items come before the chunk.
    template <bool full>
    __device__ void scan(values_of_thread& values, int left, head_bits heads, T running) const {
        const maybe<T> start = problem_.start.get();
#pragma unroll
        for (int i = 0; i < tile::per_thread; ++i) {
            if (full || i < left) {
                const bool head = is_head(heads, i);
                const T next = head ? begin_segment(start, values[i])
                                    : static_cast<T>(problem_.op.op(running, values[i]));
                if (Problem::is_exclusive) {
                    values[i] = head ? start.value : running;
                } else {
                    values[i] = next;
                }
                running = next;
            }
        }
    }
};

template <class Problem, int warps, bool in_bulk>
using segmented_agent =
    segmented_agent_of<Problem, warps, in_bulk ? loads::on_boundaries : loads::by_items>;

}  // namespace lookback::detail::device
