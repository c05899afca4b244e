/// \file
/// Sorting on a GPU, for code that nvcc does not compile: words, and what goes along with each, in
/// their place in the host's memory. They must fit into the GPU's, twice.
///
/// Throws std::runtime_error where the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>

#include "window_kernels.hpp"

namespace lookback::on_gpu {

/// Unsigned words of 1, 2, 4 or 8 bytes.
template <class Word>
void sort_window(window_memory& memory, Word* words, std::size_t items);

/// Words and loads of 4 or 8 bytes each.
template <class Word, class Load>
void sort_window(window_memory& memory, Word* words, Load* loads, std::size_t items);

}  // namespace lookback::on_gpu
