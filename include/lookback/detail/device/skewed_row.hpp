/// \file
/// A tile of an array as a row of bytes in a stage. The row begins as far behind a boundary of 128
/// bytes, the size of a cache line, in the stage as in the array; that distance is its skew. So
/// bulk copies, which move whole vectors of 16 bytes between 16-byte boundaries, can load and store
/// arrays that begin anywhere. Threads read and write their items at the skew. All tiles of an
/// array have the skew of the first tile, because every tile is a whole number of vectors long.
/// Nearly all tiles are whole lines long, where bulk copies are fastest.
///
/// Loads are rounded outward. The bytes of neighbouring tiles that they bring, which others may be
/// writing at that time, are not used. At the ends of the array, and in stores, one thread moves
/// the bytes that do not fill a vector, by words of 1, 2, 4 and 8 bytes. Where there are no bulk
/// copies, all threads of a block move vectors.
///
/// Cost: each byte is moved once, except the lines that two tiles share: both tiles read them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

/// Copies the bytes from `begin` to `end` that do not fill a vector: those before the first
/// boundary of 16 bytes, or those behind the last. `least`, in bytes, divides both ends.
template <int least>
class vector_edges {
 public:
    __device__ vector_edges(unsigned char* to, const unsigned char* from) : to_(to), from_(from) {}

    /// Copies the bytes before the first vector, and returns where the remaining bytes begin.
    __device__ int copy_first(int begin, int end) const {
        if constexpr (least < 16) return first_words<least>(begin, end);
        return begin;
    }
    __device__ void copy_last(int begin, int end) const {
        if constexpr (least < 16) last_words<least>(begin, end);
    }

 private:
    // All words are read before the first is written, so that all reads are in flight together. A
    // word of `size` bytes is copied if `begin`, rounded up to a multiple of `size`, has the bit
    // `size`. What follows the word begins at a multiple of the next larger size.
    template <int size>
    __device__ int first_words(int begin, int end) const {
        using word = unsigned_word<size>;
        const int at = (begin + size - 1) / size * size;
        const bool some = (at & size) != 0 && at + size <= end;
        word copied{};
        if (some) copied = *reinterpret_cast<const word*>(from_ + at);
        int left = some ? at + size : begin;
        if constexpr (size < 8) left = first_words<2 * size>(left, end);
        if (some) *reinterpret_cast<word*>(to_ + at) = copied;
        return left;
    }
    // Likewise from `end` downward.
    template <int size>
    __device__ void last_words(int begin, int end) const {
        using word = unsigned_word<size>;
        const int at = end / (2 * size) * (2 * size);
        const bool some = (end & size) != 0 && at >= begin;
        word copied{};
        if (some) copied = *reinterpret_cast<const word*>(from_ + at);
        if constexpr (size < 8) last_words<2 * size>(begin, end);
        if (some) *reinterpret_cast<word*>(to_ + at) = copied;
    }

    unsigned char* to_;
    const unsigned char* from_;
};

/// Rows lie at the same place in a line of 128 bytes in the stage as in global memory. Bulk copies
/// are slower by 4 % if they do not.
inline constexpr int line_bytes = 128;

/// An array in which item i of a tile is array[step * (first + i)]. Backward (step < 0), the first
/// item has the highest address, in a stage as in the array. Forward, a row may begin with the
/// `before` items before the tile; the first tile has room for them, but does not have them.
template <class T, int step, int tile_items, int before = 0>
class skewed_row {
    static constexpr bool backward = step < 0;
    static constexpr int size = static_cast<int>(sizeof(T));
    static constexpr int least = alignof(T) < 16 ? static_cast<int>(alignof(T)) : 16;
    static constexpr int tile_bytes = tile_items * size;
    static constexpr int row_bytes = before * size + tile_bytes;
    static_assert(tile_bytes % 16 == 0, "one skew is right for all tiles");
    static_assert(before == 0 || !backward);
    // A bulk copy ends with whole vectors of 16 bytes, or backward begins with a whole line. So it
    // may read a part of the items behind the tile, which have to be there.
    static constexpr std::uint64_t least_behind = ((backward ? line_bytes : 16) + size - 2) / size;

 public:
    static constexpr int stage_bytes = row_bytes + line_bytes;

    __device__ explicit skewed_row(T* array) : array_(array) {}

    __device__ int skew() const {
        return static_cast<int>(
            (reinterpret_cast<std::uintptr_t>(array_ + (backward ? 1 : 0)) - before * size) %
            line_bytes);
    }
    /// Where a tile's first item lies in its stage.
    __device__ int first_at() const { return skew() + before * size; }

    /// Starts loading a tile. `behind`: the number of the array's items behind it. This thread
    /// arrives once at `loaded`. `wait_for_room` is called when all addresses are computed.
    template <class Wait>
    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               std::uint64_t behind, phase_barrier& loaded,
                               const Wait& wait_for_room) const {
        start_part_of_load(stage, first, items, behind, loaded, wait_for_room);
        loaded.arrive();
    }
    /// The same, but this thread must still arrive.
    template <class Wait>
    __device__ void start_part_of_load(unsigned char* stage, std::uint64_t first, int items,
                                       std::uint64_t behind, phase_barrier& loaded,
                                       const Wait& wait_for_room) const {
        const unsigned char* const from = origin(first);
        const int begin = skew();
        const bool on_boundaries = begin == 0 && before == 0;
        const bool is_whole =
            items == tile_items && (on_boundaries || (first > 0 && behind >= least_behind));
        // The copy begins at the line's beginning if all tiles are whole lines long: the line is
        // then that of the tile's first byte. Otherwise the line may begin before the array.
        constexpr bool from_line = tile_bytes % line_bytes == 0;
        const int low = from_line ? 0 : begin / 16 * 16;
        const auto bytes = static_cast<std::uint32_t>((begin + row_bytes + 15) / 16 * 16 - low);
        wait_for_room();
        if (!is_whole) {
            load_at_end(stage, from, first, items, loaded);
        } else {
            loaded.expect(bytes);
            if (on_boundaries) {
                bulk_load(stage, from, bytes, loaded);
            } else {
                const racing_reads of_items_not_used;  // in place
                bulk_load(stage + low, from + low, bytes, loaded);
            }
        }
    }

    /// Loads a tile with `by` threads, of which this is number `thread`. `store` stores a tile
    /// likewise.
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        copy_by<by>(stage, origin(first), span_of(items), thread);
    }
    template <int by>
    __device__ void store(const unsigned char* stage, std::uint64_t first, int items,
                          int thread) const {
        copy_by<by>(origin(first), stage, span_of(items), thread);
    }

    /// Starts storing a tile by bulk copies. `wait_for_results` waits until the tile is in the
    /// stage; it is called when all addresses are computed.
    template <class Wait>
    __device__ void start_store(unsigned char* stage, std::uint64_t first, int items,
                                const Wait& wait_for_results) const {
        unsigned char* const to = origin(first);
        if (items == tile_items && skew() == 0) {
            wait_for_results();
            return bulk_store(to, stage, tile_bytes);
        }
        const span row = span_of(items);
        wait_for_results();
        const int begin = row.vectors_begin, end = row.vectors_end;
        const int lines_begin = (begin + line_bytes - 1) / line_bytes * line_bytes;
        const int lines_end = end / line_bytes * line_bytes;
        if (lines_begin < lines_end) {
            store_vectors(to, stage, lines_begin, lines_end);
            store_vectors(to, stage, begin, lines_begin);
            store_vectors(to, stage, lines_end, end);
        } else {
            store_vectors(to, stage, begin, end);
        }
        if (row.begin % 16 != 0 || row.end % 16 != 0) {
            const vector_edges<least> edges(to, stage);
            edges.copy_last(edges.copy_first(row.begin, row.end), row.end);
            show_to_bulk_copies();  // the next bulk copy to this stage comes after these reads
        }
    }

 private:
    // A row in its stage, and the whole vectors in it, if there are any.
    struct span {
        int begin, end;
        int vectors_begin, vectors_end;
    };
    __device__ span span_of(int items, int items_before = 0) const {
        const int begin = first_at() + (backward ? tile_items - items : -items_before) * size;
        const int end = begin + (items_before + items) * size;
        return {begin, end, (begin + 15) / 16 * 16, end / 16 * 16};
    }
    __device__ void load_at_end(unsigned char* stage, const unsigned char* from,
                                std::uint64_t first, int items, phase_barrier& loaded) const {
        const span row = span_of(items, first > 0 ? before : 0);
        const int bytes = row.vectors_end - row.vectors_begin;
        const auto copy = [&] {
            if (bytes > 0) {
                loaded.expect(static_cast<std::uint32_t>(bytes));
                bulk_load(stage + row.vectors_begin, from + row.vectors_begin,
                          static_cast<std::uint32_t>(bytes), loaded);
            }
            const vector_edges<least> edges(stage, from);
            edges.copy_last(edges.copy_first(row.begin, row.end), row.end);
        };
        if constexpr (before > 0) {
            // The items before the tile may be written meanwhile, in place (compaction_agent.hpp).
            const racing_reads of_the_same_value;
            copy();
        } else {
            copy();
        }
    }
    template <int by>
    __device__ static void copy_by(unsigned char* to, const unsigned char* from, const span& row,
                                   int thread) {
        if (thread == by - 1) {
            const vector_edges<least> edges(to, from);
            edges.copy_last(edges.copy_first(row.begin, row.end), row.end);
        }
        constexpr int rounds = (tile_bytes + 16 * by - 1) / (16 * by);
        const int begin = row.vectors_begin + 16 * thread;
        vector16<std::uint32_t> vector[rounds];
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int at = begin + r * 16 * by;
            if (at < row.vectors_end) vector[r] = load_vector16<std::uint32_t>(from + at);
        }
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int at = begin + r * 16 * by;
            if (at < row.vectors_end) store_vector16(to + at, vector[r]);
        }
    }
    __device__ static void store_vectors(unsigned char* to, const unsigned char* stage, int begin,
                                         int end) {
        if (begin < end)
            bulk_store(to + begin, stage + begin, static_cast<std::uint32_t>(end - begin));
    }
    // The address in the array that corresponds to the first byte of a stage. It may lie outside
    // the array.
    __device__ auto* origin(std::uint64_t first) const {
        using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
        T* const lowest =
            backward ? array_ - (first + std::uint64_t{tile_items - 1}) : array_ + first;
        return reinterpret_cast<byte*>(lowest) - first_at();
    }

    T* array_;
};

}  // namespace lookback::detail::device
