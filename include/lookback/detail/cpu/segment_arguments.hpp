/// \file
/// Where segments begin, as a call says it, and its checks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/execution.hpp"

namespace lookback {

/// A segment begins at each item whose flag, converted to bool, is true, and at the first item.
template <std::random_access_iterator Flags>
struct head_flags {
    Flags flags;
};
template <class Flags>
head_flags(Flags) -> head_flags<Flags>;

/// Segment s is [first[s], first[s + 1]); the last of [first, last) is the number of items.
template <std::random_access_iterator Offsets>
struct segment_offsets {
    Offsets first;
    Offsets last;
};
template <class Offsets>
segment_offsets(Offsets, Offsets) -> segment_offsets<Offsets>;

namespace detail {

template <class S>
inline constexpr bool is_segments = false;
template <class Flags>
inline constexpr bool is_segments<head_flags<Flags>> = true;
template <class Offsets>
inline constexpr bool is_segments<segment_offsets<Offsets>> = true;
template <class S>
concept segments_of_items = is_segments<S>;

template <class Offsets>
void check_offsets(const cpu& where, const segment_offsets<Offsets>& segments, std::size_t items) {
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    const auto entry = [&](std::size_t s) {
        return std::to_string(detail::item(segments.first, s));
    };
    if (entries == 0) {
        throw std::invalid_argument(
            "lookback: there are no offsets; expected one more than there "
            "are segments");
    }
    detail::check_not_null(segments.first, entries, "array of offsets");
    if (detail::item(segments.first, 0) != 0) {
        throw std::invalid_argument("lookback: the first offset is " + entry(0) + "; expected 0");
    }
    // As wide as an offset: vectors have as many of these.
    using falls_type = std::conditional_t<sizeof(detail::item(segments.first, 0)) <= 4,
                                          std::uint32_t, std::uint64_t>;
    std::atomic<std::size_t> wrong{entries};  // the least that anybody has found
    detail::for_shares(where, entries - 1, 1 << 14, [&](std::size_t begin, std::size_t end) {
        falls_type falls = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const bool here = detail::item(segments.first, s + 1) < detail::item(segments.first, s);
            falls = static_cast<falls_type>(falls | (here ? 1 : 0));
        }
        if (falls == 0) return;
        while (!(detail::item(segments.first, begin + 1) < detail::item(segments.first, begin)))
            ++begin;
        std::size_t least = wrong.load(std::memory_order_relaxed);
        while (begin < least &&
               !wrong.compare_exchange_weak(least, begin, std::memory_order_relaxed)) {
        }
    });
    if (const std::size_t s = wrong.load(std::memory_order_relaxed); s < entries) {
        throw std::invalid_argument("lookback: offsets decrease from " + entry(s) + " to " +
                                    entry(s + 1) + " at entry " + std::to_string(s + 1) +
                                    "; expected each to be at least the one before");
    }
    if (static_cast<std::size_t>(detail::item(segments.first, entries - 1)) != items) {
        throw std::invalid_argument("lookback: the last offset is " + entry(entries - 1) +
                                    "; expected the number of items, " + std::to_string(items));
    }
}

}  // namespace detail
}  // namespace lookback
