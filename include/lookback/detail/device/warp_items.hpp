/// \file
/// A warp's share of a tile, held in registers: rows of 32 vectors of 16 bytes, one vector a lane,
/// as the light driver reads, scans and writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/lane_vector.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/rows_anywhere.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

template <class A>
inline constexpr int vector_items =
    sizeof(A) < 16 && 16 % sizeof(A) == 0 ? static_cast<int>(16 / sizeof(A)) : 1;

/// A warp's share of a tile, in registers, in a block of `warps` warps.
template <class Problem, int warps, int rows_>
class warp_items {
    using A = typename Problem::value_type;
    static constexpr int width = vector_items<A>;
    static constexpr int row_items = warp_lanes * width;
    static constexpr bool backward = Problem::step < 0;
    template <class P>
    using in_of = std::remove_cvref_t<decltype(*P::in)>;
    template <class P>
    using out_of = std::remove_cvref_t<decltype(*P::out)>;
    using vector = lane_vector<A, width, Problem::is_exclusive, backward>;
    // Items, or members of structs, of less than 4 bytes are loaded by words of 4 bytes where they
    // do not begin on a boundary of 16 bytes. The words at both ends of a vector contain bytes of
    // the neighbouring vectors, which are dropped. Other threads may be writing them at that time.
    static constexpr bool is_narrow = alignof(A) < 4;
    // Whether rows off boundaries are stored by words or vectors. Item by item, in stores of 4
    // bytes or less, each sector of memory would be written several times. That is faster in blocks
    // of few vectors all the same, and for stores of 8 bytes. (docs/tuning_log.md)
    static constexpr bool stores_rows = [] {
        using To = decltype(Problem::out);
        if constexpr (std::is_pointer_v<To>) {
            using Out = std::remove_pointer_t<To>;
            return moves_as<A, Out> && !std::is_volatile_v<Out> && 16 % sizeof(A) == 0 &&
                   (is_narrow || (alignof(Out) <= 4 && warps * rows_ >= 32));
        }
        return false;
    }();
    // Whether items and results lie on boundaries of vectors.
    __device__ static bool on_boundaries(const Problem& problem) {
        if constexpr (Problem::can_be_aligned) return problem.aligned;
        return false;
    }

 public:
    static constexpr int rows = rows_;
    static constexpr int items = rows * row_items;

    /// Reads the items from `first` on and scans them in place, row by row. `left`: the number of
    /// items from `first` to the tile's end; it may be none, or more than the share. Returns the
    /// fold of the items.
    __device__ maybe<A> load_and_scan(const Problem& problem, std::uint64_t first, int left) {
        if (left >= items) {
            load_rows<true>(problem, first, left);
            return scan_rows<true>(problem, left);
        }
        load_rows<false>(problem, first, left);
        return scan_rows<false>(problem, left);
    }

    /// Row r of a share alone, so that rows can be folded one after the other, with the same bits.
    class row {
     public:
        __device__ void load(const Problem& problem, std::uint64_t first, int left, int r) {
            load_vector<false>(problem, r, first, left, vector_);
        }
        __device__ maybe<A> fold(const Problem& problem, int left, int r) {
            const A running = vector_.scan(left_at_vector<false>(r, left), problem.op);
            const int lanes = lanes_in_row<false>(r, left);
            const A inclusive = scan_lanes(running, lanes, problem.op);
            return {from_lane(inclusive, lanes > 0 ? lanes - 1 : 0), lanes > 0};
        }

     private:
        vector vector_;
    };

    /// Writes the results of the same items. `prefix` is the fold of everything before them.
    __device__ void emit(const Problem& problem, std::uint64_t first, int left,
                         const maybe<A>& prefix) {
        // Only the first warp of an array may have nothing before it. It waits for no other tile,
        // so it need not be as fast; all others ask of no item whether something comes before it.
        // (Also arrays of one tile are faster with the code that checks: docs/tuning_log.md.)
        if (left >= items && prefix.some) {
            emit_rows<true>(problem, first, left, {prefix.value, true});
        } else {
            emit_rows<false>(problem, first, left, prefix);
        }
    }

 private:
    // `full`: the share has as many items as there is room for, so no bounds are checked.
    template <bool full>
    __device__ void load_rows(const Problem& problem, std::uint64_t first, int left) {
        if constexpr (full && Problem::can_be_aligned && is_narrow) {
            if (!problem.aligned && is_inside(first, left)) {
#pragma unroll
                for (int r = 0; r < rows; ++r) {
                    load_vector_by_words(problem, vector_in_scan(r, first), vector_[r]);
                }
                return;
            }
        }
#pragma unroll
        for (int r = 0; r < rows; ++r) load_vector<full>(problem, r, first, left, vector_[r]);
    }
    template <bool full>
    __device__ maybe<A> scan_rows(const Problem& problem, int left) {
        A inclusive[rows];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const A running = vector_[r].scan(left_at_vector<full>(r, left), problem.op);
            inclusive[r] = scan_lanes(running, lanes_in_row<full>(r, left), problem.op);
        }
        maybe<A> fold{{}, false};
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const int lanes = lanes_in_row<full>(r, left);
            const bool below = lane() > 0 && left_at_vector<full>(r, left) > 0;
            before_[r] = combine(fold, {from_lane_below(inclusive[r], 1), below}, problem.op);
            if (full || left > r * row_items) {
                fold = combine(fold, {from_lane(inclusive[r], lanes - 1), true}, problem.op);
            }
        }
        return fold;
    }

    template <bool full>
    __device__ void emit_rows(const Problem& problem, std::uint64_t first, int left,
                              const maybe<A>& prefix) {
        const auto put_before = [&](int r) {
            const maybe<A> before = combine(prefix, before_[r], problem.op);
            vector_[r].put_before(before, left_at_vector<full>(r, left), problem.op);
        };
        if constexpr (full && (stores_rows || Problem::can_be_aligned)) {
#pragma unroll
            for (int r = 0; r < rows; ++r) put_before(r);
            if (stores_rows && !on_boundaries(problem)) {
                store_rows_anywhere(problem, first);
            } else {
#pragma unroll
                for (int r = 0; r < rows; ++r) store_vector<true>(problem, r, first, left);
            }
        } else {
            // Row by row: what a lane stores item by item is then written together.
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                put_before(r);
                store_vector<full>(problem, r, first, left);
            }
        }
    }

    __device__ void store_rows_anywhere(const Problem& problem, std::uint64_t first) const {
        if constexpr (stores_rows) {
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                store_row_anywhere<backward>(vector_at(problem.out, vector_in_scan(r, first)),
                                             vector_[r].template give<out_of<Problem>>());
            }
        }
    }

    // Vector r of this lane: the number of its first item in the scan; and its lowest address in
    // the array.
    __device__ static std::uint64_t vector_in_scan(int r, std::uint64_t first) {
        return same_number(first + static_cast<std::uint64_t>(lane() * width)) +
               static_cast<std::uint64_t>(r * row_items);
    }
    template <class Array>
    __device__ static auto* vector_at(const Array& array, std::uint64_t at) {
        return backward ? array - (at + width - 1) : array + at;
    }
    __device__ static int offset_in_warp(int r) { return r * row_items + lane() * width; }
    template <bool full>
    __device__ static int lanes_in_row(int r, int left) {
        return full ? warp_lanes : lanes_in_use(left - r * row_items, width);
    }
    template <bool full>
    __device__ static int left_at_vector(int r, int left) {
        return full ? width : left - offset_in_warp(r);
    }

    template <bool full>
    __device__ static void load_vector(const Problem& problem, int r, std::uint64_t first, int left,
                                       vector& to) {
        const std::uint64_t at = vector_in_scan(r, first);
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            if (problem.aligned && mine >= width) {
                to.take(load_vector16<in_of<Problem>>(vector_at(problem.in, at)));
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) to.set(i, problem.load(at + static_cast<std::uint64_t>(i)));
        }
    }

    template <bool full>
    __device__ void store_vector(const Problem& problem, int r, std::uint64_t first,
                                 int left) const {
        const std::uint64_t at = vector_in_scan(r, first);
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            if (problem.aligned && mine >= width) {
                store_vector16(vector_at(problem.out, at),
                               vector_[r].template give<out_of<Problem>>());
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) problem.store(at + static_cast<std::uint64_t>(i), vector_[r][i]);
        }
    }

    // Whether enough items of the scan lie before this share, and behind it, that the words at its
    // ends lie within the array.
    __device__ static bool is_inside(std::uint64_t first, int left) {
        constexpr int size = static_cast<int>(sizeof(A));
        constexpr int bytes = 4 - static_cast<int>(alignof(in_of<Problem>));
        constexpr int reached = (bytes + size - 1) / size;
        return first > 0 && left - items >= reached;
    }
    __device__ static void load_vector_by_words(const Problem& problem, std::uint64_t at,
                                                vector& to) {
        const auto address = reinterpret_cast<std::uintptr_t>(vector_at(problem.in, at));
        const auto byte = static_cast<unsigned>(address % 4);
        const auto* const from = reinterpret_cast<const std::uint32_t*>(address - byte);
        std::uint32_t word[5] = {};
        const racing_reads of_bytes_not_used;
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            if (i < 4 || byte != 0) word[i] = from[i];
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = word_between(word[i], word[i + 1], byte);
        vector16<in_of<Problem>> packed;
        std::memcpy(&packed, word, 16);
        to.take(packed);
    }

    vector vector_[rows];
    maybe<A> before_[rows];  // the fold of the warp's items before this lane's vector, row by row
};

}  // namespace lookback::detail::device
