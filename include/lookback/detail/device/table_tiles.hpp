/// \file
/// How images are cut into tiles for their summed-area tables (table_order.hpp), in which order
/// tiles are claimed, and where their words lie.
///
/// Tiles are claimed in bands of some rows of tiles: down the band, then the next column of tiles
/// to the right. So the tiles that are under way at a time lie in a patch that is about as high as
/// wide, and a tile finds finished tiles a few tiles to its left, and a few above. All tiles to the
/// left and above have lower tickets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/table_order.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/image_shape.hpp"

namespace lookback::detail::device {

/// Rows of tiles in a band.
inline constexpr std::uint32_t table_band = 8;

struct table_tile {
    std::uint64_t in, out;  ///< its first item, and where that item's entry goes
    int rows;
    int columns;
    std::uint32_t image, down, across;  ///< down, across: tiles above it, and to its left
    std::uint32_t number;               ///< the number of its words
};

struct table_tiles {
    std::uint32_t images, down, across;
    std::uint64_t height, width, in_pitch, out_pitch, in_image, out_image, out_first;
    int columns_of_tile;

    std::uint64_t tiles() const { return std::uint64_t{images} * down * across; }

    __device__ table_tile at(std::uint32_t ticket) const {
        const std::uint32_t image = ticket / (down * across);
        const std::uint32_t in_image_ = ticket - image * (down * across);
        const std::uint32_t band = in_image_ / (table_band * across);
        const std::uint32_t in_band = in_image_ - band * (table_band * across);
        const std::uint32_t top = band * table_band;
        const std::uint32_t high = down - top < table_band ? down - top : table_band;
        const std::uint32_t right = in_band / high;
        return tile(image, top + in_band - right * high, right);
    }

    __device__ table_tile tile(std::uint32_t image, std::uint32_t below,
                               std::uint32_t right) const {
        const std::uint64_t row = std::uint64_t{below} * table_rows_of_tile;
        const std::uint64_t column = std::uint64_t{right} * static_cast<unsigned>(columns_of_tile);
        const std::uint64_t rows = row < height ? height - row : 0, columns = width - column;
        return {image * in_image + row * in_pitch + column,
                image * out_image + out_first + row * out_pitch + column,
                rows < table_rows_of_tile ? static_cast<int>(rows) : table_rows_of_tile,
                columns < static_cast<unsigned>(columns_of_tile) ? static_cast<int>(columns)
                                                                 : columns_of_tile,
                image,
                below,
                right,
                (image * down + below) * across + right};
    }
};

template <class A>
table_tiles tiles_of_tables(const table_shape& shape) {
    const std::uint64_t down = (shape.height + table_tile_rows - 1) / table_tile_rows;
    const std::uint64_t across = (shape.width + table_columns<A> - 1) / table_columns<A>;
    if (down > most_claimed_tiles / across || shape.images > most_claimed_tiles / (down * across)) {
        throw std::invalid_argument(
            "lookback: " + std::to_string(shape.images) + " images of " +
            std::to_string(shape.height) + " x " + std::to_string(shape.width) + " are more than " +
            std::to_string(most_claimed_tiles) + " tiles, which is what one call can take");
    }
    return {static_cast<std::uint32_t>(shape.images),
            static_cast<std::uint32_t>(down),
            static_cast<std::uint32_t>(across),
            shape.height,
            shape.width,
            shape.in_pitch,
            shape.out_pitch,
            shape.in_image,
            shape.out_image,
            shape.out_first,
            table_columns<A>};
}

/// The words of tiles. For each tile: the total of each of its rows, of each of its columns, and
/// two sums of what lies to the left of it. For each batch of a row of tiles: the totals of its
/// rows. Where a stretch begins: what lies to the left of it. For each batch of a column of tiles:
/// the totals of its columns; and for every eighth of these: what lies above it.
class table_words {
 public:
    static constexpr int sums = 2;

    LOOKBACK_HD explicit table_words(const table_tiles& tiles)
        : of_tile_(static_cast<unsigned>(table_rows_of_tile + tiles.columns_of_tile + sums)),
          columns_(static_cast<unsigned>(tiles.columns_of_tile)),
          down_(tiles.down),
          across_(tiles.across),
          batches_across_(tiles.across / table_batch + 1),
          stretches_(tiles.across / table_stretch + 1),
          folds_(tiles.down / table_batch + 1),
          tops_(folds_ / table_folds + 1) {
        const std::uint64_t rows = std::uint64_t{tiles.images} * tiles.down;
        batches_at_ = rows * tiles.across * of_tile_;
        stretches_at_ = batches_at_ + rows * batches_across_ * table_rows_of_tile;
        folds_at_ = stretches_at_ + rows * stretches_ * table_rows_of_tile;
        tops_at_ = folds_at_ + std::uint64_t{tiles.images} * folds_ * to_next_fold();
        all_ = tops_at_ + std::uint64_t{tiles.images} * tops_ * to_next_fold();
    }

    LOOKBACK_HD std::uint64_t all() const { return all_; }

    __device__ std::uint64_t row(std::uint32_t number, int row) const {
        return std::uint64_t{number} * of_tile_ + static_cast<unsigned>(row);
    }
    __device__ std::uint64_t column(std::uint32_t number, int column) const {
        return row(number, table_rows_of_tile + column);
    }
    __device__ std::uint64_t sum(std::uint32_t number, int part) const {
        return column(number, static_cast<int>(columns_) + part);
    }
    __device__ std::uint64_t batch(const table_tile& at, std::uint32_t batch, int row) const {
        return batches_at_ + in_row(at, batches_across_, batch, row);
    }
    __device__ std::uint64_t stretch(const table_tile& at, std::uint32_t stretch, int row) const {
        return stretches_at_ + in_row(at, stretches_, stretch, row);
    }
    __device__ std::uint64_t fold(std::uint32_t image, std::uint32_t batch, std::uint32_t across,
                                  int column) const {
        return folds_at_ + (std::uint64_t{image} * folds_ + batch) * to_next_fold() +
               std::uint64_t{across} * columns_ + static_cast<unsigned>(column);
    }
    /// For batches that are multiples of table_folds.
    __device__ std::uint64_t top(std::uint32_t image, std::uint32_t batch, std::uint32_t across,
                                 int column) const {
        return tops_at_ + (std::uint64_t{image} * tops_ + batch / table_folds) * to_next_fold() +
               std::uint64_t{across} * columns_ + static_cast<unsigned>(column);
    }
    /// The first batch whose fold is read for `batch`. What lies above that batch is read as one
    /// value. The value that is published last, at the nearest multiple of table_folds, is not
    /// used, because it is known late.
    __device__ static std::uint32_t first_fold(std::uint32_t batch) {
        const std::uint32_t known = batch / table_folds;
        return known == 0 ? 0 : (known - 1) * table_folds;
    }
    /// The distance from a tile's words to the words of the next tile to the right, and of the next
    /// tile below; from a batch's words to the next batch's.
    __device__ std::uint64_t to_right() const { return of_tile_; }
    __device__ std::uint64_t to_below() const { return std::uint64_t{across_} * of_tile_; }
    __device__ static std::uint64_t to_next_batch() { return table_rows_of_tile; }
    LOOKBACK_HD std::uint64_t to_next_fold() const { return std::uint64_t{across_} * columns_; }

 private:
    __device__ std::uint64_t in_row(const table_tile& at, std::uint32_t of_row, std::uint32_t which,
                                    int row) const {
        return ((std::uint64_t{at.image} * down_ + at.down) * of_row + which) * table_rows_of_tile +
               static_cast<unsigned>(row);
    }

    std::uint32_t of_tile_, columns_, down_, across_, batches_across_, stretches_, folds_, tops_;
    std::uint64_t batches_at_, stretches_at_, folds_at_, tops_at_, all_;
};

}  // namespace lookback::detail::device
