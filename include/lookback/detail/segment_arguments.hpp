/// \file
/// Checks of the arguments that say where segments begin.
#pragma once

#include <cstddef>
#include <iterator>
#include <stdexcept>

#include "lookback/counts.hpp"
#include "lookback/detail/arguments.hpp"

namespace lookback {

namespace detail {

template <class S>
inline constexpr bool is_segments = false;
template <class Flags>
inline constexpr bool is_segments<head_flags<Flags>> = true;
template <class Offsets>
inline constexpr bool is_segments<segment_offsets<Offsets>> = true;
template <class S>
concept segments_of_items = is_segments<S>;

/// Refuses an output that overlaps the flags or offsets, and an empty array of offsets.
template <class Flags, class Out>
void check_segments(const head_flags<Flags>& segments, const Out& out, std::size_t items) {
    detail::check_apart(segments.flags, items, "array of flags", out, items);
}
template <class Offsets, class Out>
void check_segments(const segment_offsets<Offsets>& segments, const Out& out, std::size_t items) {
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    if (entries == 0) {
        throw std::invalid_argument(
            "lookback: there are no offsets; expected one more than there are segments");
    }
    detail::check_apart(segments.first, entries, "array of offsets", out, items);
}

}  // namespace detail
}  // namespace lookback
