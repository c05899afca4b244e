/// \file
/// Offsets of segments on the CPU: checked before they are used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

/// Refuses offsets that decrease, or do not begin at 0 and end at the number of items.
template <class Offsets>
void check_offsets(const cpu& where, const segment_offsets<Offsets>& segments, std::size_t items) {
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    const auto entry = [&](std::size_t s) {
        return std::to_string(detail::item(segments.first, s));
    };
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

}  // namespace lookback::detail
