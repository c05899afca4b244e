/// \file
/// Sorting numbers whose type is known at run time, as unsigned words in their place: as what they
/// have the order of, or, where they only go along, as their bits. So the loops that sort know four
/// types of words, not ten of numbers. A word may be wider than its number.
#pragma once

#include <cstddef>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

enum class word_kind { bits, ascending, descending };

/// Words of `word_bytes` each of `items` numbers, which lie at any address; words are as wide as
/// they or wider.
void make_words(dtype type, const void* numbers, std::size_t items, word_kind kind,
                std::size_t word_bytes, void* words, int threads);

/// Numbers of words again. Words that count may be narrower.
void make_numbers(std::size_t word_bytes, const void* words, std::size_t items, word_kind kind,
                  dtype type, void* numbers, int threads);

/// Words first, first + 1, ... of 4 or 8 bytes.
void count_up(std::size_t first, std::size_t items, std::size_t word_bytes, void* words,
              int threads);

/// Sorts words in their place, each with its load, if there are any: stable. Takes as much memory
/// again. There are words of 1, 2, 4 and 8 bytes without loads (of 0 bytes), and of 4 and 8 bytes
/// with loads of 4 or 8.
void sort_words(const machine& where, std::size_t word_bytes, void* words, std::size_t load_bytes,
                void* loads, std::size_t items);

}  // namespace lookback::table
