/// \file
/// Walks. A walk is the sequence of tiles of images (table_tiles.hpp) that a block sums one after
/// the other. So the block keeps what lies to the left, or above as well, and no other block has to
/// tell it.
///
/// A walk goes along a part of a row of tiles or, where images are small and many, over whole
/// images. The blocks of a cluster walk along the eight rows of a batch at the same time, and tell
/// each other through shared memory what lies above in the batch. Parts are claimed downward: the
/// first part of all batches, then the second part of all batches. So what lies to the left of a
/// part is known when it begins, or soon after, unless there are few batches. The tiles that are
/// under way at a time are one tile in each of many rows of tiles, which wait only for rows above.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lookback/detail/device/table_tiles.hpp"

namespace lookback::detail::device {

/// About how many tiles of a row make a part: if there are more batches than clusters, or so few
/// that several clusters work on a batch's parts at the same time. Then a part waits for the one to
/// the left, but only after it has summed tiles, as many as there are stages for.
inline constexpr std::uint32_t table_part = 8, table_short_part = 4;
/// The most tiles that a row of an image may have if a block is to keep what lies above.
inline constexpr std::uint32_t table_kept = 8;

struct table_walk {
    std::uint32_t image, image_end, down, down_end, across, across_end;
};

struct table_walks {
    std::uint32_t whole;    ///< images of a walk; 0: walks go along parts of rows of tiles
    std::uint32_t of_part;  ///< tiles of a part
    std::uint32_t parts;
    std::uint32_t together;  ///< images that a cluster has at once, if images are low
    std::uint32_t images, down, across;
    std::uint32_t batches;  ///< batches of an image
    std::uint32_t count;    ///< of claims: walks over images, or a batch's parts

    /// How many of a cluster's rows of tiles belong to one image.
    __device__ std::uint32_t rows_together() const { return together > 1 ? down : table_batch; }
    /// The walk of the block with this number in its cluster. Some walks lie below the image, and
    /// have no items.
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

/// Walks for `blocks` blocks at once, or `clusters` clusters. `alone`: no table goes on below
/// another one. Only then are walks made of whole images, or of several images in a cluster.
inline table_walks walks_of(const table_tiles& tiles, std::uint64_t blocks, std::uint64_t clusters,
                            bool alone) {
    table_walks walks{0,          tiles.across, 1, 1,           tiles.images,
                      tiles.down, tiles.across, 1, tiles.images};
    if (alone && tiles.across <= table_kept && tiles.images >= blocks) {
        // A claim takes as long as one or two tiles.
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
    const bool are_few = std::uint64_t{walks.count} * 8 < clusters * 7;
    if (are_few || walks.count > clusters) {
        const std::uint32_t of_part = are_few ? table_short_part : table_part;
        const std::uint32_t about = (tiles.across + of_part - 1) / of_part;
        walks.of_part = (tiles.across + about - 1) / about;
        walks.parts = (tiles.across + walks.of_part - 1) / walks.of_part;
        walks.count *= walks.parts;
    }
    return walks;
}

/// The words of walks along rows of tiles. For each batch and each column: the fold of the column's
/// totals, and what lies above the batch. Where one part of a row of tiles ends and the next
/// begins: three values for each row, of which the next part needs at least one.
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
    /// The distance from the word of a column to that of the batch below.
    __device__ std::uint64_t to_below() const { return row_; }

    /// What lies to the left of the part that begins with tile `at`.
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
