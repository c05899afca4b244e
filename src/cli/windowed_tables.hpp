/// \file
/// Summed-area tables of images of any size, a window at a time.
///
/// Small images are summed several in a window; a larger one strip by strip, each from the last row
/// of the table of the one before on. A strip is whole rows: for sums of floats 64 of them, on
/// a GPU 512, or a multiple, so that the bits are those of one table of the whole image, for
/// integers at least one.
///
/// Memory: two windows of each table, or two of the smallest strips, and the window that is read.
#pragma once

#include <cstddef>

#include "array_input.hpp"
#include "array_output.hpp"
#include "progress.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// `images` of `height` rows of `width` pixels, of so many channels.
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

/// The types that tables are computed and written in.
inline bool is_table_type(dtype type) { return size_of(type) >= 4; }

/// Writes the table of each image of `in`, and, unless null, the table of its squares, as numbers
/// of the type of `out`.
void write_tables(const table_plan& plan, const array_input& in, array_output& out,
                  array_output* out_of_squares, progress& bar);

}  // namespace lookback::cli
