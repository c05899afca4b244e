/// \file
/// A sort of segments as its kernels see it: the arrays, as in any sort (sort_problem.hpp), the
/// offsets, and what the kernels tell each other in scratch memory.
///
/// Segments are dealt out by where they begin, so their number does not matter. The array is cut
/// every `step` items. The segments that begin between two cuts are a *bundle*. All but the last of
/// them end before the next cut. If a whole bundle fits in a block, it is sorted there. Otherwise
/// all its segments but the last are sorted there, and the last is listed: as a *piece*, if a block
/// has room for it alone, or as *large*; large segments are cut into tiles. So each block lists one
/// segment at most, and a listed segment has at least as many items as a block has room for beyond
/// `step`.
#pragma once

#include <cstdint>

#include "lookback/detail/device/segmented_sort_network.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_shapes.hpp"

namespace lookback::detail::device {

struct segmented_sort_tuning {
    sort_shape short_bundle;  ///< of the blocks that sort bundles of short segments,
    sort_shape bundle;        ///< of the blocks that sort other bundles,
    sort_shape piece;         ///< of the blocks that sort pieces,
    sort_tuning large;        ///< and for large segments
    int step;                 ///< items between two cuts
    int most_short;           ///< items that a short segment has at most
};

template <class Word, class Value>
constexpr segmented_sort_tuning segmented_sort_tuning_of() {
    // A bundle's block fits in 64 KiB of shared memory, and each thread's part of it in 64
    // registers. For bytes a block has twice as much of both.
    constexpr bool are_bytes = sizeof(Word) == 1 && is_absent<Value>;
    constexpr int rows = sizeof(Word) <= 4 ? 14 : sizeof(Word) == 8 ? 8 : 4;
    constexpr sort_shape bundle = are_bytes ? sort_shape{32, rows, 1} : sort_shape{16, rows, 2};
    // A block waits for its offsets, then for its items: some 5 us, however few they are. So a step
    // is as many items as the shared memory of four blocks has room for, if the blocks of bundles
    // have some room to spare.
    constexpr int step = are_bytes                                ? bundle.items() / 4 * 3
                         : sizeof(Word) <= 4 && !is_absent<Value> ? bundle.items() / 14 * 9
                                                                  : bundle.items() / 2;
    // A short segment has no more items than a warp's registers hold.
    constexpr int most_short = warp_lanes * network_items<Word>;
    constexpr int short_threads = 8 * warp_lanes;
    constexpr int short_rows = (step + most_short + short_threads - 1) / short_threads;
    // The last tile of a segment is seldom full. Smaller tiles waste less on it.
    sort_tuning large = sort_tuning_of<Word, Value>();
    if (sizeof(Word) == 8 && is_absent<Value>) large.tile = {24, 16, 1};
    if (sizeof(Word) <= 4 && is_absent<Value>) large.tile = {10, 32, 2};
    return {.short_bundle = {8, short_rows, 4},
            .bundle = bundle,
            .piece = sizeof(Word) <= 8 ? sort_shape{32, rows, 1} : sort_shape{16, 2 * rows, 1},
            .large = large,
            .step = step,
            .most_short = most_short};
}

/// A cut: the first segment that begins at the cut or behind it, and where it begins.
struct segment_cut {
    std::uint64_t segment;
    std::uint64_t item;
};
/// Segments [first, last), which lie in `range`.
struct bundle {
    std::uint64_t first;
    std::uint64_t last;
    item_range range;
};
/// If a bundle of so many items has more segments than these, they are not looked at one by one.
template <int items>
inline constexpr std::uint64_t most_segments = 4 * items;

struct large_segment {
    item_range range;
    /// The number of its first tile among the tiles of all large segments.
    std::uint64_t first_tile;
};

/// How much has been listed, and for each digit, whether it differs within any large segment.
struct segment_lists_head {
    std::uint32_t bundles;  ///< bundles that are not all short segments
    std::uint32_t pieces;
    std::uint32_t large;
    std::uint64_t tiles;
    std::uint8_t varies[most_digits];
};

/// In scratch memory.
struct segment_lists {
    segment_lists_head* head;
    segment_cut* cut;
    std::uint32_t* bundle;  ///< the numbers of the bundles
    item_range* piece;
    large_segment* large;
    std::uint32_t* owner;    ///< for each tile, the number of its large segment
    std::uint64_t* starts;   ///< 256 for each digit of each segment: counts, then where keys begin
    std::uint64_t* carried;  ///< two rows of 256: what portions of a pass hand on
};

/// Problem: a sort_problem, without its state. Offsets: anything with an operator[].
template <class Problem, class Offsets>
struct segmented_sort_problem {
    using sort_type = Problem;

    Problem sort;
    Offsets offsets;
    std::uint64_t segments;
    std::uint64_t cuts;  ///< how many, without the last one
    int step;
    int piece_room;  ///< items that a block which sorts a piece has room for
    int tile_items;  ///< of a tile of a large segment
    segment_lists lists;

    /// Where segment s begins, and the one before ends. Offsets behind the last item count as its
    /// end.
    __device__ std::uint64_t offset(std::uint64_t s, std::uint64_t items) const {
        const auto at = static_cast<std::uint64_t>(offsets[static_cast<std::int64_t>(s)]);
        return at < items ? at : items;
    }
    __device__ bundle bundle_at(std::uint64_t number) const {
        const segment_cut from = lists.cut[number], to = lists.cut[number + 1];
        return {from.segment, to.segment, {from.item, to.item}};
    }
    __device__ std::uint64_t* starts_of(std::uint64_t large, int digit) const {
        return lists.starts + (large * static_cast<unsigned>(sort.digits.digits()) +
                               static_cast<unsigned>(digit)) *
                                  digit_values;
    }
};

}  // namespace lookback::detail::device
