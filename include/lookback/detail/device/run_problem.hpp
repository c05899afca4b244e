/// \file
/// Runs of equal keys as the GPU's drivers see them: the key of each run's first item, and the fold
/// of the run's values.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/scan_problem.hpp"

namespace lookback::detail::device {

/// The summary of some consecutive items: how many runs begin among them, and the fold of the
/// values since the last of these runs began, or of all values if no run begins. N: 32 bits for the
/// items of a tile, 64 bits for an array.
template <class N, class V>
struct run_fold {
    N heads;
    V open;

    run_fold() = default;
    __device__ run_fold(N heads_, const V& open_) : heads(heads_), open(open_) {}
    template <class M, class W>
    __device__ explicit run_fold(const run_fold<M, W>& other)
        : heads(other.heads), open(static_cast<V>(other.open)) {}
};

template <class Op>
struct append_run {
    Op op;
    template <class N, class V, class M, class W>
    __device__ run_fold<N, V> operator()(const run_fold<N, V>& a, const run_fold<M, W>& b) const {
        return {static_cast<N>(a.heads + b.heads),
                b.heads > 0 ? static_cast<V>(b.open)
                            : static_cast<V>(op(a.open, static_cast<V>(b.open)))};
    }
};

/// What is counted where no values are folded. An item that equals the item before it is an
/// "other"; any other item is a head. Heads and others form alternating stretches, heads first.
/// Each stretch of others is a run without its head.
enum class stretches_of { equal_items, heads_and_others };

/// `values`: an array, or no_array if each item counts as one. V: the type in which values are
/// folded. W: the type in which a tile publishes its fold.
template <class In, class Values, class W, class V, class Op, class Equal, class KeysOut,
          class ValuesOut, stretches_of stretches_ = stretches_of::equal_items>
struct run_problem {
    static constexpr stretches_of stretches = stretches_;
    using item_type = item_of<In>;
    using paired_type = item_of<Values>;
    using value_type = run_fold<std::uint32_t, W>;
    using prefix_type = run_fold<std::uint64_t, V>;
    static constexpr bool can_be_aligned =
        is_bulk_array<In> && (is_bulk_array<Values> || is_absent<Values>);

    In in;
    Values values;
    append_run<Op> op;
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
