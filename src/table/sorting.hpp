/// \file
/// Sorting of numbers whose type is known at run time, as unsigned words in their place. The word
/// of a key has the order of the number; the word of a load is its bits. So the loops that sort
/// need four types of words, not ten of numbers. A word may be wider than its number.
#pragma once

#include <cstddef>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

enum class word_kind { bits, ascending, descending };

/// Makes a word of `word_bytes` bytes of each of `items` numbers, which may lie at any address.
/// Words are at least as wide as the numbers.
void make_words(dtype type, const void* numbers, std::size_t items, word_kind kind,
                std::size_t word_bytes, void* words, int threads);

/// Makes numbers of words again. Words that came from `count_up` may be narrower than the numbers.
void make_numbers(std::size_t word_bytes, const void* words, std::size_t items, word_kind kind,
                  dtype type, void* numbers, int threads);

/// Writes the words first, first + 1, ..., of 4 or 8 bytes.
void count_up(std::size_t first, std::size_t items, std::size_t word_bytes, void* words,
              int threads);

/// Sorts words in place, and moves each load with its word, if there are loads. Stable. Needs as
/// much memory again. Words have 1, 2, 4 or 8 bytes without loads (load_bytes is 0), and 4 or 8
/// bytes with loads of 4 or 8.
void sort_words(const machine& where, std::size_t word_bytes, void* words, std::size_t load_bytes,
                void* loads, std::size_t items);

}  // namespace lookback::table
