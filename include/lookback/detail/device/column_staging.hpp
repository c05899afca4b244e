/// \file
/// What a stage of columns holds, and how tiles of columns come into it and out of it
/// (column_movers.hpp, padded_rows.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
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

/// What lies in a stage of columns: accumulators, which threads move one by one; or items as in
/// their array. These are moved by words or in bulk, or, narrow ones whose rows begin anywhere, by
/// vectors (padded_rows.hpp), or, by the staged driver, one by one.
enum class column_stage { accumulators, arrays, padded_arrays };

/// The parts of a stage, in bytes, for accumulators of type A. `size`: see column_shape.hpp.
template <class A, class In, std::size_t size, column_stage holds>
struct column_stage_parts {
    static constexpr bool pads = holds == column_stage::padded_arrays;
    static constexpr int room = column_tile_items(size) * static_cast<int>(sizeof(In)) +
                                (pads ? padded_rows<In>::most_padding(most_strip_rows(size)) : 0);
    /// Where the row of prefixes lies.
    static constexpr int row_at = room / 16 * 16 + 16;
    /// Where it is said which tile lies in the stage.
    static constexpr int tile_at =
        row_at + (widest_strip(size) * static_cast<int>(sizeof(A)) + 15) / 16 * 16;
    static constexpr int bytes = tile_at + static_cast<int>(sizeof(column_tile));
    /// Whether two stages fit beside what else the pipelined driver has in shared memory.
    static constexpr bool fits = 2 * bytes + 8 * 1024 <= hopper_shared_bytes;
};

/// Narrower items count as this many bytes: a tile's prefixes and totals are accumulators.
template <class A>
inline constexpr std::size_t least_staged_size = (sizeof(A) + 3) / 4;

/// `Start`: the initial value of each column, if there is one. The drivers see a tile as one item.
template <bool exclusive, class A, class In, class Out, class Op_, class Start>
struct column_problem {
    using value_type = A;
    using start_type = Start;
    /// Whether a stage may hold items as in their array.
    static constexpr bool in_array = [] {
        if constexpr (std::is_pointer_v<In>) {
            using item = std::remove_const_t<std::remove_pointer_t<In>>;
            return can_be_staged<A, item> && std::is_constructible_v<A, const item&> &&
                   alignof(A) <= 16;
        }
        return false;
    }();
    /// The size that decides how many items a tile has: of an item in a stage, at most that of an
    /// accumulator, and at least a quarter of it.
    static constexpr std::size_t staged_size =
        in_array ? std::clamp(sizeof(item_of<In>), least_staged_size<A>, sizeof(A)) : sizeof(A);
    static_assert(widest_strip(staged_size) <= most_stretches(sizeof(A)));
    template <column_stage holds>
    using parts = column_stage_parts<A, item_of<In>, staged_size, holds>;
    static constexpr bool is_exclusive = exclusive;
    static constexpr bool can_be_aligned = in_array && parts<column_stage::arrays>::fits;
    /// Whether also the staged driver's stage has room for items as in their array; whether these
    /// can always be moved by words; and whether narrow ones, whose rows may begin anywhere, can be
    /// padded.
    static constexpr bool fits_staged = can_be_aligned && sizeof(item_of<In>) <= sizeof(A);
    static constexpr bool in_words = fits_staged && alignof(item_of<In>) >= 4;
    static constexpr bool can_be_padded =
        can_be_aligned && alignof(item_of<In>) < 4 && parts<column_stage::padded_arrays>::fits;
    static_assert(!fits_staged || in_words || can_be_padded);
    /// Whether results in a stage can lie where their items did.
    static constexpr bool in_one_place = [] {
        if constexpr (std::is_pointer_v<Out>) {
            using result = std::remove_pointer_t<Out>;
            return can_be_staged<A, result> && put_by_cast<A, result> &&
                   sizeof(result) == sizeof(item_of<In>) && alignof(result) == alignof(item_of<In>);
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
    bool aligned;  ///< can_be_aligned holds, and items are not moved one by one
};

/// Moves tiles, and says where their items lie in a stage.
template <class Problem, column_stage holds>
class column_staging {
    using A = typename Problem::value_type;

 public:
    static constexpr bool in_arrays = holds != column_stage::accumulators;
    using In = std::conditional_t<in_arrays, item_of<decltype(Problem::in)>, A>;
    using Out = typename staged_items<in_arrays && Problem::in_one_place, Problem, A>::Out;

    __device__ explicit column_staging(const Problem& problem) : problem_(problem) {}

    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t number, int /*items*/,
                         int thread) const {
        const column_tile here = found(stage, number, thread);
        if constexpr (in_arrays) {
            if (problem_.loads != column_moves::items) {
                load_in_words<by>(stage, here, thread);
                if (problem_.loads == column_moves::bulk) load_end<by>(stage, here, thread);
                return wait_copies();
            }
        }
        move_units<In>(
            walk<by>(here, in_size, thread),
            [&](const tile_walk& at) { return static_cast<In>(problem_.in[at.place]); },
            [&](const tile_walk& at, const In& item) {
                reinterpret_cast<In*>(stage)[at.index] = item;
            });
    }
    template <int by>
    __device__ void start_load(unsigned char* stage, std::uint64_t number, phase_barrier& loaded,
                               int thread) const {
        const column_tile here = found(stage, number, thread);
        if constexpr (parts::pads) {
            const column_shape& all = problem_.shape;
            const auto begin = reinterpret_cast<std::uintptr_t>(problem_.in);
            return padded_in(here).start_load(
                stage, {begin, begin + all.outer * all.length * all.inner * in_size}, thread, by);
        } else if (problem_.loads == column_moves::bulk) {
            tile_pieces(problem_.shape, here, in_size, thread, by)
                .load(stage, reinterpret_cast<const unsigned char*>(problem_.in), loaded);
        } else {
            load_in_words<by>(stage, here, thread);
        }
    }

    /// Moves results from the stage to the output, where they go through it.
    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t /*number*/, int /*items*/,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        if constexpr (!in_arrays) {
            if (through_stage()) store_items<by>(stage, tile_in(stage), thread);
        } else if constexpr (Problem::in_one_place) {
            if (!through_stage()) return;
            const column_tile here = tile_in(stage);
            if constexpr (parts::pads) {
                store_items<by>(stage + padded_in(here).skew(), here, thread);
            } else {
                store_array<by>(stage, here, thread);
            }
            show_to_bulk_copies();  // the next one to this stage comes after these reads
        }
    }

 protected:
    using parts = column_stage_parts<A, In, Problem::staged_size, holds>;
    static constexpr int in_size = static_cast<int>(sizeof(In));

    // Which tile lies in a stage, and where.
    __device__ static column_tile& tile_in(unsigned char* stage) {
        return *reinterpret_cast<column_tile*>(stage + parts::tile_at);
    }

    // Whether results go through the stage: where neighbouring threads would store too few bytes
    // side by side (a tile is some whole rows), or could store much more (it is as high as the
    // array). Elsewhere they go straight from registers to their places.
    __device__ bool through_stage() const {
        if constexpr (in_arrays && !Problem::in_one_place) return false;
        return problem_.shape.whole_rows() || (!parts::pads && problem_.shape.tiles_down == 1);
    }

    // In bytes: where a stretch begins in a stage, and the distance of its rows.
    struct place_in_stage {
        int first;
        int pitch;
    };
    __device__ place_in_stage place_of_items(const column_tile& here, const stretch& my) const {
        const auto place = [&](int begin, int pitch) {
            return place_in_stage{begin + my.first_row * pitch + my.column * in_size, pitch};
        };
        if constexpr (parts::pads) {
            return place(padded_in(here).skew(), padded_rows<In>::pitch(problem_.shape));
        } else {
            return place(0, here.columns * in_size);
        }
    }
    __device__ padded_rows<In> padded_in(const column_tile& here) const {
        return {problem_.shape, here, problem_.in};
    }

    const Problem& problem_;

 private:
    // Loaders find out where a tile lies, for those that compute and store, too.
    __device__ column_tile found(unsigned char* stage, std::uint64_t number, int thread) const {
        const column_tile here = problem_.shape.at(static_cast<std::uint32_t>(number));
        if (thread == 0) tile_in(stage) = here;
        return here;
    }
    template <int by>
    __device__ void load_in_words(unsigned char* stage, const column_tile& here, int thread) const {
        const auto* const from = reinterpret_cast<const unsigned char*>(problem_.in);
        switch (problem_.loads) {
            case column_moves::bulk:
            case column_moves::words16:
                return load_words<16>(stage, from, walk<by>(here, 16, thread));
            case column_moves::words8: return load_short_words<8, by>(stage, from, here, thread);
            default: return load_short_words<4, by>(stage, from, here, thread);
        }
    }
    template <int bytes, int by>
    __device__ void load_short_words(unsigned char* stage, const unsigned char* from,
                                     const column_tile& here, int thread) const {
        if (problem_.shape.whole_rows()) {
            return load_words<bytes>(stage, from, walk<by>(here, bytes, thread));
        }
        load_rows_in_words<bytes>(stage, from, problem_.shape, here, in_size, thread, by);
    }
    template <int by>
    __device__ void store_array(const unsigned char* stage, const column_tile& here,
                                int thread) const {
        auto* const to = reinterpret_cast<unsigned char*>(problem_.out);
        switch (problem_.stores) {
            case column_moves::bulk: store_end<by>(to, stage, here, thread); [[fallthrough]];
            case column_moves::words16:
                return store_words<word16>(stage, to, walk<by>(here, 16, thread));
            case column_moves::words8:  // no code of their own: registers would not suffice
            case column_moves::words4:
                return store_words<std::uint32_t>(stage, to, walk<by>(here, 4, thread));
            case column_moves::items: store_items<by>(stage, here, thread);
        }
    }
    template <int by>
    __device__ void store_items(const unsigned char* results, const column_tile& here,
                                int thread) const {
        move_units<Out>(
            walk<by>(here, in_size, thread),
            [&](const tile_walk& at) { return reinterpret_cast<const Out*>(results)[at.index]; },
            [&](const tile_walk& at, const Out& value) {
                store_at(problem_.out, at.place, value);
            });
    }
    // What does not fill a vector, of a tile that is one piece of memory. (Others are whole
    // vectors.)
    template <int by>
    __device__ void load_end(unsigned char* stage, const column_tile& here, int thread) const {
        const auto* const from = reinterpret_cast<const unsigned char*>(problem_.in);
        for_end<by>(here, thread,
                    [&](std::uint64_t in_array, int i) { stage[i] = from[in_array]; });
    }
    template <int by>
    __device__ void store_end(unsigned char* to, const unsigned char* results,
                              const column_tile& here, int thread) const {
        for_end<by>(here, thread,
                    [&](std::uint64_t in_array, int i) { to[in_array] = results[i]; });
    }
    template <int by, class Copy>
    __device__ void for_end(const column_tile& here, int thread, const Copy& copy) const {
        const int bytes = here.items() * in_size;
        for (int i = bytes / 16 * 16 + thread; i < bytes; i += by) {
            copy(here.first * sizeof(In) + static_cast<unsigned>(i), i);
        }
    }
    template <int by>
    __device__ tile_walk walk(const column_tile& here, int unit, int thread) const {
        return {problem_.shape, here, in_size, unit, thread, by};
    }
};

}  // namespace lookback::detail::device
