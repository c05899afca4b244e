/// \file
/// Sorting segments, beside CUB's DeviceSegmentedSort: how long the segments are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program.hpp"

namespace lookback::bench {

/// One array, in segments.
struct segments_case {
    std::uint64_t items;
    std::string text;
    /// Draws the length of the next segment. The last segment ends where the items do.
    std::function<std::uint64_t()> length;
    int off = 0;           ///< items that arrays begin behind a boundary of vectors
    int empty_behind = 0;  ///< empty segments behind each one

    std::vector<std::int32_t> offsets() const;
};

/// Arrays of 2^26 items, each in segments of one length.
std::vector<segments_case> segments_of(std::initializer_list<std::uint64_t> lengths);
/// Segments of all magnitudes up to 2^22, as many items in each magnitude; an eighth of them are
/// empty.
segments_case mixed_segments();
/// Segments of lengths up to 10^5 by Zipf's law: for each segment of k items or more, there are k
/// of any length.
segments_case skewed_segments();
/// Cases without round numbers: odd totals, arrays off boundaries, empty segments.
std::vector<segments_case> ragged_segments();
std::vector<segments_case> operator+(std::vector<segments_case> a,
                                     const std::vector<segments_case>& b);

void measure_segments_u8(session& s, const observer& tell);
void measure_segments_u32(session& s, const observer& tell);
void measure_segments_u64(session& s, const observer& tell);
void measure_segments_pairs(session& s, const observer& tell);

}  // namespace lookback::bench
