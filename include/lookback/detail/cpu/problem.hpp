/// \file
/// What a driver asks of a primitive. detail/cpu/scan_problem.hpp is the simplest example, and
/// detail/cpu/compaction_problem.hpp is one with a tile memory.
///
/// Without a tile memory (no_tile_memory) a tile is emitted from its items, so the items may be
/// read again, also by other workers. With a tile memory, `reduce` is called exactly once for a
/// tile, by the worker that claimed it, and nothing else reads the tile's items. `emit` writes what
/// `reduce` has left in the memory, and does so after every earlier tile has been reduced.
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

/// What emitting a tile has computed besides the results.
template <class T>
struct emitted {
    T inclusive_prefix;               ///< the fold of everything up to the tile's end
    std::optional<T> next_aggregate;  ///< the fold of the next tile, if emit has reduced it
};

/// The tile memory of a problem that keeps nothing of a tile.
struct no_tile_memory {};

template <class Problem>
inline constexpr bool keeps_tiles = !std::is_empty_v<typename Problem::tile_memory>;

/// The requirements of single_pass on a problem, as a concept, so that a compiler names what is
/// missing. All these functions are const; reduce and emit are called from several threads.
template <class P>
concept tile_problem = requires(const P& problem, tile_range tile, typename P::tile_memory& memory,
                                const std::optional<typename P::value_type>& prefix,
                                std::optional<tile_range> next, typename P::value_type fold) {
    typename P::value_type;   // what tiles publish
    typename P::tile_memory;  // what a worker keeps of a tile between reduce and emit
    // The size of the work, and of a tile.
    { problem.items() } -> std::convertible_to<std::size_t>;
    { problem.tile_items() } -> std::convertible_to<std::size_t>;
    // The number of items for which it pays to wake another thread.
    { problem.items_for_a_thread() } -> std::convertible_to<std::size_t>;
    // The value before the first item, if there is one.
    { problem.init() } -> std::convertible_to<std::optional<typename P::value_type>>;
    // The operator.
    { problem.combine(fold, fold) } -> std::convertible_to<typename P::value_type>;
    // The fold of a tile's items.
    { problem.reduce(tile, memory) } -> std::convertible_to<typename P::value_type>;
    // Writes a tile's results. `prefix` is the fold of everything before the tile, absent if there
    // is nothing before it. emit may also reduce the tile `next`, if there is one.
    {
        problem.emit(tile, prefix, memory, next, memory)
    } -> std::same_as<emitted<typename P::value_type>>;
    // Without a tile memory: whether results never overwrite items.
    requires keeps_tiles<P> || requires {
        { problem.keeps_input() } -> std::convertible_to<bool>;
    };
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
