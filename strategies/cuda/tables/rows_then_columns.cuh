/// \file
/// A summed-area table by two scans of this library: of all rows, and then, in place, of all
/// columns (lookback/axis_scan.hpp). No transpose is needed, because columns are scanned in strips.
/// But the table is written, read and written again: 4n if items and sums have the same size.
#pragma once

#include "../device.cuh"
#include "image.cuh"
#include "lookback/axis_scan.hpp"

namespace lookback::strategies {

struct rows_then_columns {
    static constexpr bool is_transposed = false;

    /// Makes the tables of `images` images that lie one behind another. Items are converted to
    /// sums.
    template <class Item, class Sum>
    static void run(device& gpu, const Item* in, image_size size, Sum* out,
                    std::uint64_t images = 1) {
        const Sum* const sums_of_rows = out;
        inclusive_scan(gpu.gpu(), in, axis_extents{images * size.height, size.width, 1}, out,
                       plus<Sum>{});
        inclusive_scan(gpu.gpu(), sums_of_rows, axis_extents{images, size.height, size.width}, out,
                       plus<Sum>{});
    }
};

}  // namespace lookback::strategies
