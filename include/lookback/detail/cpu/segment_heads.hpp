/// \file
/// Where segments begin (detail/cpu/segmented_scan_problem.hpp).
///
/// A source of heads has
///   find(first, items, words)
///                      writes a bit for each of `items` items from `first` on, class_block of them
///                      a word: set where a segment begins
///   last(first, end)   the last item in [first, end) where one begins, or `end`
///   ahead(i)           what is read to find the heads from item i on, where that lies in memory,
///                      so many bytes for each item
/// Tiles are of at most most_tile_items items.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>

#include "lookback/detail/cpu/class_mask.hpp"
#include "lookback/detail/cpu/key_heads.hpp"
#include "lookback/detail/cpu/simd_segments.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

inline constexpr std::size_t most_tile_items = std::size_t{32} << 10;
using tile_heads = std::array<std::uint64_t, most_tile_items / class_block>;

// Of sources that have block(i, count), the heads of at most class_block items.
template <class Heads>
void find_heads(const Heads& heads, std::size_t first, std::size_t items, std::uint64_t* words) {
    for (std::size_t i = 0; i < items; i += class_block) {
        *words++ = heads.block(first + i, std::min(class_block, items - i));
    }
}

template <class Heads>
std::size_t last_head(const Heads& heads, std::size_t first, std::size_t end) {
    for (std::size_t behind = end; behind > first;) {
        const std::size_t count = std::min(class_block, behind - first);
        behind -= count;
        if (const std::uint64_t block = heads.block(behind, count); block != 0) {
            return behind + static_cast<std::size_t>(63 - std::countl_zero(block));
        }
    }
    return end;
}

template <class In>
memory_ahead ahead_in([[maybe_unused]] const In& in, [[maybe_unused]] std::size_t i) {
    if constexpr (std::contiguous_iterator<In>) {
        return {std::to_address(in) + i, sizeof(std::iter_value_t<In>)};
    } else {
        return {};
    }
}

template <class Keys, class Equal>
struct heads_by_key {
    key_heads<Keys, Equal> heads;

    std::uint64_t block(std::size_t i, std::size_t count) const {
        detail::prefetch_page_after<class_block>(heads.keys, i, count);
        return heads(i, count, i == 0 ? 1 : 0);
    }
    void find(std::size_t first, std::size_t items, std::uint64_t* words) const {
        detail::find_heads(*this, first, items, words);
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return detail::last_head(*this, first, end);
    }
    memory_ahead ahead(std::size_t i) const { return detail::ahead_in(heads.keys, i); }
};

template <class Flags>
struct heads_by_flag {
    const Flags& flags;
    bool begins = true;  ///< a segment, at the first item, whatever its flag

    std::uint64_t block(std::size_t i, std::size_t count) const {
        const std::size_t heads = begins && i == 0 ? 1 : 0;
        return class_masks<1>(heads, count, [&](std::size_t k) -> std::uint8_t {
            return static_cast<bool>(detail::item(flags, i + k)) ? 0 : 1;
        })[0];
    }
    void find(std::size_t first, std::size_t items, std::uint64_t* words) const {
        detail::find_heads(*this, first, items, words);
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        return detail::last_head(*this, first, end);
    }
    memory_ahead ahead(std::size_t i) const { return detail::ahead_in(flags, i); }
};

/// Segment s is [offsets[s], offsets[s + 1]), and may be empty. A tile looks for where it begins
/// and ends, and walks from there: so its work is the same whatever the lengths, but for the empty
/// segments in it.
template <class Offsets>
struct heads_by_offset {
    const Offsets& offsets;
    std::size_t entries;  ///< the last of which is the number of items

    std::size_t at(std::size_t s) const {
        return static_cast<std::size_t>(detail::item(offsets, s));
    }

    // The first entry that is `least` or more.
    std::size_t entry_of(std::size_t least) const {
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

    // A byte for each item first: so nothing waits for the one before, and no branch depends on
    // how many begin in a block. Eight at a time, where the last of them is in the tile.
    void find(std::size_t first, std::size_t items, std::uint64_t* words) const {
        std::array<block_classes<std::uint8_t>, most_tile_items / class_block> begins;
        std::memset(begins.data(), 0, (items + class_block - 1) / class_block * class_block);
        std::uint8_t* const bytes = begins.front().data();
        std::size_t s = entry_of(first);
        for (; s + 8 <= entries && at(s + 7) - first < items; s += 8) {
            detail::prefetch_page_after<8>(offsets, s, 8);
            for (std::size_t k = 0; k < 8; ++k) bytes[at(s + k) - first] = 1;
        }
        for (std::size_t i; (i = at(s) - first) < items; ++s) bytes[i] = 1;
        for (std::size_t i = 0; i < items; i += class_block) {
            *words++ = detail::equal_mask(begins[i / class_block], 1);
        }
    }
    std::size_t last(std::size_t first, std::size_t end) const {
        const std::size_t entry = entry_of(end);
        return entry > 0 && at(entry - 1) >= first ? at(entry - 1) : end;
    }
    memory_ahead ahead(std::size_t /*i*/) const { return {}; }
};

}  // namespace lookback::detail
