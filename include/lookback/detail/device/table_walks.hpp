/// \file
/// Walks: which tiles of images (table_tiles.hpp) a block sums one after the other, so that it
/// keeps what lies to the left, or above as well, and need not be told.
///
/// A walk goes along a part of a row of tiles, or, where images are small and many, over a whole
/// one. The eight rows of a batch are walked at once, by the blocks of a cluster, which tell each
/// other through shared memory what lies above in the batch. Parts are claimed downward: all of the
/// first, then all of the second. So what lies to the left of a part is known when it begins, or
/// soon, and what is under way at a time is a tile of each of many rows of tiles, which wait for
/// rows above only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lookback/detail/device/table_tiles.hpp"

namespace lookback::detail::device {

/// Tiles of a row that are a part, about.
inline constexpr std::uint32_t table_part = 8;
/// Tiles of a row of an image that a block keeps what lies above for.
inline constexpr std::uint32_t table_kept = 8;

struct table_walk {
    std::uint32_t image, image_end, down, down_end, across, across_end;
};

struct table_walks {
    std::uint32_t whole;    ///< so many images; 0: parts of rows of tiles
    std::uint32_t of_part;  ///< tiles
    std::uint32_t parts;
    std::uint32_t together;  ///< images that a cluster has at once, where these are low
    std::uint32_t images, down, across;
    std::uint32_t batches;  ///< of an image
    std::uint32_t count;    ///< of claims: of images, or of batches' parts

    /// Rows of tiles, of a cluster's, that one image has.
    __device__ std::uint32_t rows_together() const { return together > 1 ? down : table_batch; }
    /// Of the block with this number in its cluster; some walk below the image.
    __device__ table_walk at(std::uint32_t ticket, std::uint32_t block) const {
        if (whole > 0) {
            const std::uint32_t first = ticket * whole;
            return {first, first + whole < images ? first + whole : images, 0, down, 0, across};
        }
        std::uint32_t image = ticket / (batches * parts);
        const std::uint32_t in_image = ticket - image * (batches * parts);
        const std::uint32_t part = in_image / batches;
        std::uint32_t row = (in_image - part * batches) * table_batch + block;
        if (together > 1) {
            image = image * together + block / down;
            row = block % down;
            if (block / down >= together || image >= images) {
                image = 0;
                row = down;
            }
        }
        const std::uint32_t begin = part * of_part;
        return {image,   image + 1, row,
                row + 1, begin,     begin + of_part < across ? begin + of_part : across};
    }
};

/// For `blocks` blocks at once, or `clusters`; images whole, or some in a cluster, where they are
/// `alone`: none goes on below another table.
inline table_walks walks_of(const table_tiles& tiles, std::uint64_t blocks, std::uint64_t clusters,
                            bool alone) {
    table_walks walks{0,          tiles.across, 1, 1,           tiles.images,
                      tiles.down, tiles.across, 1, tiles.images};
    if (alone && tiles.across <= table_kept && tiles.images >= blocks) {
        // A claim takes as long as a tile or two.
        const std::uint32_t wanted = 1 + 3 / (tiles.down * tiles.across);
        walks.whole = tiles.images / wanted >= 8 * blocks ? wanted : 1;
        walks.count = (tiles.images + walks.whole - 1) / walks.whole;
        return walks;
    }
    if (alone && tiles.down < table_batch) {
        walks.together = std::min(table_batch / tiles.down, tiles.images);
    }
    walks.batches = (tiles.down + table_batch - 1) / table_batch;
    walks.count = (tiles.images + walks.together - 1) / walks.together * walks.batches;
    if (walks.count > clusters) {
        const std::uint32_t about = (tiles.across + table_part - 1) / table_part;
        walks.of_part = (tiles.across + about - 1) / about;
        walks.parts = (tiles.across + walks.of_part - 1) / walks.of_part;
        walks.count *= walks.parts;
    }
    return walks;
}

/// The words of walks along rows of tiles: of each batch of tiles below each other, the folds of
/// the totals of its columns, and what lies above it. Where one part of a row of tiles ends and the
/// next begins, three values for each row, of which the next needs one at least.
class walk_words {
 public:
    static constexpr int lefts = 3;

    LOOKBACK_HD walk_words(const table_tiles& tiles, const table_walks& walks)
        : row_(std::uint64_t{tiles.across} * static_cast<unsigned>(tiles.columns_of_tile)),
          down_(tiles.down),
          folds_(tiles.down / table_batch + 1),
          parts_(walks.parts),
          columns_(static_cast<unsigned>(tiles.columns_of_tile)) {
        tops_at_ = std::uint64_t{tiles.images} * folds_ * row_;
        lefts_at_ = tops_at_ + std::uint64_t{tiles.images} * folds_ * row_;
        all_ = lefts_at_ +
               std::uint64_t{tiles.images} * (parts_ - 1) * down_ * lefts * table_rows_of_tile;
    }

    LOOKBACK_HD std::uint64_t all() const { return all_; }

    __device__ std::uint64_t fold(const table_tile& at, std::uint32_t batch, int column) const {
        return (std::uint64_t{at.image} * folds_ + batch) * row_ + in_row(at, column);
    }
    __device__ std::uint64_t top(const table_tile& at, std::uint32_t batch, int column) const {
        return tops_at_ + (std::uint64_t{at.image} * folds_ + batch) * row_ + in_row(at, column);
    }
    /// From the word of a column to that of the batch below.
    __device__ std::uint64_t to_below() const { return row_; }

    /// What lies to the left of the part that `at` begins.
    __device__ std::uint64_t left(const table_tile& at, const table_walks& walks, int which,
                                  int row) const {
        const std::uint32_t part = at.across / walks.of_part - 1;
        return lefts_at_ +
               (((std::uint64_t{at.image} * (parts_ - 1) + part) * down_ + at.down) * lefts +
                static_cast<unsigned>(which)) *
                   table_rows_of_tile +
               static_cast<unsigned>(row);
    }

 private:
    __device__ std::uint64_t in_row(const table_tile& at, int column) const {
        return std::uint64_t{at.across} * columns_ + static_cast<unsigned>(column);
    }

    std::uint64_t row_;
    std::uint32_t down_, folds_, parts_, columns_;
    std::uint64_t tops_at_, lefts_at_, all_;
};

}  // namespace lookback::detail::device
