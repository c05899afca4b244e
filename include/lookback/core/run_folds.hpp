/// \file
/// Folds of what belongs to runs, as the results of core/run_problem.hpp.
///
/// The tree: within a tile from left to right; where no run begins in a block of 64 items, other
/// than the tile's first block, eight items are folded by neighbours first, so that their additions
/// need not wait for each other. A run over several tiles is ((a · b) · c) ..., the fold of its
/// part in the first, in the next, and so on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/core/items.hpp"
#include "lookback/core/problem.hpp"
#include "lookback/core/run_problem.hpp"
#include "lookback/core/tile_buffer.hpp"
#include "lookback/cpu/workers.hpp"

namespace lookback::detail {

/// The first key of each run, and the fold of its values.
template <class Keys, class Values, class KeysOut, class FoldsOut, class T, class Op>
class run_folds {
    using key_type = std::iter_value_t<Keys>;

 public:
    using value_type = T;
    static constexpr std::size_t tile_items = run_tile_items<key_type, T>;
    struct tile_memory {
        tile_buffer<key_type, tile_items> keys;  // of the runs that begin in the tile
        tile_buffer<T, tile_items> folds;        // of what ends in the tile before each of them
        bool begins_inside = false;  // a run; otherwise folds[0] is of nothing, and has any value
        std::optional<T> open;       // the fold since the last head
        std::size_t size() const { return keys.size(); }
        const T& fold() const { return *open; }
    };

    run_folds(Keys keys, std::size_t items, Values values, KeysOut keys_out, FoldsOut folds_out,
              const Op& op)
        : keys_(std::move(keys)),
          values_(std::move(values)),
          keys_out_(std::move(keys_out)),
          folds_out_(std::move(folds_out)),
          op_(op),
          stream_(items * sizeof(key_type) > streaming_threshold()) {}

    void clear(tile_memory& memory) const {
        memory.keys.clear();
        memory.folds.clear();
    }

    void add(tile_memory& memory, std::size_t first, std::size_t count, std::uint64_t heads,
             bool begins_tile) const {
        prefetch_page_after(keys_, first, count);
        prefetch_page_after(values_, first, count);
        memory.keys.append(keys_, first, count, heads);
        std::size_t i = first;
        if (begins_tile) {
            memory.begins_inside = (heads & 1) == 0;
            memory.open = load(i++);
            if (!memory.begins_inside) memory.folds.push(*memory.open);
            heads &= ~std::uint64_t{1};
        }
        T fold = *std::move(memory.open);
        if (heads == 0 && count == class_block && !begins_tile) {
            for (; i < first + class_block; i += 8) fold = combine(fold, fold_of<8>(i));
        }
        for (; heads != 0; heads &= heads - 1) {
            const auto head = first + static_cast<std::size_t>(std::countr_zero(heads));
            for (; i < head; ++i) fold = combine(fold, load(i));
            memory.folds.push(std::exchange(fold, load(i++)));
        }
        for (; i < first + count; ++i) fold = combine(fold, load(i));
        memory.open = std::move(fold);
    }

    T combine(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }
    T closed(const T& fold, const tile_memory& memory) const {
        return memory.begins_inside ? combine(fold, memory.folds[0]) : fold;
    }
    void close(std::size_t run, T&& fold) const { put(folds_out_, run, std::move(fold)); }
    void write(tile_memory& memory, tile_range /*tile*/, std::size_t run, tile_range part) const {
        const std::size_t end = part.first + part.items;
        memory.keys.move_to(keys_out_, run + part.first, part.first, end, stream_);
        const std::size_t second = std::max<std::size_t>(part.first, 1);
        if (second < end) memory.folds.move_to(folds_out_, run + second - 1, second, end, stream_);
    }
    void flush(const tile_memory& memory) const {
        if (stream_) memory.keys.flush();
    }

 private:
    T load(std::size_t i) const { return static_cast<T>(item(values_, i)); }

    // By neighbours: no addition waits for all of those before it.
    template <std::size_t n>
    T fold_of(std::size_t first) const {
        if constexpr (n == 1) {
            return load(first);
        } else {
            return combine(fold_of<n / 2>(first), fold_of<n / 2>(first + n / 2));
        }
    }

    Keys keys_;
    Values values_;
    KeysOut keys_out_;
    FoldsOut folds_out_;
    const Op& op_;
    bool stream_;
};

}  // namespace lookback::detail
