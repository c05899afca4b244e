/// \file
/// Compaction as the GPU's drivers see it: each item goes to the end of one of several outputs, or
/// is dropped (Merrill & Garland 2016, sections 4.4 and 5.2).
///
/// A tile publishes how many items it has of each counted class: class 0 and, in a three-way
/// partition, class 1. The class after the counted ones is the rest: the number of an item of the
/// rest follows from its position and from the counts.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/scan_problem.hpp"

namespace lookback::detail::device {

/// The output of the rest, where it is written behind the kept items, wherever they end.
template <class Out>
struct behind_kept {
    Out out;
    __device__ decltype(auto) operator[](std::int64_t i) const { return out[i]; }
};
template <class Out>
__device__ int skew_of(const behind_kept<Out>& to, std::int64_t at) {
    return skew_of(to.out, at);
}
template <class P>
inline constexpr bool is_behind_kept = false;
template <class Out>
inline constexpr bool is_behind_kept<behind_kept<Out>> = true;

/// The same, where the number of kept items lies in memory before the launch.
template <class Out>
struct behind_counted {
    Out out;
    const std::uint64_t* kept;
    __device__ decltype(auto) operator[](std::int64_t i) const { return out[i]; }
};
template <class Out>
__device__ int skew_of(const behind_counted<Out>& to, std::int64_t at) {
    return skew_of(to.out, at);
}
template <class Out>
__device__ std::uint64_t rest_begins_at(const Out& /*to*/, std::uint64_t known) {
    return known;
}
template <class Out>
__device__ std::uint64_t rest_begins_at(const behind_counted<Out>& to, std::uint64_t /*known*/) {
    return *to.kept;
}

/// `paired`: an array that is read with the items: flags, or values. `values`: where the values of
/// class 0 go. `outputs`: of the classes 0, 1, ...
template <class In, class Paired, class Classify, class Values, class... Outputs>
struct compaction_problem {
    using item_type = item_of<In>;
    using paired_type = item_of<Paired>;
    static constexpr int counted = Classify::counted;
    static constexpr bool rest_is_behind = (is_behind_kept<Outputs> || ...);
    static constexpr bool has_one_output = sizeof...(Outputs) == 1;
    using value_type = class_counts<std::uint32_t, counted>;
    using prefix_type = class_counts<std::uint64_t, counted>;
    static constexpr bool can_be_aligned =
        is_bulk_array<In> && (is_bulk_array<Paired> || is_absent<Paired>);
    /// How many items before a tile it reads.
    static constexpr int items_before = Classify::compares ? 1 : 0;

    In in;
    Paired paired;
    Classify classify;
    Values values;
    output_list<Outputs...> outputs;
    item_count count;
    total_place total;
    bool aligned;
    bool in_place;        ///< results may overwrite items
    bool item_over_item;  ///< each result then lies over the item of its number
    add_counts op{};
    empty_start<prefix_type> init{};
};

}  // namespace lookback::detail::device
