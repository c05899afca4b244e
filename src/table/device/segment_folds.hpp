/// \file
/// Folds of segments and of marked items, for types known at compile time. They are divided among
/// several files, to compile faster.
#pragma once

#include "table/device/device_arrays.hpp"

namespace lookback {

class gpu;

namespace on_device {

struct segment_loops {
    void (*marked)(gpu&, operation, item_type, const void* in, std::size_t items,
                   std::uint8_t* marks, void* out, std::int64_t* count);
    void (*offsets)(gpu&, operation, item_type, const void* in, std::size_t items,
                    const std::int64_t* offsets, std::size_t segments, void* out, void* room);
};

/// The pointers are null if there are no such folds. One function for each file.
segment_loops find_segment_sums(item_type type);
segment_loops find_segment_folds(item_type type, operation op);

}  // namespace on_device
}  // namespace lookback
