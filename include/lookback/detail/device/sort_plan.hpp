/// \file
/// The plan of a sort's passes. One thread makes it, on the device, once all keys have been
/// counted.
///
/// A pass over a digit that is the same in all keys would only copy them, so it is left out. The
/// remaining passes alternate between two arrays, so that the last one writes the output. Where an
/// output lies over an input, the first pass may not write there, so the number of passes has to be
/// even; if it is odd, one that copies is put back in. (There is always one to put back: in this
/// case the host launches an even number of passes, if need be with a digit beyond the last one,
/// which is 0 in all keys.)
#pragma once

#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// How many passes the host launches.
LOOKBACK_HD constexpr int sort_passes(const digit_range& digits, const sort_layout& layout) {
    const int passes = digits.digits() > 0 ? digits.digits() : 1;
    return layout.apart ? passes : passes + passes % 2;
}

/// `same_in_all`: for each digit, whether it is the same in all keys. `is_done`: whether the output
/// is complete already.
__device__ inline void plan_passes(const bool* same_in_all, bool is_done, const digit_range& digits,
                                   const sort_layout& layout, planned_pass* plan) {
    const int passes = sort_passes(digits, layout);
    int work = 0;
    for (int p = 0; p < passes; ++p) {
        const bool sorts = !is_done && p < digits.digits() && !same_in_all[p];
        plan[p] = {sorts ? sort_step::sort : sort_step::nothing, sort_array::input,
                   sort_array::output};
        if (sorts) ++work;
    }
    if (is_done) return;
    if (work == 0 && layout.copies) {
        if (!layout.same) plan[0].step = sort_step::copy;
        return;
    }
    // Without any digit to sort by, two copies, there and back again; otherwise as many as make the
    // number of passes even.
    int copies = work == 0 ? 2 : layout.apart ? 0 : work % 2;
    for (int p = 0; p < passes && copies > 0; ++p) {
        if (plan[p].step != sort_step::nothing) continue;
        plan[p].step = sort_step::copy;
        ++work;
        --copies;
    }
    sort_array at = sort_array::input;
    for (int p = 0; p < passes; ++p) {
        if (plan[p].step == sort_step::nothing) continue;
        --work;
        plan[p].from = at;
        plan[p].to = work == 0       ? sort_array::output
                     : work % 2 == 1 ? sort_array::room
                                     : sort_array::second_room;
        at = plan[p].to;
    }
}

}  // namespace lookback::detail::device
