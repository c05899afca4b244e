/// \file
/// Scans along an axis, for types known at compile time. They are divided among several files, to
/// compile faster.
#pragma once

#include "table/device/device_arrays.hpp"

namespace lookback {

class gpu;

namespace on_device {

using axis_loop = void (*)(gpu&, const void*, const axis_extents&, void*);

/// The scan from `in` to `out` items, or nullptr if there is none. One function for each file.
axis_loop find_integer_sums(item_type in, item_type out);
axis_loop find_float_sums(item_type in, item_type out);
axis_loop find_products(item_type in, item_type out);
axis_loop find_minima(item_type type);
axis_loop find_maxima(item_type type);

}  // namespace on_device
}  // namespace lookback
