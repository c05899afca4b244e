/// \file
/// Scans of many segments as the GPU's drivers see them: one plain scan of pairs {value, head} with
/// the operator segmented<Op> (operators.hpp). The pairs are never stored: heads are found when a
/// tile is reduced, from keys or flags.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

// Sources of heads. Each says which array is paired with the values; whether the item before a
// tile is needed; and which of a thread's items are heads, one bit for each. Only the first `left`
// items count, unless `full`. The array's first item is a head.

/// Heads where a key is not equal to the key before it.
template <class Keys, class Equal>
struct heads_by_key {
    using item_type = item_of<Keys>;
    static constexpr bool looks_back = true;

    Keys in;
    Equal equal;

    template <bool full, class Tile>
    __device__ std::uint64_t of_mine(const Tile& here, std::uint64_t first, int left) const {
        typename Tile::item_chunk keys;
        here.load_mine(keys);
        return here.template heads_of_mine<full>(keys, first, left, equal);
    }
};

/// Heads where a flag is set.
template <class Flags>
struct heads_by_flag {
    using item_type = item_of<Flags>;
    static constexpr bool looks_back = false;

    Flags in;

    template <bool full, class Tile>
    __device__ std::uint64_t of_mine(const Tile& here, std::uint64_t first, int left) const {
        typename Tile::item_chunk flags;
        here.load_mine(flags);
        std::uint64_t heads = first == 0 && Tile::thread() == 0;
#pragma unroll
        for (int i = 0; i < Tile::per_thread; ++i) {
            if ((full || i < left) && static_cast<bool>(flags[i])) heads |= std::uint64_t{1} << i;
        }
        return heads;
    }
};

/// `start`: the initial value of each segment, if there is one.
template <bool exclusive, class T, class In, class Heads, class Out, class Op, class Start>
struct segmented_problem {
    using accumulator = T;
    using value_type = segment_value<T>;
    using heads_type = Heads;
    static constexpr bool is_exclusive = exclusive;
    /// As for a scan (scan_problem.hpp); in addition, the array that tells heads must be one for
    /// bulk copies.
    static constexpr bool can_be_aligned = [] {
        if constexpr (is_bulk_array<In> && is_bulk_array<Out>) {
            using keys = decltype(Heads::in);
            return moves_as<T, item_of<In>> && moves_as<T, item_of<Out>> && is_bulk_array<keys>;
        }
        return false;
    }();

    In in;
    Heads heads;
    Out out;
    segmented<Op> op;
    Start start;
    item_count count;
    bool aligned;
    empty_start<value_type> init{};
};

}  // namespace lookback::detail::device
