/// \file
/// Runs of equal keys as the GPU's drivers see them: the key of each run's first item, and the fold
/// of the run's values.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/detail/run_summary.hpp"

namespace lookback::detail::device {

/// What is counted where no values are folded: runs, or stretches (detail/heads.hpp).
enum class stretches_of { equal_items, heads_and_others };

/// `paired`: the values, or no_array if each item counts as one. V: the type in which values are
/// folded. W: the type in which a tile publishes its fold.
template <class In, class Paired, class W, class V, class Op, class Equal, class KeysOut,
          class ValuesOut, stretches_of stretches_ = stretches_of::equal_items>
struct run_problem {
    static constexpr stretches_of stretches = stretches_;
    using item_type = item_of<In>;
    using paired_type = item_of<Paired>;
    using value_type = run_summary<std::uint32_t, W>;
    using prefix_type = run_summary<std::uint64_t, V>;
    static constexpr bool can_be_aligned =
        is_bulk_array<In> && (is_bulk_array<Paired> || is_absent<Paired>);
    /// How many items before a tile it reads.
    static constexpr int items_before = stretches == stretches_of::heads_and_others ? 2 : 1;

    In in;
    Paired paired;
    join_runs<Op> op;
    Equal equal;
    KeysOut keys_out;
    ValuesOut values_out;
    item_count count;
    total_place total;
    bool aligned;
    bool in_place;        ///< results may overwrite items
    bool item_over_item;  ///< each result then lies over the item of its number
    empty_start<prefix_type> init{};
};

}  // namespace lookback::detail::device
