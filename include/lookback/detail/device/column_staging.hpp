/// \file
/// What a stage of columns holds, and how tiles of columns come into it and out of it
/// (column_movers.hpp, padded_rows.hpp).
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/column_movers.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/column_stretch.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/padded_rows.hpp"
#include "lookback/detail/device/scan_problem.hpp"

namespace lookback::detail::device {

/// What lies in a stage of columns: accumulators, which threads move one by one; or items, and then
/// results, as in their arrays. They are moved by words or in bulk, or, narrow ones whose rows
/// begin anywhere, by vectors (padded_rows.hpp).
enum class column_stage { accumulators, arrays, padded_arrays };

/// The parts of a stage, in bytes, for accumulators of type A.
template <class A, class In, class Out, column_stage holds>
struct column_stage_parts {
    template <class T>
    static constexpr bool pads = holds == column_stage::padded_arrays && alignof(T) < 4;
    template <class T>
    static constexpr int room = column_tile_items<A> * static_cast<int>(sizeof(T)) +
                                (pads<T> ? padded_rows<T>::most_padding(most_strip_rows<A>) : 0);
    /// Whether results replace items. Otherwise they lie behind them, from `out_at` on.
    static constexpr bool one_place = sizeof(In) == sizeof(Out) && alignof(In) == alignof(Out);
    static constexpr int out_at = one_place ? 0 : (room<In> + 15) / 16 * 16;
    /// Where the row of prefixes lies.
    static constexpr int row_at = (out_at + room<Out>) / 16 * 16 + 16;
    static constexpr int bytes =
        row_at + (widest_strip<A> * static_cast<int>(sizeof(A)) + 15) / 16 * 16;
    /// Whether two stages fit beside what else the pipelined driver has in shared memory.
    static constexpr bool fits = 2 * bytes + 8 * 1024 <= hopper_shared_bytes;
};

/// `Start`: the initial value of each column, if there is one. The drivers see a tile as one item.
template <bool exclusive, class A, class In, class Out, class Op_, class Start>
struct column_problem {
    using value_type = A;
    using start_type = Start;
    template <column_stage holds>
    static constexpr bool fits = column_stage_parts<A, item_of<In>, item_of<Out>, holds>::fits;
    static constexpr bool is_exclusive = exclusive;
    static constexpr bool can_be_aligned = [] {
        if constexpr (in_staged_arrays<A, In, Out>) return fits<column_stage::arrays>;
        return false;
    }();
    /// Whether narrow items, whose rows may begin anywhere, can be padded.
    static constexpr bool can_be_padded = [] {
        if constexpr (can_be_aligned) {
            return (alignof(item_of<In>) < 4 || alignof(item_of<Out>) < 4) &&
                   fits<column_stage::padded_arrays>;
        }
        return false;
    }();

    In in;
    Out out;
    Op_ op;
    Start init;
    column_shape shape;
    item_count count;
    column_moves loads, stores;
    bool aligned;  ///< can_be_aligned holds, and neither moves items one by one
};

/// Moves tiles, and says where their items and results lie in a stage.
template <class Problem, column_stage holds>
class column_staging {
    using A = typename Problem::value_type;

 public:
    static constexpr bool in_arrays = holds != column_stage::accumulators;
    using In = typename staged_items<in_arrays, Problem, A>::In;
    using Out = typename staged_items<in_arrays, Problem, A>::Out;

    __device__ explicit column_staging(const Problem& problem) : problem_(problem) {}

    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t number, int /*items*/,
                         int thread) const {
        move_units<A>(
            walk<by, in_size>(number, in_size, thread),
            [&](const tile_walk& at) { return static_cast<A>(problem_.in[at.place]); },
            [&](const tile_walk& at, const A& item) {
                reinterpret_cast<A*>(stage)[at.index] = item;
            });
    }
    template <int by>
    __device__ void start_load(unsigned char* stage, std::uint64_t number, phase_barrier& loaded,
                               int thread) const {
        const auto* const from = reinterpret_cast<const unsigned char*>(problem_.in);
        if constexpr (pads<In>) {
            const column_shape& all = problem_.shape;
            const auto begin = reinterpret_cast<std::uintptr_t>(from);
            return padded_in(all.at(static_cast<std::uint32_t>(number)))
                .start_load(stage, {begin, begin + all.outer * all.length * all.inner * in_size},
                            thread, by);
        } else {
            switch (problem_.loads) {
                case column_moves::bulk:
                    return pieces<by, in_size>(number, thread).load(stage, from, loaded);
                case column_moves::words16:
                    return load_words<16>(stage, from, walk<by, in_size>(number, 16, thread));
                case column_moves::words8:
                    return load_words<8>(stage, from, walk<by, in_size>(number, 8, thread));
                default: return load_words<4>(stage, from, walk<by, in_size>(number, 4, thread));
            }
        }
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t number, int /*items*/,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        if constexpr (pads<Out>) {
            const column_tile here = problem_.shape.at(static_cast<std::uint32_t>(number));
            const padded_rows<Out> rows(problem_.shape, here, problem_.out);
            rows.store(stage + parts::out_at,
                       parts::one_place ? padded_in(here).skew() : rows.skew(), thread, by);
        } else if constexpr (in_arrays) {
            auto* const to = reinterpret_cast<unsigned char*>(problem_.out);
            const unsigned char* const results = stage + parts::out_at;
            switch (problem_.stores) {
                case column_moves::bulk:
                    return pieces<by, out_size>(number, thread).store(results, to);
                case column_moves::words16:
                    store_words<word16>(results, to, walk<by, out_size>(number, 16, thread));
                    break;
                case column_moves::words8:
                    store_words<std::uint64_t>(results, to, walk<by, out_size>(number, 8, thread));
                    break;
                default:
                    store_words<std::uint32_t>(results, to, walk<by, out_size>(number, 4, thread));
            }
            // The next bulk copy to this stage comes after these reads of it.
            if (parts::one_place && problem_.loads == column_moves::bulk) show_to_bulk_copies();
        } else {
            move_units<A>(
                walk<by, out_size>(number, out_size, thread),
                [&](const tile_walk& at) { return reinterpret_cast<const A*>(stage)[at.index]; },
                [&](const tile_walk& at, const A& value) {
                    store_at(problem_.out, at.place, value);
                });
        }
    }

 protected:
    using parts = column_stage_parts<A, In, Out, holds>;
    static constexpr int in_size = static_cast<int>(sizeof(In));
    static constexpr int out_size = static_cast<int>(sizeof(Out));
    template <class T>
    static constexpr bool pads = parts::template pads<T>;

    // In bytes: where a stretch begins in a stage, and the distance of its rows.
    struct place_in_stage {
        int first;
        int pitch;
    };
    template <class T>
    __device__ static place_in_stage place_of(const stretch& my, int begin, int pitch) {
        return {begin + my.first_row * pitch + my.column * static_cast<int>(sizeof(T)), pitch};
    }
    __device__ place_in_stage place_of_items(const column_tile& here, const stretch& my) const {
        if constexpr (pads<In>) {
            return place_of<In>(my, padded_in(here).skew(), padded_rows<In>::pitch(problem_.shape));
        } else {
            return place_of<In>(my, 0, here.columns * in_size);
        }
    }
    __device__ place_in_stage place_of_results(const column_tile& here, const stretch& my) const {
        if constexpr (parts::one_place) {
            return place_of_items(here, my);
        } else if constexpr (pads<Out>) {
            const padded_rows<Out> rows(problem_.shape, here, problem_.out);
            return place_of<Out>(my, parts::out_at + rows.skew(), rows.pitch(problem_.shape));
        } else {
            return place_of<Out>(my, parts::out_at, here.columns * out_size);
        }
    }
    __device__ padded_rows<In> padded_in(const column_tile& here) const {
        return {problem_.shape, here, problem_.in};
    }

    const Problem& problem_;

 private:
    // Of items of `bytes` bytes.
    template <int by, int bytes>
    __device__ tile_walk walk(std::uint64_t number, int unit, int thread) const {
        return {problem_.shape, problem_.shape.at(static_cast<std::uint32_t>(number)),
                bytes,          unit,
                thread,         by};
    }
    template <int by, int bytes>
    __device__ tile_pieces pieces(std::uint64_t number, int thread) const {
        return {problem_.shape, problem_.shape.at(static_cast<std::uint32_t>(number)), bytes,
                thread, by};
    }
};

}  // namespace lookback::detail::device
