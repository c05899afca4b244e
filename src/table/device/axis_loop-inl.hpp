/// \file
/// A loop of axis_loops.hpp as a template.
#pragma once

#include "lookback/axis_scan.hpp"
#include "table/device/axis_loops.hpp"

namespace lookback::on_device {

inline bool is_line(const axis_extents& extents) {
    return extents.outer == 1 && extents.inner == 1;
}

template <class In, class Out, class Op>
void scan_along(gpu& where, const void* from, const axis_extents& extents, void* to) {
    const auto* const in = static_cast<const In*>(from);
    auto* const out = static_cast<Out*>(to);
    if (is_line(extents)) {
        inclusive_scan(where, in, in + extents.length, out, Op{});
    } else {
        inclusive_scan(where, in, extents, out, Op{});
    }
}

}  // namespace lookback::on_device
