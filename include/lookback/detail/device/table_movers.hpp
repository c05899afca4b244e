/// \file
/// How tiles of images (table_tiles.hpp) get into stages of shared memory: row by row in words of
/// 4, 8 or 16 bytes, by copies that run by themselves, or item by item, which takes any iterator,
/// type and alignment; and from there into registers.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/device/table_tiles.hpp"

namespace lookback::detail::device {

/// Starts copying a tile's rows, in words of `bytes`, by `by` threads; rows of the stage have
/// `columns` items.
template <int by, int bytes, int columns, class Item>
__device__ void start_table_words(unsigned char* to, const Item* in, const table_tiles& tiles,
                                  const table_tile& here, int thread) {
    constexpr int of_row = columns * static_cast<int>(sizeof(Item)) / bytes;
    const int used = here.columns * static_cast<int>(sizeof(Item)) / bytes;
    const auto* const from = reinterpret_cast<const unsigned char*>(in + here.in);
    const std::uint64_t pitch = tiles.in_pitch * sizeof(Item);
    if constexpr (by % of_row == 0) {  // each thread has one place in some rows
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
/// The same, in the words that a problem's rows are made of.
template <int by, int columns, class Problem>
__device__ void start_table_rows(unsigned char* to, const Problem& problem, const table_tile& here,
                                 int thread) {
    const auto& tiles = problem.tiles;
    switch (problem.word_bytes) {
        case 16: return start_table_words<by, 16, columns>(to, problem.in, tiles, here, thread);
        case 8: return start_table_words<by, 8, columns>(to, problem.in, tiles, here, thread);
        default: return start_table_words<by, 4, columns>(to, problem.in, tiles, here, thread);
    }
}

/// Loads a tile's items, as what is summed.
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

/// From the stage, some rows of a tile from `first` on, a lane's items of each, as what is summed.
/// All are asked for before the first is waited for. `value`: what is summed of an item.
template <class A, class In, int rows, class Value>
__device__ void take_table_rows(const unsigned char* stage, const table_tile& here, int first,
                                typename table_row<A>::entries (&sum)[rows], const Value& value) {
    constexpr int of_lane = table_row<A>::of_lane, lanes = table_row<A>::lanes;
    constexpr int bytes = static_cast<int>(sizeof(In)) * of_lane;
    struct alignas((bytes & (bytes - 1)) == 0 && bytes <= 16 ? bytes : alignof(In)) pack {
        In item[of_lane];
    };
    const pack* const from = reinterpret_cast<const pack*>(stage) + first * lanes + lane() % lanes;
    pack items[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) items[i] = from[i * lanes];
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

}  // namespace lookback::detail::device
