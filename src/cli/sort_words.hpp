/// \file
/// Sorting in memory: words, and what goes along with each.
#pragma once

#include <cstddef>

#include "lookback/detail/call.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// What goes along, where nothing does.
using no_load = detail::no_array;

/// Sorts words in their place, each with its load: stable. Takes as much memory again. There are
/// words of 1, 2, 4 and 8 bytes without loads, and of 4 and 8 bytes with loads of 4 or 8.
template <class Word, class Load>
void sort_words(Word* words, Load* loads, std::size_t items, const workplace& where);

}  // namespace lookback::cli
