/// \file
/// Where segments begin (core/segmented_scan_problem.hpp).
///
/// A source of heads has
///   from(first)        a function (i, count) for the blocks of items from `first` on, in order, of
///                      at most class_block items: a bit for each item, set where a segment begins
///   last(first, end)   the last item in [first, end) where one begins, or `end`
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "lookback/core/class_mask.hpp"
#include "lookback/core/classifiers.hpp"
#include "lookback/core/items.hpp"

namespace lookback::detail {

/// Heads that an item alone tells: is_head(i).
template <class IsHead>
std::uint64_t head_mask(std::size_t first, std::size_t count, const IsHead& is_head) {
    block_classes classes{};
    const std::size_t begin = first == 0 ? 1 : 0;
    if (begin == 1) classes[0] = 1;
    set_classes(classes, begin, count,
                [&](std::size_t i) -> std::uint8_t { return is_head(first + i) ? 1 : 0; });
    return class_mask(classes, count, 1);
}

// Looks at blocks from the end backward.
template <class IsHead>
std::size_t last_head(std::size_t first, std::size_t end, const IsHead& is_head) {
    for (std::size_t behind = end; behind > first;) {
        const std::size_t count = std::min(class_block, behind - first);
        behind -= count;
        const std::uint64_t mask = head_mask(behind, count, is_head);
        if (mask != 0) return behind + static_cast<std::size_t>(std::bit_width(mask)) - 1;
    }
    return end;
}

template <class Keys, class Equal>
struct heads_by_key {
    const Keys& keys;
    const Equal& equal;

    auto is_head() const {
        return [this](std::size_t i) {
            return !static_cast<bool>(equal(item(keys, i - 1), item(keys, i)));
        };
    }
    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i, std::size_t count) {
            prefetch_page_after(keys, i, count);
            return head_mask(i, count, is_head());
        };
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return last_head(first, end, is_head());
    }
};

template <class Flags>
struct heads_by_flag {
    const Flags& flags;

    auto is_head() const {
        return [this](std::size_t i) { return static_cast<bool>(item(flags, i)); };
    }
    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i, std::size_t count) { return head_mask(i, count, is_head()); };
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return last_head(first, end, is_head());
    }
};

/// Segment s is [offsets[s], offsets[s + 1]), and may be empty. Looked for once, then walked: so
/// the work of a tile is the same whatever the lengths.
template <class Offsets>
struct heads_by_offset {
    const Offsets& offsets;
    std::size_t entries;  ///< the last of which is the number of items

    std::size_t at(std::size_t s) const { return static_cast<std::size_t>(item(offsets, s)); }

    // The first entry that is `least` or more.
    std::size_t find(std::size_t least) const {
        std::size_t low = 0, high = entries;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (at(middle) < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    auto from(std::size_t first) const {
        const std::size_t entry = find(first);
        return [this, s = entry, next = at(entry)](std::size_t i, std::size_t count) mutable {
            std::uint64_t mask = 0;
            while (next < i + count) {
                mask |= std::uint64_t{1} << (next - i);
                next = at(++s);
            }
            return mask;
        };
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        const std::size_t entry = find(end);
        return entry > 0 && at(entry - 1) >= first ? at(entry - 1) : end;
    }
};

}  // namespace lookback::detail
