/// \file
/// Scans along an axis of numbers whose types are known: files share them out, for the compile
/// time.
#pragma once

#include "table/device/device_arrays.hpp"

namespace lookback {

class gpu;

namespace on_device {

using axis_loop = void (*)(gpu&, const void*, const axis_extents&, void*);

/// The scan of so typed items, or nullptr. One for each file.
axis_loop find_integer_sums(item_type in, item_type out);
axis_loop find_float_sums(item_type in, item_type out);
axis_loop find_products(item_type in, item_type out);
axis_loop find_minima(item_type type);
axis_loop find_maxima(item_type type);

}  // namespace on_device
}  // namespace lookback
