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
#include "lookback/core/items.hpp"
#include "lookback/core/key_heads.hpp"

namespace lookback::detail {

// Looks at blocks from the end backward; mask(i, count) has their heads.
template <class Mask>
std::size_t last_head(std::size_t first, std::size_t end, const Mask& mask) {
    for (std::size_t behind = end; behind > first;) {
        const std::size_t count = std::min(class_block, behind - first);
        behind -= count;
        if (const std::uint64_t heads = mask(behind, count); heads != 0) {
            return behind + static_cast<std::size_t>(std::bit_width(heads)) - 1;
        }
    }
    return end;
}

template <class Keys, class Equal>
struct heads_by_key {
    key_heads<Keys, Equal> heads;

    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i, std::size_t count) {
            prefetch_page_after(heads.keys, i, count);
            return heads(i, count, i == 0 ? 1 : 0);
        };
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return last_head(first, end, from(first));
    }
};

template <class Flags>
struct heads_by_flag {
    const Flags& flags;
    bool begins = true;  ///< a segment, at the first item, whatever its flag

    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i, std::size_t count) {
            const std::size_t heads = begins && i == 0 ? 1 : 0;
            return class_masks<1>(heads, count, [&](std::size_t k) -> std::uint8_t {
                return static_cast<bool>(item(flags, i + k)) ? 0 : 1;
            })[0];
        };
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return last_head(first, end, from(first));
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
