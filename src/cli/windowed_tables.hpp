/// \file
/// Summed-area tables of images of any size, window by window.
///
/// A window has several small images, or a strip of a large one. Each strip goes on from the last
/// row of the table of the strip before. A strip has whole rows: for sums of floats a multiple of
/// 64 of them, or of 512 on a GPU, so that the bits are those of one table of the whole image; for
/// integers at least one row.
///
/// Memory: two windows of each table, or two of the smallest strips, and the window that is read.
#pragma once

#include <cstddef>

#include "array_input.hpp"
#include "array_output.hpp"
#include "progress.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// `images` images of `height` rows of `width` pixels, with `channels` channels each.
struct image_shape {
    std::size_t images = 1;
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 1;
};

struct table_plan {
    image_shape shape;  ///< of the input
    bool is_exclusive = false;
    const workplace& where;
};

/// True for the types in which tables are computed and written.
inline bool is_table_type(dtype type) { return size_of(type) >= 4; }

/// Writes the table of each image of `in`, and, unless it is null, the table of the squares, each
/// as numbers of its output's type.
void write_tables(const table_plan& plan, const array_input& in, array_output& out,
                  array_output* out_of_squares, progress& bar);

}  // namespace lookback::cli
