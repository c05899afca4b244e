/// \file
/// Sorting within a warp's registers. Each lane holds some items, and groups of 1, 2, 4, ... lanes
/// each sort theirs. A lane sorts its own items by an odd-even merge network. Then neighbouring
/// groups are merged, pair by pair, by bitonic networks whose first step compares each place with
/// the mirrored one.
///
/// Every lane compares, none waits for another, and it is known beforehand what is compared with
/// what. For 32 items of 4 bytes in a lane there are 191 comparators of two instructions each,
/// which is 12 instructions an item.
///
/// Cost, of k items a lane and g lanes: log k (log k + 1) / 4 comparators an item; for each of the
/// log g merges, up to log g shuffles and log k / 2 comparators more.
///
/// Source: Batcher 1968, "Sorting networks and their applications".
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/portability.hpp"

namespace lookback::detail::device {

/// What networks sort: a word, as a number of at least 4 bytes. (Items with values are sorted by
/// other numbers: segmented_sort_fragments.hpp.)
template <class Word>
struct network_word {
    using number = std::conditional_t<sizeof(Word) < 4, std::uint32_t, Word>;
    number bits;

    __device__ static network_word of(Word word) { return {word}; }
    /// No lower than any other.
    __device__ static network_word last() { return {static_cast<Word>(~Word{0})}; }
    __device__ Word word() const { return static_cast<Word>(bits); }
    __device__ bool operator<(const network_word& b) const { return bits < b.bits; }
};

/// The items that a lane holds, as many as fit in 32 registers of its 64.
template <class Word>
inline constexpr int network_items = 128 / static_cast<int>(sizeof(network_word<Word>));

/// Puts the lower of two items first.
template <class T>
__device__ void compare_exchange(T& a, T& b) {
    const bool wrong = b < a;
    const T low = wrong ? b : a;
    b = wrong ? a : b;
    a = low;
}

/// Odd-even merges, beginning with sorted runs of `run` items; the first step compares items that
/// are `apart` places from each other.
template <int run, int apart, int items, class T>
__device__ void odd_even_merges(T (&item)[items]) {
    if constexpr (run < items) {
#pragma unroll
        for (int i = apart % run; i + apart < items; ++i) {
            const bool compares =
                (i - apart % run) / apart % 2 == 0 && i / (2 * run) == (i + apart) / (2 * run);
            if (compares) compare_exchange(item[i], item[i + apart]);
        }
        if constexpr (apart > 1) {
            odd_even_merges<run, apart / 2>(item);
        } else {
            odd_even_merges<2 * run, 2 * run>(item);
        }
    }
}
/// Sorts the items of one lane. `items` is a power of two.
template <int items, class T>
__device__ void sort_in_lane(T (&item)[items]) {
    odd_even_merges<1, 1>(item);
}

/// Sorts a lane's items, which first rise and then fall.
template <int apart, int items, class T>
__device__ void merge_in_lane(T (&item)[items]) {
    if constexpr (apart > 0) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if ((i & apart) == 0) compare_exchange(item[i], item[i + apart]);
        }
        merge_in_lane<apart / 2>(item);
    }
}

/// The lower or the higher of this lane's item and another lane's.
template <class T>
__device__ T lower_or_higher(const T& mine, const T& other, bool lower) {
    return (other < mine) == lower ? other : mine;
}

/// Merges the sorted items of neighbouring groups of lanes, until the items of each `lanes` lanes,
/// a power of two, are sorted: the first lane has the lowest ones. All lanes of the warp call it.
template <int items, class T>
__device__ void merge_lanes(T (&item)[items], int lanes) {
#pragma unroll 1
    for (int span = 2; span <= lanes; span *= 2) {
        const bool in_lower_half = (lane() & span / 2) == 0;
#pragma unroll
        for (int i = 0; i < items / 2; ++i) {
            const T mirrored = from_lane_across(item[items - 1 - i], span - 1);
            const T other = from_lane_across(item[i], span - 1);
            item[i] = lower_or_higher(item[i], mirrored, in_lower_half);
            item[items - 1 - i] = lower_or_higher(item[items - 1 - i], other, in_lower_half);
        }
#pragma unroll 1
        for (int apart = span / 4; apart > 0; apart /= 2) {
            const bool lower = (lane() & apart) == 0;
#pragma unroll
            for (int i = 0; i < items; ++i) {
                item[i] = lower_or_higher(item[i], from_lane_across(item[i], apart), lower);
            }
        }
        merge_in_lane<items / 2>(item);
    }
}

}  // namespace lookback::detail::device
