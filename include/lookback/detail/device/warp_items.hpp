/// \file
/// A warp's share of a tile, held in registers: rows of 32 vectors of 16 bytes, one vector a lane,
/// as the light driver reads, scans and writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

template <class A>
inline constexpr int vector_items =
    sizeof(A) < 16 && 16 % sizeof(A) == 0 ? static_cast<int>(16 / sizeof(A)) : 1;

/// A warp's share of a tile, in registers.
template <class Problem, int rows_>
class warp_items {
    using A = typename Problem::value_type;
    static constexpr int width = vector_items<A>;
    static constexpr int row_items = warp_lanes * width;
    static constexpr bool backward = Problem::step < 0;

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
            load_vector<false>(problem, r, first, left, item_);
        }
        __device__ maybe<A> fold(const Problem& problem, int left, int r) const {
            const int mine = left_at_vector<false>(r, left);
            A running = item_[0];
#pragma unroll
            for (int i = 1; i < width; ++i) {
                if (i < mine) running = static_cast<A>(problem.op(running, item_[i]));
            }
            const int lanes = lanes_in_row<false>(r, left);
            const A inclusive = scan_lanes(running, lanes, problem.op);
            return {from_lane(inclusive, lanes > 0 ? lanes - 1 : 0), lanes > 0};
        }

     private:
        A item_[width];
    };

    /// Writes the results of the same items. `prefix` is the fold of everything before them.
    __device__ void emit(const Problem& problem, std::uint64_t first, int left,
                         const maybe<A>& prefix) {
        left >= items ? emit_rows<true>(problem, first, left, prefix)
                      : emit_rows<false>(problem, first, left, prefix);
    }

 private:
    // `full`: the share has as many items as there is room for, so no bounds are checked.
    template <bool full>
    __device__ void load_rows(const Problem& problem, std::uint64_t first, int left) {
        if constexpr (full && Problem::can_be_aligned && is_narrow) {
            if (!problem.aligned && is_inside(first, left)) {
#pragma unroll
                for (int r = 0; r < rows; ++r) {
                    load_vector_by_words(problem, vector_in_scan(r, first), item_[r]);
                }
                return;
            }
        }
#pragma unroll
        for (int r = 0; r < rows; ++r) load_vector<full>(problem, r, first, left, item_[r]);
    }
    template <bool full>
    __device__ maybe<A> scan_rows(const Problem& problem, int left) {
        A inclusive[rows];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const int mine = left_at_vector<full>(r, left);
            A running = item_[r][0];
#pragma unroll
            for (int i = 1; i < width; ++i) {
                if (i < mine) {
                    running = static_cast<A>(problem.op(running, item_[r][i]));
                    item_[r][i] = running;
                }
            }
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
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const maybe<A> before = combine(prefix, before_[r], problem.op);
            const int mine = left_at_vector<full>(r, left);
            A result[width];
#pragma unroll
            for (int i = 0; i < width; ++i) {
                if (i < mine) {
                    if constexpr (Problem::is_exclusive) {
                        result[i] = i == 0
                                        ? before.value
                                        : static_cast<A>(problem.op(before.value, item_[r][i - 1]));
                    } else {
                        result[i] = before.some
                                        ? static_cast<A>(problem.op(before.value, item_[r][i]))
                                        : item_[r][i];
                    }
                }
            }
            store_vector<full>(problem, r, first, left, result);
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
    template <class P>
    using in_of = std::remove_cvref_t<decltype(*P::in)>;
    template <class In>
    __device__ static void unpack(const vector16<In>& vector, A (&item)[width]) {
#pragma unroll
        for (int i = 0; i < width; ++i) {
            item[i] = static_cast<A>(vector.item[backward ? width - 1 - i : i]);
        }
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
                                       A (&item)[width]) {
        const std::uint64_t at = vector_in_scan(r, first);
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            if (problem.aligned && mine >= width) {
                unpack(load_vector16<in_of<Problem>>(vector_at(problem.in, at)), item);
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) item[i] = problem.load(at + static_cast<std::uint64_t>(i));
        }
    }

    template <bool full>
    __device__ void store_vector(const Problem& problem, int r, std::uint64_t first, int left,
                                 const A (&result)[width]) const {
        const std::uint64_t at = vector_in_scan(r, first);
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            const bool by_words = is_narrow && full && !problem.aligned;
            if ((problem.aligned && mine >= width) || by_words) {
                using Out = std::remove_cvref_t<decltype(*problem.out)>;
                vector16<Out> vector;
#pragma unroll
                for (int i = 0; i < width; ++i) {
                    vector.item[backward ? width - 1 - i : i] = static_cast<Out>(result[i]);
                }
                auto* const to = vector_at(problem.out, at);
                by_words ? store_vector_by_words(to, vector) : store_vector16(to, vector);
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) problem.store(at + static_cast<std::uint64_t>(i), result[i]);
        }
    }

    // Narrow items that do not begin on a boundary of 16 bytes are moved by words of 4 bytes. The
    // words at both ends of a vector contain bytes of the neighbouring vectors. A load drops those
    // bytes, which other threads may be writing at that time. For a store, lanes give each other
    // the bytes that they lack. Structs of bytes may begin at any multiple of their alignment, so
    // the alignment counts, not the size.
    static constexpr bool is_narrow = sizeof(A) < 4;
    // Whether enough items of the scan lie before this share, and behind it, that the words at its
    // ends lie within the array.
    __device__ static bool is_inside(std::uint64_t first, int left) {
        constexpr int size = static_cast<int>(sizeof(A));
        constexpr int bytes = 4 - static_cast<int>(alignof(in_of<Problem>));
        constexpr int reached = (bytes + size - 1) / size;
        return first > 0 && left - items >= reached;
    }
    __device__ static void load_vector_by_words(const Problem& problem, std::uint64_t at,
                                                A (&item)[width]) {
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
        vector16<in_of<Problem>> vector;
        std::memcpy(&vector, word, 16);
        unpack(vector, item);
    }
    template <class T>
    __device__ static void store_vector_by_words(T* at, const vector16<T>& vector) {
        std::uint32_t word[4];
        std::memcpy(word, &vector, 16);
        const auto byte = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 4);
        auto* const to = reinterpret_cast<unsigned char*>(at) - byte;
        const std::uint32_t behind = backward ? shuffle_up(word[0], 1) : shuffle_down(word[0], 1);
        const bool is_first = lane() == (backward ? warp_lanes - 1 : 0);
        const bool is_last = lane() == (backward ? 0 : warp_lanes - 1);
        if (byte == 0) {
            *reinterpret_cast<std::uint32_t*>(to) = word[0];
        } else if (is_first) {
            store_bytes<alignof(T)>(to, word[0] << (8 * byte), byte, 4);
        }
#pragma unroll
        for (int i = 1; i < 4; ++i) {
            reinterpret_cast<std::uint32_t*>(to)[i] =
                word_between(word[i - 1], word[i], static_cast<unsigned>(4 - byte));
        }
        const std::uint32_t last =
            word_between(word[3], is_last ? 0 : behind, static_cast<unsigned>(4 - byte));
        if (!is_last && byte != 0) {
            reinterpret_cast<std::uint32_t*>(to)[4] = last;
        } else {
            store_bytes<alignof(T)>(to + 16, last, 0, byte);
        }
    }
    template <int unit>
    __device__ static void store_bytes(unsigned char* to, std::uint32_t word, int begin, int end) {
#pragma unroll
        for (int b = 0; b < 4; b += unit) {
            if (b >= begin && b < end)
                *reinterpret_cast<unsigned_word<unit>*>(to + b) =
                    static_cast<unsigned_word<unit>>(word >> (8 * b));
        }
    }

    A item_[rows][width];
    maybe<A> before_[rows];  // the fold of the warp's items before this lane's vector, row by row
};

}  // namespace lookback::detail::device
