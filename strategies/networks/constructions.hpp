/// \file
/// The scan networks of the literature, for any number of inputs.
///
/// A construction takes the values on some lines and leaves their inclusive scan on these lines. So
/// constructions can be combined: one for the parts of an array, one for their totals (Merrill &
/// Garland 2016, section 2: "mix-and-match").
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "network.hpp"

namespace lookback::strategies {

/// Adds operators to the network from `step` on; returns the first step after them.
using construction =
    std::function<std::uint32_t(network&, std::span<value> lines, std::uint32_t step)>;

/// n - 1 operators, one after the other.
std::uint32_t serial(network& net, std::span<value> lines, std::uint32_t step);

/// Every line takes the line 1 before it, then 2 before it, 4, ... (Kogge & Stone 1973; Hillis &
/// Steele 1986). n log2 n - (n - 1) operators, depth log2 n.
std::uint32_t kogge_stone(network& net, std::span<value> lines, std::uint32_t step);

/// Halves are scanned, then the last value of the first half goes to all of the second (Sklansky
/// 1960). n/2 log2 n operators, depth log2 n.
std::uint32_t sklansky(network& net, std::span<value> lines, std::uint32_t step);

/// Up a tree and down again (Brent & Kung 1982): 2n - 2 - log2 n operators, depth 2 log2 n - 2.
std::uint32_t brent_kung(network& net, std::span<value> lines, std::uint32_t step);

/// Parts of `part` lines are scanned by `inner`, their totals by `root`, and every part but the
/// first takes the total of all parts before it.
construction scan_then_propagate(std::size_t part, const construction& inner,
                                 const construction& root);

/// Parts of `part` lines are folded, their totals are scanned by `root`, and the parts are scanned
/// from their inputs, each from the total of all parts before it. The first part is not done twice:
/// a fold from left to right is a scan.
construction reduce_then_scan(std::size_t part, const construction& root);

/// Reduce-then-scan of pairs, whose totals are scanned in the same way, and so on: 3 (n - 1) - 2
/// log2 n operators.
std::uint32_t recursive_reduce_then_scan(network& net, std::span<value> lines, std::uint32_t step);

/// Parts of `part` lines are scanned by `inner`; then halves of 2, 4, ... parts as in Sklansky's
/// network.
construction radix_sklansky(std::size_t part, const construction& inner);

struct named_construction {
    std::string_view name;
    std::string_view source;
    construction build;
};

/// All networks that have a name, those of the paper's figure 1 first.
std::span<const named_construction> named_constructions();

network build(const construction& how, std::uint32_t inputs);

}  // namespace lookback::strategies
