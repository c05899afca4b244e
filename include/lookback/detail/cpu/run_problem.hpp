/// \file
/// Runs as a problem: the key of each run of equal keys, and a result from its items.
///
/// `Results` computes the result: a length (detail/cpu/run_lengths.hpp) or a fold of values
/// (detail/cpu/run_folds.hpp). A tile publishes its run_summary. A tile is read once. The keys of
/// its heads, and the folds of what ends before each head, wait in the tile memory until the number
/// of the tile's first run is known. A run's fold is written by the tile that has the next run's
/// head; the fold of the last run is written by the caller of the driver.
///
/// In place: run r begins at item r or later, and its fold is written when the next run has begun,
/// so tile t writes no further than its own items (detail/cpu/single_pass.hpp).
///
/// An array may come in pieces: `before` is then the run that is still open when a piece begins,
/// with a count of 1. It is run 0 of the piece, and only its fold is written. If each piece
/// consists of whole tiles, the folds have the same bits as in a single piece.
///
/// `Results` has
///
///     value_type           a fold
///     tile_items           the size of a tile: whole blocks
///     tile_memory          size(): the number of heads in a tile; fold(): since the last of them
///     clear(memory)        called before a tile
///     add(memory, first, count, heads, begins_tile)
///                          adds a block of items, in order, with its heads
///     op()                 the operator that folds two parts of a run
///     closed(fold, memory)
///                          the fold of a run up to the tile's first head; `fold` is that of its
///                          part before the tile
///     close(run, fold)     writes the fold of a run
///     write(memory, tile, run, part)
///                          writes, for the heads of the tile in `part`, their keys, and the folds
///                          of what ends before them, except before the tile's first head. The
///                          tile's first head begins run `run`
///     streams()            whether `write` writes around the caches
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "lookback/detail/cpu/interleaved.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/run_summary.hpp"

namespace lookback::detail {

/// Tiles of at most 256 KiB of keys and results, even if every item begins a run.
template <class K, class R>
inline constexpr std::size_t run_tile_items =
    std::bit_floor(std::max<std::size_t>(64, (256 << 10) / (sizeof(K) + sizeof(R))));

template <class Results, class Heads>
class run_problem {
    using T = typename Results::value_type;

 public:
    using value_type = run_summary<std::size_t, T>;
    using tile_memory = typename Results::tile_memory;

    run_problem(const Results& results, std::size_t items, const Heads& heads,
                std::optional<value_type> before = std::nullopt)
        : results_(results), items_(items), heads_(heads), before_(std::move(before)) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return Results::tile_items; }
    std::size_t items_for_a_thread() const { return 2 * Results::tile_items; }
    const std::optional<value_type>& init() const { return before_; }

    value_type combine(const value_type& a, const value_type& b) const {
        return join_runs<decltype(results_.op())>{results_.op()}(a, b);
    }

    value_type reduce(tile_range tile, tile_memory& memory) const {
        results_.clear(memory);
        add(tile, {0, tile.items}, memory);
        return {memory.size(), memory.fold()};
    }

    emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix,
                             tile_memory& memory, std::optional<tile_range> next,
                             tile_memory& next_memory) const {
        const value_type own{memory.size(), memory.fold()};
        const std::size_t run = prefix ? prefix->heads : 0;
        if (prefix && own.heads > 0) results_.close(run - 1, results_.closed(prefix->open, memory));
        if (next) results_.clear(next_memory);
        const tile_range ahead = next.value_or(tile_range{0, 0});
        for (std::size_t turn = 0; turn < turns; ++turn) {
            results_.write(memory, tile, run, part_of_turn(turn, own.heads));
            add(ahead, part_of_turn(turn, ahead.items), next_memory);
        }
        if (results_.streams()) simd_compaction_kernels().flush();
        emitted<value_type> done{prefix ? combine(*prefix, own) : own, std::nullopt};
        if (next) done.next_aggregate = {next_memory.size(), next_memory.fold()};
        return done;
    }

 private:
    void add(tile_range tile, tile_range part, tile_memory& memory) const {
        for (std::size_t i = part.first; i < part.first + part.items; i += class_block) {
            const std::size_t count = std::min(class_block, part.first + part.items - i);
            const auto [heads] = heads_.template classify<1>(tile.first + i, count);
            results_.add(memory, tile.first + i, count, heads, i == 0);
        }
    }

    const Results& results_;
    std::size_t items_;
    const Heads& heads_;
    std::optional<value_type> before_;
};

}  // namespace lookback::detail
