/// \file
/// Sorting, beside CUB's: what the keys are like, and in which order they lie.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "program.hpp"

namespace lookback::bench {

enum class keys_are {
    random,
    all_equal,
    sorted,
    reversed,
    /// Of all magnitudes, each as likely: on average half of a key's bits are leading zeros.
    skewed,
    low_entropy  ///< three random words; a bit is set where all three have it
};

/// One input, and how it is sorted.
struct sort_case {
    std::uint64_t items;
    keys_are data = keys_are::random;
    int first_bit = 0;
    int last_bit = -1;      ///< the bit behind the last one; -1: the key's end
    int off = 0;            ///< items that arrays begin behind a boundary of vectors
    bool in_place = false;  ///< whether sorting in place is measured, too

    std::string text() const;
};

/// 2^power items of each power, with random keys.
std::vector<sort_case> random_keys(std::initializer_list<int> powers);
/// The same, with keys of all other kinds.
std::vector<sort_case> other_keys(std::initializer_list<int> powers);
std::vector<sort_case> operator+(std::vector<sort_case> a, const std::vector<sort_case>& b);

void measure_sort_u8(session& s, const observer& tell);
void measure_sort_16(session& s, const observer& tell);
void measure_sort_u32(session& s, const observer& tell);
void measure_sort_u64(session& s, const observer& tell);
void measure_sort_f32(session& s, const observer& tell);
void measure_sort_f64(session& s, const observer& tell);
void measure_sort_pairs(session& s, const observer& tell);
void measure_sort_pairs_u64(session& s, const observer& tell);
void measure_sort_pairs_wide(session& s, const observer& tell);
/// Pairs: descending, by some bits, off the boundaries of vectors.
void measure_sort_forms(session& s, const observer& tell);

}  // namespace lookback::bench
