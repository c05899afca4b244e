/// \file
/// What a primitive gives to a driver. core/scan_problem.hpp is the plainest example.
///
/// A problem is an object with
///   value_type                        what tiles tell each other
///   items(), tile_items()             the size of the work, and of a tile
///   items_for_a_thread()              as many as pay for the waking of another thread
///   init()                            optional value before the first item
///   combine(a, b)                     the operator
///   reduce(tile) -> value_type        the fold of a tile's items
///   emit(tile, prefix, next) -> emitted<value_type>
///                                     writes a tile's results; `prefix`, the fold of everything
///                                     before it, is absent where there is nothing before it; may
///                                     reduce the tile `next` on the way
///   keeps_input()                     true if results never overwrite items
/// where reduce and emit are const and called from several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace lookback::detail {

/// Items [first, first + items) of a problem.
struct tile_range {
    std::size_t first;
    std::size_t items;
};

/// What emitting a tile has worked out besides the results.
template <class T>
struct emitted {
    T inclusive_prefix;  ///< the fold of everything up to the tile's end
    std::optional<T>
        next_aggregate;  ///< the fold of the tile to come, where it was reduced already
};

template <class Problem>
std::size_t tile_count(const Problem& problem) {
    return problem.items() / problem.tile_items() + (problem.items() % problem.tile_items() != 0);
}

template <class Problem>
tile_range tile_at(const Problem& problem, std::size_t t) {
    const std::size_t first = t * problem.tile_items();
    return {first, std::min(problem.tile_items(), problem.items() - first)};
}

}  // namespace lookback::detail
