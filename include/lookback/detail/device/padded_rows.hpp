/// \file
/// The rows of a tile of columns in a stage, of narrow items whose rows begin anywhere. Each row
/// begins as far behind a boundary of 16 bytes in the stage as in its array, so vectors move it. A
/// tile that is one piece of memory is one row.
///
/// Loads are rounded outward. The bytes of neighbouring strips that they bring, which others may be
/// writing at that time, are not used. At the ends of the array, bytes are loaded one by one.
///
/// Cost: each row takes up to 30 bytes more in the stage than in the array. Each byte is read once,
/// except the vectors that two strips share: both read them.
#pragma once

#include <cstdint>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"

namespace lookback::detail::device {

/// Items of type T, from `array` on.
template <class T>
class padded_rows {
    static constexpr int size = static_cast<int>(sizeof(T));

 public:
    /// How many bytes more the rows of a tile may take in a stage than in the array.
    static constexpr int most_padding(int rows) { return 30 * rows + 16; }

    __device__ padded_rows(const column_shape& shape, const column_tile& tile, const T* array)
        : begin_(reinterpret_cast<std::uintptr_t>(array + tile.first)),
          apart_(shape.inner * size),
          rows_(shape.whole_rows() ? 1 : tile.rows),
          bytes_((shape.whole_rows() ? tile.items() : tile.columns) * size),
          pitch_(pitch(shape)) {}

    /// Where the first row begins in a stage.
    __device__ int skew() const { return static_cast<int>(begin_ % 16); }
    /// The distance of rows in a stage. Modulo 16 it is that of rows in the array; no vector
    /// contains bytes of two rows.
    __device__ static int pitch(const column_shape& shape) {
        const int bytes = static_cast<int>(shape.width) * size;
        if (shape.whole_rows()) return bytes;
        const std::uint64_t between = shape.inner * size - static_cast<unsigned>(bytes);
        return bytes + 15 + static_cast<int>((between + 1) % 16);
    }

    /// Starts loading the rows with `by` threads, of which this is number `thread`. The array has
    /// the addresses `all`.
    __device__ void start_load(unsigned char* stage, const byte_range& all, int thread,
                               int by) const {
        const racing_reads of_bytes_not_used;
        for (vector_walk at(*this, (bytes_ + 30) / 16, thread, by); at.row < rows_; at.next()) {
            const std::uintptr_t end = at.begin + bytes_;
            const std::uintptr_t from = at.begin / 16 * 16 + 16 * at.vector;
            if (from >= end) continue;
            unsigned char* const to = stage + skew() + at.in_stage - at.begin % 16 + 16 * at.vector;
            if (from >= all.begin && from + 16 <= all.end) {
                copy_later<16>(to, reinterpret_cast<const void*>(from));
                continue;
            }
            for (int i = 0; i < 16; ++i) {
                if (from + i >= at.begin && from + i < end) {
                    to[i] = *reinterpret_cast<const unsigned char*>(from + i);
                }
            }
        }
    }

 private:
    // The vectors of all rows, `by` at a time.
    struct vector_walk {
        int vector;
        int row;
        std::uintptr_t begin;  // of the row, in the array
        int in_stage;          // from the first row to this row in a stage

        // `vectors`: the most of a row.
        __device__ vector_walk(const padded_rows& rows, int vectors, int thread, int by)
            : vectors_(vectors > 0 ? vectors : 1),
              rows_of_step_(by / vectors_),
              vectors_of_step_(by % vectors_),
              apart_(rows.apart_),
              pitch_(rows.pitch_) {
            vector = thread % vectors_;
            row = thread / vectors_;
            begin = rows.begin_ + static_cast<unsigned>(row) * apart_;
            in_stage = row * pitch_;
        }
        __device__ void next() {
            vector += vectors_of_step_;
            int rows = rows_of_step_;
            if (vector >= vectors_) {
                vector -= vectors_;
                ++rows;
            }
            row += rows;
            begin += static_cast<unsigned>(rows) * apart_;
            in_stage += rows * pitch_;
        }

     private:
        int vectors_;
        int rows_of_step_;
        int vectors_of_step_;
        std::uint64_t apart_;
        int pitch_;
    };

    std::uintptr_t begin_;
    std::uint64_t apart_;  // bytes from row to row in the array
    int rows_;
    int bytes_;
    int pitch_;
};

}  // namespace lookback::detail::device
