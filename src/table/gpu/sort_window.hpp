/// \file
/// Sorting on a GPU, for code that nvcc does not compile: words in the host's memory, in place, and
/// the loads that move with them. Twice their size must fit in the GPU's memory.
///
/// Throws std::runtime_error if the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>

#include "window_kernels.hpp"

namespace lookback::on_gpu {

/// Sorts unsigned words of 1, 2, 4 or 8 bytes.
template <class Word>
void sort_window(window_memory& memory, Word* words, std::size_t items);

/// Sorts words with loads, of 4 or 8 bytes each.
template <class Word, class Load>
void sort_window(window_memory& memory, Word* words, Load* loads, std::size_t items);

}  // namespace lookback::on_gpu
