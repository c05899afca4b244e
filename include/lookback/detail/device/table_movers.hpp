/// \file
/// How tiles of images (table_tiles.hpp) get into stages of shared memory: row by row in words of
/// 4, 8 or 16 bytes, by asynchronous copies, or item by item, which takes any iterator and type.
/// And how they get from there into registers.
///
/// Rows of items narrower than 4 bytes may begin anywhere. Such a row is copied from the beginning
/// of the aligned word of 4 bytes that contains its first byte, and takes one word more in the
/// stage. The bytes before the row's first item that this brings are not used. (The word lies in
/// the array's memory, because allocations begin on boundaries of more than 4 bytes.)
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/device/table_tiles.hpp"

namespace lookback::detail::device {

/// Starts copying a tile's rows, in words of `bytes`, with `by` threads. Rows of the stage have
/// `columns` items.
template <int by, int bytes, int columns, class Item>
__device__ void start_table_words(unsigned char* to, const Item* in, const table_tiles& tiles,
                                  const table_tile& here, int thread) {
    constexpr int of_row = columns * static_cast<int>(sizeof(Item)) / bytes;
    const int used = here.columns * static_cast<int>(sizeof(Item)) / bytes;
    const auto* const from = reinterpret_cast<const unsigned char*>(in + here.in);
    const std::uint64_t pitch = tiles.in_pitch * sizeof(Item);
    if constexpr (by % of_row == 0) {  // each thread has the same place in several rows
        const int word = thread % of_row;
        if (word >= used) return;
        const unsigned char* at =
            from + static_cast<unsigned>(thread / of_row) * pitch + word * bytes;
        to += thread * bytes;
#pragma unroll 4
        for (int row = thread / of_row; row < here.rows; row += by / of_row) {
            copy_later<bytes>(to, at);
            at += by / of_row * pitch;
            to += by * bytes;
        }
    } else {
#pragma unroll 4
        for (int i = thread; i < here.rows * of_row; i += by) {
            const int row = i / of_row, word = i % of_row;
            if (word < used) {
                copy_later<bytes>(to + i * bytes,
                                  from + static_cast<unsigned>(row) * pitch + word * bytes);
            }
        }
    }
}
template <class Item>
inline constexpr bool begins_anywhere = alignof(Item) < 4;
/// Bytes from a row of a stage to the next, if rows begin anywhere.
template <int columns, class Item>
inline constexpr int loose_row_bytes = (columns * static_cast<int>(sizeof(Item)) + 3) / 4 * 4 + 4;
/// Bytes of a stage that the items of a tile take.
template <int columns, class Item>
inline constexpr int table_item_bytes =
    table_rows_of_tile * (begins_anywhere<Item> ? loose_row_bytes<columns, Item>
                                                : columns * static_cast<int>(sizeof(Item)));

/// How many bytes behind a boundary of 4 bytes a row of a tile begins.
template <class Item>
__device__ unsigned skew_of_row(const Item* in, const table_tiles& tiles, const table_tile& here,
                                int row) {
    const auto first = reinterpret_cast<std::uintptr_t>(in + here.in);
    const auto pitch = static_cast<unsigned>(tiles.in_pitch * sizeof(Item));
    return (static_cast<unsigned>(first) + static_cast<unsigned>(row) * pitch) % 4;
}
/// Starts copying a tile's rows, which may begin anywhere.
template <int by, int columns, class Item>
__device__ void start_loose_rows(unsigned char* to, const Item* in, const table_tiles& tiles,
                                 const table_tile& here, int thread) {
    constexpr int of_row = loose_row_bytes<columns, Item> / 4;
    const racing_reads of_items_not_used;  // in place, other blocks may write them
    const auto* const from = reinterpret_cast<const unsigned char*>(in + here.in);
    const std::uint64_t pitch = tiles.in_pitch * sizeof(Item);
    const int bytes = here.columns * static_cast<int>(sizeof(Item));
#pragma unroll 4
    for (int i = thread; i < here.rows * of_row; i += by) {
        const int row = i / of_row;
        const int at = i % of_row * 4 - static_cast<int>(skew_of_row(in, tiles, here, row));
        const int used = bytes - at;
        if (used > 0) {
            copy_word_later(to + i * 4, from + static_cast<unsigned>(row) * pitch + at,
                            used < 4 ? used : 4);
        }
    }
}

/// Starts copying a tile's rows, in words of the problem's size.
template <int by, int columns, class Problem>
__device__ void start_table_rows(unsigned char* to, const Problem& problem, const table_tile& here,
                                 int thread) {
    const auto& tiles = problem.tiles;
    switch (problem.word_bytes) {
        case 16: return start_table_words<by, 16, columns>(to, problem.in, tiles, here, thread);
        case 8: return start_table_words<by, 8, columns>(to, problem.in, tiles, here, thread);
        case 4: return start_table_words<by, 4, columns>(to, problem.in, tiles, here, thread);
        default: break;
    }
    if constexpr (begins_anywhere<typename Problem::item_type>) {
        start_loose_rows<by, columns>(to, problem.in, tiles, here, thread);
    }
}

/// Loads a tile's items, converted to the type that is summed.
template <int by, int columns, class Problem>
__device__ void load_table_items(typename Problem::value_type* to, const Problem& problem,
                                 const table_tile& here, int thread) {
    using A = typename Problem::value_type;
    load_each<by>(to, here.rows * columns, thread, [&](int i) {
        const int row = i / columns, column = i % columns;
        if (column >= here.columns) return A{};
        return Problem::value(problem.in[static_cast<std::int64_t>(
            here.in + static_cast<unsigned>(row) * problem.tiles.in_pitch +
            static_cast<unsigned>(column))]);
    });
}

/// A lane's items of a row, as they lie in memory.
template <class In, int of_lane>
struct packed_items {
    static constexpr int bytes = static_cast<int>(sizeof(In)) * of_lane;
    static constexpr int alignment =
        (bytes & (bytes - 1)) == 0 && bytes <= 16 ? bytes : static_cast<int>(alignof(In));
    alignas(alignment) In item[of_lane];
};
/// A lane's items, from byte `at` of a row on, which may be any byte.
template <class In, int of_lane>
__device__ packed_items<In, of_lane> loose_items(const unsigned char* row, unsigned at) {
    using pack = packed_items<In, of_lane>;
    pack items;
    if constexpr (pack::bytes % 4 == 0) {
        const auto* const from = reinterpret_cast<const std::uint32_t*>(row + at / 4 * 4);
        constexpr int words = pack::bytes / 4;
        std::uint32_t word[words + 1];
#pragma unroll
        for (int i = 0; i <= words; ++i) word[i] = from[i];
#pragma unroll
        for (int i = 0; i < words; ++i) word[i] = word_between(word[i], word[i + 1], at % 4);
        std::memcpy(static_cast<void*>(&items), word, pack::bytes);
    } else {
#pragma unroll
        for (int k = 0; k < of_lane; ++k) items.item[k] = reinterpret_cast<const In*>(row + at)[k];
    }
    return items;
}

/// Converts items of some rows of a tile, from row `first` on, to the type that is summed; A{}
/// where the tile is cut off.
template <class A, class In, int of_lane, int rows, class Value>
__device__ void convert_items(const packed_items<In, of_lane> (&items)[rows],
                              const table_tile& here, int first,
                              typename table_row<A>::entries (&sum)[rows], const Value& value) {
    if (here.columns == table_row<A>::columns && here.rows == table_rows_of_tile) {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
#pragma unroll
            for (int k = 0; k < of_lane; ++k) sum[i].entry[k] = value(items[i].item[k]);
        }
        return;
    }
    const int used = here.columns - lane() * of_lane;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int k = 0; k < of_lane; ++k) {
            sum[i].entry[k] = A{};
            if (k < used && first + i < here.rows) sum[i].entry[k] = value(items[i].item[k]);
        }
    }
}

/// Reads a lane's items of some rows of a tile from the stage, from row `first` on. All loads are
/// issued before the first is waited for.
template <bool loose, class In, int of_lane, int rows, class Problem>
__device__ void read_rows(const unsigned char* stage, const Problem& problem,
                          const table_tile& here, int first,
                          packed_items<In, of_lane> (&items)[rows]) {
    using row = table_row<typename Problem::value_type>;
    using pack = packed_items<In, of_lane>;
    if constexpr (loose) {
        constexpr int pitch = loose_row_bytes<row::columns, In>;
        const auto at = static_cast<unsigned>(lane() % row::lanes * pack::bytes);
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            items[i] = loose_items<In, of_lane>(
                stage + (first + i) * pitch,
                at + skew_of_row(problem.in, problem.tiles, here, first + i));
        }
    } else {
        const pack* const from =
            reinterpret_cast<const pack*>(stage) + first * row::lanes + lane() % row::lanes;
#pragma unroll
        for (int i = 0; i < rows; ++i) items[i] = from[i * row::lanes];
    }
}

/// The same for rows that may begin anywhere or not, as the problem says.
template <class In, int of_lane, int rows, class Problem>
__device__ void read_rows(const unsigned char* stage, const Problem& problem,
                          const table_tile& here, int first,
                          packed_items<In, of_lane> (&items)[rows]) {
    if constexpr (begins_anywhere<In>) {
        if (problem.word_bytes < 4) return read_rows<true>(stage, problem, here, first, items);
    }
    read_rows<false>(stage, problem, here, first, items);
}

/// Reads some rows of a tile from the stage, from row `first` on: a lane's items of each row, as
/// the type that is summed. `in_words`: the stage has items as they were copied; otherwise it has
/// them converted.
template <bool in_words, int rows, class Problem>
__device__ void take_table_rows(
    const unsigned char* stage, const Problem& problem, const table_tile& here, int first,
    typename table_row<typename Problem::value_type>::entries (&sum)[rows]) {
    using A = typename Problem::value_type;
    using In = std::conditional_t<in_words, typename Problem::item_type, A>;
    packed_items<In, table_row<A>::of_lane> items[rows];
    const auto value = [](const In& item) {
        if constexpr (in_words) {
            return Problem::value(item);
        } else {
            return item;
        }
    };
    // Each branch has its own conversion and returns, so that neither slows down the other.
    if constexpr (in_words && begins_anywhere<In>) {
        if (problem.word_bytes < 4) {
            read_rows<true>(stage, problem, here, first, items);
            return convert_items<A>(items, here, first, sum, value);
        }
    }
    read_rows<false>(stage, problem, here, first, items);
    convert_items<A>(items, here, first, sum, value);
}

}  // namespace lookback::detail::device
