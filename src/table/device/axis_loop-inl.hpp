/// \file
/// A loop of axis_loops.hpp as a template.
#pragma once

#include "lookback/axis_scan.hpp"
#include "table/device/axis_loops.hpp"

namespace lookback::on_device {

template <class In, class Out, class Op>
void scan_by(gpu& where, const void* from, const axis_extents& extents, void* to, const Op& op) {
    const auto* const in = static_cast<const In*>(from);
    auto* const out = static_cast<Out*>(to);
    if (extents.outer == 1 && extents.inner == 1) {
        inclusive_scan(where, in, in + extents.length, out, op);
    } else {
        inclusive_scan(where, in, extents, out, op);
    }
}

template <class In, class Out, class Op>
void scan_along(gpu& where, const void* from, const axis_extents& extents, void* to) {
    scan_by<In, Out>(where, from, extents, to, Op{});
}

}  // namespace lookback::on_device
