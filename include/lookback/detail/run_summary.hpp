/// \file
/// What is known of some consecutive items that lie in runs: how many runs begin among them, and
/// the fold of the values since the last of these began. And how this is known of two neighbouring
/// parts together: by the operator of segments (`segmented`, operators.hpp), with a count in place
/// of the flag. (Source: Merrill & Garland 2016, section 5.2.)
#pragma once

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// `N`: an unsigned integer. A tile may need fewer bits than an array, for both members.
template <class N, class V>
struct run_summary {
    N heads;  ///< runs that begin here
    V open;   ///< the fold since the last head, or of all items if there is no head

    // (nvcc would copy an aggregate byte by byte.)
    run_summary() = default;
    LOOKBACK_CALLS_ANY
    LOOKBACK_HD run_summary(N heads_, const V& open_) : heads(heads_), open(open_) {}
    LOOKBACK_CALLS_ANY
    template <class M, class W>
    LOOKBACK_HD explicit run_summary(const run_summary<M, W>& other)
        : heads(other.heads), open(static_cast<V>(other.open)) {}
};

/// The summary of both parts, of the type of the first.
template <class Op>
struct join_runs {
    Op op;  ///< folds values

    LOOKBACK_CALLS_ANY
    template <class N, class V, class M, class W>
    LOOKBACK_HD run_summary<N, V> operator()(const run_summary<N, V>& a,
                                             const run_summary<M, W>& b) const {
        return {static_cast<N>(a.heads + b.heads),
                b.heads > 0 ? static_cast<V>(b.open) : static_cast<V>(op(a.open, b.open))};
    }
};

}  // namespace lookback::detail
