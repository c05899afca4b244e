/// \file
/// How tiles of columns move between global memory and the stages in shared memory:
///
/// - in bulk, where a tile is one piece of memory, or its rows are long and whole vectors of 16
///   bytes: a bulk copy takes about 17 ns, however short it is;
/// - by many threads, in words of 4, 8 or 16 bytes, by the largest size that divides all addresses
///   and widths: into the stage by copies that land later (cp.async), out of it through registers;
/// - narrow items, where no such size divides them, by vectors with room between the rows
///   (padded_rows.hpp);
/// - item by item, where iterators read, or stages of items would not fit.
#pragma once

#include <bit>
#include <cstdint>

#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"

namespace lookback::detail::device {

inline constexpr std::uint64_t least_bulk_row = 512;

enum class column_moves { bulk, words16, words8, words4, items };

/// The best way to move an array of items of type T.
template <class T>
column_moves moves_of_columns(const column_shape& shape, const T* array) {
    constexpr std::uint64_t size = sizeof(T);
    const auto address = std::uint64_t{reinterpret_cast<std::uintptr_t>(array)};
    const std::uint64_t pitch = shape.inner * size;
    // What divides the bytes where tiles, or their rows, begin, and the bytes of which they
    // consist.
    std::uint64_t begins = address | pitch | shape.width * size;
    std::uint64_t pieces = begins;
    if (shape.whole_rows()) {
        begins = address;
        if (shape.tiles_down > 1) begins |= shape.rows * pitch;
        if (shape.outer > shape.blocks) begins |= shape.blocks * shape.length * pitch;
        pieces = begins | shape.length * pitch;
    }
    if (begins % 16 == 0 && (shape.whole_rows() || shape.width * size >= least_bulk_row)) {
        return column_moves::bulk;
    }
    switch (std::countr_zero(pieces | 16)) {
        case 4: return column_moves::words16;
        case 3: return column_moves::words8;
        case 2: return column_moves::words4;
        default: return column_moves::items;
    }
}

/// Walks through one thread's units (words or items) of a tile: units `first`, `first` + by, ... of
/// the stage, and their places in the array.
class tile_walk {
 public:
    /// `size`: bytes of an item. `unit`: bytes of a unit.
    __device__ tile_walk(const column_shape& shape, const column_tile& tile, int size, int unit,
                         int first, int by)
        : units(tile.items() * size / unit),
          index(first),
          by_(by),
          width_(in_a_row(shape, tile, size, unit)) {
        const auto in_units = [=](std::uint64_t items) {
            return items * static_cast<unsigned>(size) / static_cast<unsigned>(unit);
        };
        const std::uint64_t pitch = in_units(shape.inner);
        const auto at = [&](int i) {
            return static_cast<std::uint64_t>(i / width_) * pitch +
                   static_cast<std::uint64_t>(i % width_);
        };
        place = static_cast<std::int64_t>(in_units(tile.first) + at(first));
        column_ = first % width_;
        columns_of_step_ = by % width_;
        step_ = static_cast<std::int64_t>(at(by));
        to_next_row_ = static_cast<std::int64_t>(pitch) - width_;
    }

    __device__ bool ended() const { return index >= units; }
    __device__ void next() {
        index += by_;
        place += step_;
        column_ += columns_of_step_;
        if (column_ >= width_) {
            column_ -= width_;
            place += to_next_row_;
        }
    }

    int units;           ///< units of the tile
    int index;           ///< of this unit in the stage
    std::int64_t place;  ///< of this unit in the array

 private:
    // Units of a row of the tile; at least one, as places are found by dividing by it.
    __device__ static int in_a_row(const column_shape& shape, const column_tile& tile, int size,
                                   int unit) {
        const int all = (shape.whole_rows() ? tile.items() : tile.columns) * size / unit;
        return all > 0 ? all : 1;
    }

    int by_;
    int width_;
    int column_;
    int columns_of_step_;
    std::int64_t step_;
    std::int64_t to_next_row_;
};

/// Moves a thread's units, a few at a time: the compiler does not know that a stage and global
/// memory do not overlap.
template <class Unit, class Load, class Store>
__device__ void move_units(tile_walk walk, const Load& load, const Store& store) {
    constexpr int at_once = sizeof(Unit) <= 4 ? 8 : sizeof(Unit) <= 16 ? 4 : 1;
    while (!walk.ended()) {
        Unit unit[at_once];
        tile_walk ahead = walk;
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            if (!ahead.ended()) unit[i] = load(ahead);
            ahead.next();
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            if (!walk.ended()) store(walk, unit[i]);
            walk.next();
        }
    }
}

template <int bytes>
__device__ void load_words(unsigned char* stage, const unsigned char* from, tile_walk walk) {
#pragma unroll 4
    for (; !walk.ended(); walk.next()) {
        copy_later<bytes>(stage + walk.index * bytes, from + walk.place * bytes);
    }
}
/// The same for a tile whose rows are pieces of the array's rows, with a warp for each row. It
/// takes fewer instructions, because neither row nor column of a word has to be found.
template <int bytes>
__device__ void load_rows_in_words(unsigned char* stage, const unsigned char* from,
                                   const column_shape& shape, const column_tile& tile, int size,
                                   int thread, int by) {
    const int first = thread / warp_lanes;
    const int step = by / warp_lanes;
    const int in_stage = tile.columns * size;
    const std::uint64_t in_array = shape.inner * static_cast<unsigned>(size);
    from += tile.first * static_cast<unsigned>(size) + static_cast<unsigned>(first) * in_array;
    stage += first * in_stage;
    for (int at = lane() * bytes; at < in_stage; at += warp_lanes * bytes) {
        const unsigned char* word = from + at;
        unsigned char* to = stage + at;
#pragma unroll 8
        for (int row = first; row < tile.rows; row += step) {
            copy_later<bytes>(to, word);
            word += static_cast<unsigned>(step) * in_array;
            to += step * in_stage;
        }
    }
}
template <class Word>
__device__ void store_words(const unsigned char* stage, unsigned char* to, const tile_walk& walk) {
    move_units<Word>(
        walk, [&](const tile_walk& at) { return reinterpret_cast<const Word*>(stage)[at.index]; },
        [&](const tile_walk& at, const Word& word) {
            reinterpret_cast<Word*>(to)[at.place] = word;
        });
}

/// The rows of a tile, or the whole tile, copied in bulk by `by` threads, of which this is number
/// `thread`. Only a tile that is one piece may end within a vector of 16 bytes.
class tile_pieces {
 public:
    __device__ tile_pieces(const column_shape& shape, const column_tile& tile, int size, int thread,
                           int by)
        : first_(tile.first * static_cast<unsigned>(size)),
          pitch_(shape.inner * static_cast<unsigned>(size)),
          pieces_(shape.whole_rows() ? 1 : tile.rows),
          bytes_((shape.whole_rows() ? tile.items() : tile.columns) * size),
          thread_(thread),
          by_(by) {}

    /// Each thread must arrive at `loaded` after this call.
    __device__ void load(unsigned char* stage, const unsigned char* from,
                         phase_barrier& loaded) const {
        const int vectors = bytes_ / 16 * 16;
        if (thread_ == 0) {
            loaded.expect(static_cast<std::uint32_t>(pieces_ * vectors));
            for (int i = vectors; i < bytes_; ++i) stage[i] = from[first_ + i];
        }
        for (int piece = thread_; piece < pieces_ && vectors > 0; piece += by_) {
            bulk_load(stage + piece * bytes_, from + place(piece),
                      static_cast<std::uint32_t>(vectors), loaded);
        }
    }

 private:
    __device__ std::uint64_t place(int piece) const {
        return first_ + static_cast<std::uint64_t>(piece) * pitch_;
    }

    std::uint64_t first_;
    std::uint64_t pitch_;
    int pieces_;
    int bytes_;
    int thread_;
    int by_;
};

}  // namespace lookback::detail::device
