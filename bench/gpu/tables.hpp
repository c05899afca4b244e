/// \file
/// Summed-area tables and box filters: of which images, and by which ways.
#pragma once

#include <cstdint>
#include <string>

#include "program.hpp"

namespace lookback::bench {

/// Images, and how they lie in memory.
struct image_case {
    std::uint64_t height, width;
    std::uint64_t images = 1;
    std::uint64_t gap = 0;  ///< items from a row's end to the next row, of image and table
    std::uint64_t off = 0;  ///< items that the image begins behind a boundary of vectors
    bool exclusive = false;

    std::string text() const;
    std::uint64_t items() const { return images * height * width; }
};

/// 1024 x 1024 to 32768 x 32768, beside rows-then-columns.
void measure_tables_f32(session& s, const observer& tell);
void measure_tables_i32(session& s, const observer& tell);
/// Of bytes, 8192 x 8192 to 65536 x 65536.
void measure_tables_u8(session& s, const observer& tell);
/// Many small images.
void measure_stacks(session& s, const observer& tell);
/// Odd sizes and pitches, exclusive tables, pixels of four channels, squares.
void measure_ragged_tables(session& s, const observer& tell);
/// RGB8 images, by the strategies beside the library; the stages of GPU Gems 3, table 39-1, apart.
void measure_table_ways(session& s, const observer& tell);
/// RGBA8 images, with one radius, and with a radius for each pixel.
void measure_box_filters(session& s, const observer& tell);

}  // namespace lookback::bench
