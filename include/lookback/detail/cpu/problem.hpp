/// \file
/// What a primitive gives to a driver. detail/cpu/scan_problem.hpp is the plainest example,
/// detail/cpu/compaction_problem.hpp one with a tile memory.
///
/// A problem is an object with
///   value_type                        what tiles tell each other
///   tile_memory                       what a worker keeps of a tile between reduce and emit
///   items(), tile_items()             the size of the work, and of a tile
///   items_for_a_thread()              as many as pay for the waking of another thread
///   init()                            optional value before the first item
///   combine(a, b)                     the operator
///   reduce(tile, memory) -> value_type
///                                     the fold of a tile's items
///   emit(tile, prefix, memory, next, next_memory) -> emitted<value_type>
///                                     writes a tile's results; `prefix`, the fold of everything
///                                     before it, is absent where there is nothing before it; may
///                                     reduce the tile `next`, where there is one, on the way
///   keeps_input()                     true if results never overwrite items (where there is no
///                                     memory)
/// where reduce and emit are const and called from several threads.
///
/// Without a tile memory (no_tile_memory) a tile is emitted from its items: it may be read again,
/// by others too. With one, `reduce` is called exactly once for a tile, by the worker that claimed
/// it, and is the only one to look at its items; `emit` writes what `reduce` has left in the
/// memory, after every tile before it has been reduced.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

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

/// The memory of a problem that keeps nothing of a tile.
struct no_tile_memory {};

/// What single_pass asks of a problem, so that a compiler names what is missing.
template <class P>
concept tile_problem = requires(const P& problem, tile_range tile, typename P::tile_memory& memory,
                                const std::optional<typename P::value_type>& prefix,
                                std::optional<tile_range> next, typename P::value_type fold) {
    { problem.items() } -> std::convertible_to<std::size_t>;
    { problem.tile_items() } -> std::convertible_to<std::size_t>;
    { problem.items_for_a_thread() } -> std::convertible_to<std::size_t>;
    { problem.init() } -> std::convertible_to<std::optional<typename P::value_type>>;
    { problem.combine(fold, fold) } -> std::convertible_to<typename P::value_type>;
    { problem.reduce(tile, memory) } -> std::convertible_to<typename P::value_type>;
    {
        problem.emit(tile, prefix, memory, next, memory)
    } -> std::same_as<emitted<typename P::value_type>>;
};

template <class Problem>
inline constexpr bool keeps_tiles = !std::is_empty_v<typename Problem::tile_memory>;

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
