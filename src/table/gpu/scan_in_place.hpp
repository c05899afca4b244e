/// \file
/// The library's scan on a GPU, compiled for the common types. The operator is chosen at run time,
/// so that one kernel is enough for all operators of a type.
#pragma once

#include <cstddef>
#include <optional>

#include "lookback/gpu.hpp"
#include "window_scan.hpp"

namespace lookback::on_gpu {

/// Starts the inclusive scan of `items` numbers in device memory. It goes on from the value at
/// `before`, in device memory, if that is not null, or else from `seed`, if it has a value.
template <class T>
void scan_in_place(lookback::gpu& gpu, T* numbers, std::size_t items, operation op,
                   bool is_backward, const T* before, const std::optional<T>& seed);

}  // namespace lookback::on_gpu
