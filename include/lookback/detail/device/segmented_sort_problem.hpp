/// \file
/// A sort of segments as its kernels see it: the arrays, as a sort has them (sort_problem.hpp), the
/// offsets, and what the kernels tell each other in scratch memory.
///
/// Segments are dealt out by where they begin, so that nothing depends on how many there are: the
/// array is cut every `step` items; the segments that begin between two cuts are a *bundle*. All
/// but its last end before the next cut. If the whole bundle fits into a block it is sorted there;
/// otherwise all but its last is, and that one is listed: as a *piece*, which a block has room for,
/// or as *large*, which is cut into tiles. So each block has one segment to list at most; those
/// that are listed have at least as many items as a block has room for beyond `step`.
#pragma once

#include <cstdint>

#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_shapes.hpp"

namespace lookback::detail::device {

struct segmented_sort_tuning {
    sort_shape bundle;  ///< of the blocks that sort bundles,
    sort_shape piece;   ///< pieces,
    sort_tuning large;  ///< and large segments
    int step;           ///< items between two cuts
    int most_compared;  ///< items of a segment whose ranks are found by comparing each with each
};

template <class Word, class Value>
constexpr segmented_sort_tuning segmented_sort_tuning_of() {
    // 64 KiB hold a bundle's block, and 64 registers what a thread has of it.
    constexpr int rows = sizeof(Word) <= 4 ? 14 : sizeof(Word) == 8 ? 8 : 4;
    constexpr sort_shape bundle = {16, rows, 2};
    return {.bundle = bundle,
            .piece = sizeof(Word) <= 8 ? sort_shape{32, rows, 1} : sort_shape{16, 2 * rows, 1},
            .large = sort_tuning_of<Word, Value>(),
            .step = bundle.items() / 2,
            .most_compared = 96};
}

/// A cut: the first segment that begins there, or behind, and where it does.
struct segment_cut {
    std::uint64_t segment;
    std::uint64_t item;
};
struct item_range {
    std::uint64_t begin;
    std::uint64_t end;

    LOOKBACK_HD std::uint64_t items() const { return end - begin; }
};
struct large_segment {
    item_range range;
    std::uint64_t first_tile;  ///< of all tiles of large segments
};

/// How much has been listed, and which digits are not the same in all keys of each large segment.
struct segment_lists_head {
    std::uint32_t pieces;
    std::uint32_t large;
    std::uint64_t tiles;
    std::uint8_t varies[most_digits];
};

/// In scratch memory.
struct segment_lists {
    segment_lists_head* head;
    segment_cut* cut;
    item_range* piece;
    large_segment* large;
    std::uint32_t* owner;    ///< of each tile, the number of its large segment
    std::uint64_t* starts;   ///< 256 for each digit of each: counts, then where keys with it begin
    std::uint64_t* carried;  ///< two rows of 256: see segmented_sort_pass.hpp
};

/// Problem: a sort_problem, without its state. Offsets: anything with an operator[].
template <class Problem, class Offsets>
struct segmented_sort_problem {
    using sort_type = Problem;

    Problem sort;
    Offsets offsets;
    std::uint64_t segments;
    std::uint64_t cuts;  ///< but for the last
    int step;
    int piece_room;  ///< items that a block which sorts a piece has room for
    int tile_items;  ///< of a tile of a large segment
    segment_lists lists;

    /// Where segment s begins, and where the one before ends. Behind the last item there is
    /// nothing.
    __device__ std::uint64_t offset(std::uint64_t s, std::uint64_t items) const {
        const auto at = static_cast<std::uint64_t>(offsets[static_cast<std::int64_t>(s)]);
        return at < items ? at : items;
    }
    __device__ std::uint64_t* starts_of(std::uint64_t large, int digit) const {
        return lists.starts + (large * static_cast<unsigned>(sort.digits.digits()) +
                               static_cast<unsigned>(digit)) *
                                  digit_values;
    }
};

}  // namespace lookback::detail::device
