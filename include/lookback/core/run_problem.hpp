/// \file
/// Runs as a problem: the key of each run of equal keys, and the fold of its values.
///
/// What tiles tell each other is how many runs begin in them, and the fold since the last beginning
/// (`run_state`): the segmented operator, with a count. A tile is read once. Its heads, and the
/// folds of what ends before each of them, wait in the tile memory until the number of the tile's
/// first run is known. A run's fold is written by the tile that has the next run's head, the last
/// one by the caller.
///
/// The tree: within a tile from left to right; where no run begins in a block of 64 items, other
/// than the tile's first block, eight items are folded by neighbours first, so that their additions
/// need not wait for each other. A run over several tiles is ((a · b) · c) ..., the fold of its
/// part in the first, in the next, and so on.
///
/// In place: run r begins at item r or later, and its fold is written when the next run has begun,
/// so tile t writes no further than its own items (cpu/single_pass.hpp).
///
/// An array may come in pieces: `before` is then the run that is still open where a piece begins,
/// with a count of 1. It is run 0 of the piece, and only its fold is written. Where each piece is
/// of whole tiles, the folds have the bits of one piece.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/core/class_mask.hpp"
#include "lookback/core/items.hpp"
#include "lookback/core/problem.hpp"
#include "lookback/core/tile_buffer.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

template <class T>
struct run_state {
    std::size_t runs;  ///< that begin here
    T fold;            ///< since the last beginning, or of everything where there is none
};

/// Tiles of at most 128 KiB of keys and folds, for tiles in which every item begins a run.
template <class K, class T>
inline constexpr std::size_t run_tile_items =
    std::bit_floor(std::max<std::size_t>(64, (128 << 10) / (sizeof(K) + sizeof(T))));

template <class Keys, class Values, class Heads, class KeysOut, class FoldsOut, class T, class Op>
class run_problem {
    using key_type = std::iter_value_t<Keys>;
    static constexpr std::size_t tile = run_tile_items<key_type, T>;

 public:
    using value_type = run_state<T>;
    struct tile_memory {
        tile_buffer<key_type, tile> keys;  // of the runs that begin in the tile
        tile_buffer<T, tile> folds;        // of what ends in the tile, between and before its heads
        bool begins_inside = false;        // folds[0] is what a run from before has in the tile
        std::optional<T> open;             // the fold since the last head
    };

    run_problem(Keys keys, std::size_t items, Values values, const Heads& heads, KeysOut keys_out,
                FoldsOut folds_out, const Op& op, std::optional<value_type> before = std::nullopt)
        : keys_(std::move(keys)),
          items_(items),
          values_(std::move(values)),
          heads_(heads),
          keys_out_(std::move(keys_out)),
          folds_out_(std::move(folds_out)),
          op_(op),
          before_(std::move(before)) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return tile; }
    std::size_t items_for_a_thread() const { return 2 * tile; }
    const std::optional<value_type>& init() const { return before_; }

    value_type combine(const value_type& a, const value_type& b) const {
        const segment_value<T> before{a.fold, a.runs > 0}, after{b.fold, b.runs > 0};
        return {a.runs + b.runs, segmented<const Op&>{op_}(before, after).value};
    }

    value_type reduce(tile_range range, tile_memory& memory) const {
        memory.keys.clear();
        memory.folds.clear();
        T fold = load(range.first);
        const std::size_t end = range.first + range.items;
        for (std::size_t first = range.first; first < end; first += class_block) {
            const std::size_t count = std::min(class_block, end - first);
            prefetch_page_after(keys_, first, count);
            prefetch_page_after(values_, first, count);
            auto [heads] = heads_.template classify<1>(first, count);
            memory.keys.append(keys_, first, count, heads);
            std::size_t i = first;
            if (first == range.first) {  // the tile's first item is in `fold` already
                memory.begins_inside = (heads & 1) == 0;
                heads &= ~std::uint64_t{1};
                ++i;
            } else if (heads == 0 && count == class_block) {
                for (; i < first + class_block; i += 8) fold = combine_values(fold, fold_of<8>(i));
                continue;
            }
            for (; heads != 0; heads &= heads - 1) {
                const auto head = first + static_cast<std::size_t>(std::countr_zero(heads));
                for (; i < head; ++i) fold = combine_values(fold, load(i));
                memory.folds.push(std::exchange(fold, load(i++)));
            }
            for (; i < first + count; ++i) fold = combine_values(fold, load(i));
        }
        memory.open = fold;
        return {memory.keys.size(), std::move(fold)};
    }

    emitted<value_type> emit(tile_range, const std::optional<value_type>& prefix,
                             tile_memory& memory, std::optional<tile_range>, tile_memory&) const {
        const value_type own{memory.keys.size(), *memory.open};
        emitted<value_type> done{prefix ? combine(*prefix, own) : own, std::nullopt};
        if (own.runs == 0) return done;
        const std::size_t run = prefix ? prefix->runs : 0;
        std::size_t inside = 0;  // folds that belong to the run from before
        if (prefix && memory.begins_inside) {
            put(folds_out_, run - 1, combine_values(prefix->fold, memory.folds[0]));
            inside = 1;
        } else if (prefix) {
            put(folds_out_, run - 1, prefix->fold);
        }
        memory.keys.move_to(keys_out_, run, 0, memory.keys.size());
        memory.folds.move_to(folds_out_, run, inside, memory.folds.size());
        return done;
    }

 private:
    T load(std::size_t i) const { return static_cast<T>(item(values_, i)); }
    T combine_values(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }

    // By neighbours: no addition waits for all of those before it.
    template <std::size_t n>
    T fold_of(std::size_t first) const {
        if constexpr (n == 1) {
            return load(first);
        } else {
            return combine_values(fold_of<n / 2>(first), fold_of<n / 2>(first + n / 2));
        }
    }

    Keys keys_;
    std::size_t items_;
    Values values_;
    const Heads& heads_;
    KeysOut keys_out_;
    FoldsOut folds_out_;
    const Op& op_;
    std::optional<value_type> before_;
};

}  // namespace lookback::detail
