/// \file
/// The trial of the trial: one synchronising operation, at one place of a kernel, is made weaker
/// than it should be, to see whether the simulation notices.
#pragma once

#include <string>

#include "simulator/failure.hpp"

namespace lookback::trial {

/// How an operation may be weakened.
enum class weakness {
    none,
    left_out,   ///< it does nothing
    unordered,  ///< it happens, but orders no other accesses: release or acquire become relaxed
    plain,      ///< it is not atomic
    torn,       ///< it is two operations of half the size
    one_less,   ///< a barrier expects one arrival less
    by_block,   ///< tickets are drawn by block number
    early,      ///< the next launch may start before this one has waited
};

/// Tells the simulation that `operation` is called at `place`, and returns how it is to be weakened
/// there. The environment says which: LOOKBACK_TRIAL_SITES=FILE writes all places that were reached
/// to a file; LOOKBACK_TRIAL_WEAKEN=WEAKNESS:PLACE,PLACE... weakens the operations at these places.
weakness weakness_of(const char* operation, code_place place);

}  // namespace lookback::trial
