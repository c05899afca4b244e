/// \file
/// The library's scan on a GPU, compiled for the common types; the operator is picked at run time,
/// so that there is one kernel for all.
#pragma once

#include <cstddef>
#include <optional>

#include "lookback/gpu.hpp"
#include "window_scan.hpp"

namespace lookback::on_gpu {

/// Starts the inclusive scan of `items` numbers in device memory. It goes on from the value at
/// `before`, in device memory; where that is null from `seed`, where there is one.
template <class T>
void scan_in_place(lookback::gpu& gpu, T* numbers, std::size_t items, operation op,
                   bool is_backward, const T* before, const std::optional<T>& seed);

}  // namespace lookback::on_gpu
