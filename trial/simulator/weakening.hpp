/// \file
/// The trial of the trial: one synchronising operation, at one place of a kernel, is made weaker
/// than it says, to see whether the simulation notices.
#pragma once

#include <string>

#include "simulator/failure.hpp"

namespace lookback::trial {

/// What may be done to an operation.
enum class weakness {
    none,
    left_out,   ///< it does nothing
    unordered,  ///< it happens, and orders no other accesses: release or acquire to relaxed
    plain,      ///< it is no atomic operation
    torn,       ///< it is two of half the size
    one_less,   ///< a barrier expects one arrival less
    by_block,   ///< tickets are drawn by number of block
    early,      ///< the next launch may start before this one has waited
};

/// Says that `operation` is called at `place`, and what is to be done to it there. Places and
/// weaknesses come from the environment: LOOKBACK_TRIAL_SITES=FILE writes all places that were
/// come to; LOOKBACK_TRIAL_WEAKEN=WEAKNESS:PLACE,PLACE... weakens.
weakness weakness_of(const char* operation, code_place place);

}  // namespace lookback::trial
