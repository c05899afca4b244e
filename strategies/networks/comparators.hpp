/// \file
/// Batcher's sorting networks as formulas: which two items each comparator of a step joins. The
/// drawings of networks and the sorts on a GPU use the same formulas (K. E. Batcher, "Sorting
/// Networks and their Applications", 1968; Knuth, The Art of Computer Programming, volume 3,
/// section 5.3.4).
///
/// Both networks sort parts of 2, 4, 8, ... items, by merging two parts of half the length. The
/// merge of parts of 2^h items has h + 1 steps, at the distances 2^h, ..., 2, 1. Each comparator
/// leaves the lesser item at its lower end. So any number of items can be sorted: items that are
/// missing at the end count as greater than all others and never move, and comparators that join
/// them are left out.
#pragma once

#include "lookback/detail/portability.hpp"

namespace lookback::strategies {

/// A step of the merges of two parts each, given by the logarithms of the part's length and of the
/// distance.
struct merge_step {
    int part;
    int distance;
};

/// If the comparator joins nothing, `high` is the greatest Index, which lies behind the end of any
/// array.
template <class Index>
struct comparator {
    Index low;
    Index high;
};

/// Only comparators with a number below this join items of the first `items` items in this step.
template <class Index>
LOOKBACK_HD constexpr Index comparators_of(const merge_step& step, Index items) {
    const Index distance = Index{1} << step.distance;
    return (items + 2 * distance - 1) / (2 * distance) * distance;
}

/// A pair of items at the step's distance. The items of a step are cut into such pairs, which are
/// numbered in order; this is pair `number`.
template <class Index>
struct distant_pair {
    Index distance;
    Index within;  ///< its number among the pairs of the same 2 * distance items
    Index low;     ///< the place of its lower end

    LOOKBACK_HD constexpr distant_pair(const merge_step& step, Index number)
        : distance(Index{1} << step.distance),
          within(number & (distance - 1)),
          low(2 * (number - within) + within) {}
};

/// The bitonic sort. The first step of a merge joins the items of one part with those of the other
/// in reverse. Then the lesser items, and the greater items, are bitonic: they rise and fall. The
/// other steps halve these bitonic sequences. Steps of a distance below 2^k stay within aligned
/// parts of 2^k.
struct bitonic_network {
    static constexpr bool stays_in_parts = true;

    template <class Index>
    LOOKBACK_HD static constexpr comparator<Index> at(const merge_step& step, Index number) {
        const distant_pair<Index> pair(step, number);
        const Index low = pair.low, end = low - pair.within + 2 * pair.distance;
        if (step.distance < step.part) return {low, low + pair.distance};
        return {low, end - 1 - pair.within};
    }
};

/// Odd-even merge sort. The first step of a merge joins the items of one part with those of the
/// other in order. The other steps join items that the step before has not joined, between the ends
/// of the merged parts.
struct odd_even_network {
    static constexpr bool stays_in_parts = false;

    template <class Index>
    LOOKBACK_HD static constexpr comparator<Index> at(const merge_step& step, Index number) {
        const distant_pair<Index> pair(step, number);
        const Index distance = pair.distance;
        if (step.distance == step.part) return {pair.low, pair.low + distance};
        const Index first = pair.low + distance, second = first + distance;
        const bool is_one_merge = first >> (step.part + 1) == second >> (step.part + 1);
        return {first, is_one_merge ? second : static_cast<Index>(-1)};
    }
};

}  // namespace lookback::strategies
