/// \file
/// Heads of runs of equal items, and the stretches that heads and other items form.
///
/// An array's first item is a head. Any other item is a head if it does not equal the item before
/// it. An item that is no head is an "other". Heads and others form alternating stretches, heads
/// first. A stretch of others and the head just before it are a run of two items or more.
#pragma once

#include <cstdint>

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// Whether `item` is a head, where `before` is the item before it.
LOOKBACK_CALLS_ANY
template <class Equal, class A, class B>
LOOKBACK_HD bool is_head(const Equal& equal, const A& before, const B& item) {
    return !static_cast<bool>(equal(before, item));
}

/// Which of the `count` items from item `first` on begin a stretch, one bit for each. `count` is 1
/// to 64. `heads`: which of them are heads. before(1) and before(2) are the items one and two
/// places before them.
LOOKBACK_CALLS_ANY
template <class Equal, class Before>
LOOKBACK_HD std::uint64_t begins_of_stretches(std::uint64_t heads, std::uint64_t first, int count,
                                              const Equal& equal, const Before& before) {
    const bool head_before =
        first == 1 || (first > 1 && detail::is_head(equal, before(2), before(1)));
    const std::uint64_t changes = heads ^ (heads << 1 | (head_before ? 1 : 0));
    return changes & ~std::uint64_t{0} >> (64 - count);
}

}  // namespace lookback::detail
