/// \file
/// Folds of the values that belong to runs, as the results of detail/cpu/run_problem.hpp.
///
/// The tree: a tile is folded in blocks of 64 items, from left to right. In a block in which no run
/// begins, eight items at a time are first folded by neighbours, so that their additions need not
/// wait for each other. The other blocks, and the first block of a tile, are folded item by item;
/// but numbers in contiguous memory with a built-in operator are folded by the scan of segments
/// (detail/cpu/simd_segments.hpp), in rows of 64 bytes. The fold of a run that lies in several
/// tiles is ((a · b) · c) ..., where a, b, c, ... are the folds of its parts in these tiles, in
/// order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/run_problem.hpp"
#include "lookback/detail/cpu/simd_segments.hpp"
#include "lookback/detail/cpu/tile_buffer.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/detail/items.hpp"

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
        tile_buffer<T, tile_items> folds;        // of what ends before each of these runs
        bool begins_inside = false;  // if false, folds[0] is the fold of no item, and has any value
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
        detail::prefetch_page_after<class_block>(keys_, first, count);
        memory.keys.append(keys_, first, count, heads);
        if constexpr (has_kernel) {
            if ((heads != 0 || begins_tile) && this_machine_has_kernel()) {
                return scan(memory, first, count, heads, begins_tile);
            }
        }
        fold(memory, first, count, heads, begins_tile);
    }

    const Op& op() const { return op_; }
    T closed(const T& fold, const tile_memory& memory) const {
        return memory.begins_inside ? combine(fold, memory.folds[0]) : fold;
    }
    void close(std::size_t run, T&& fold) const { detail::put(folds_out_, run, std::move(fold)); }
    void write(tile_memory& memory, tile_range /*tile*/, std::size_t run, tile_range part) const {
        const std::size_t end = part.first + part.items;
        memory.keys.move_to(keys_out_, run + part.first, part.first, end, stream_);
        const std::size_t second = std::max<std::size_t>(part.first, 1);
        if (second < end) memory.folds.move_to(folds_out_, run + second - 1, second, end, stream_);
    }
    bool streams() const { return stream_; }

 private:
    static constexpr simd_op kernel_op = simd_op_of<Op, T>;
    static constexpr bool has_kernel = kernel_op != simd_op::none && contiguous_items_of<Values, T>;
    static bool this_machine_has_kernel() {
        return on_all_machines<kernel_op, T> ||
               segments_kernel_of<kernel_op, simd_type<kernel_op, T>>().scan != nullptr;
    }

    // A block with heads, or the first block of a tile. The scan of its segments has, just before
    // each head, the fold of the run that ends there. So no branch depends on where runs begin.
    void scan(tile_memory& memory, std::size_t first, std::size_t count, std::uint64_t heads,
              bool begins_tile) const {
        using K = simd_type<kernel_op, T>;  // same bits, and a kernel
        K before[class_block + 1];          // before[i]: the open fold before item i
        if (begins_tile) memory.begins_inside = (heads & 1) == 0;
        before[0] = begins_tile ? K{} : static_cast<K>(*memory.open);
        const auto* const in = reinterpret_cast<const K*>(std::to_address(values_)) + first;
        memory.open = static_cast<T>(
            segments_kernel_of<kernel_op, K>().scan({.in = in,
                                                     .out = before + 1,
                                                     .items = count,
                                                     .heads = &heads,
                                                     .prefix = nullptr,
                                                     .carry = begins_tile ? nullptr : before,
                                                     .init = nullptr,
                                                     .next_in = in + 4096 / sizeof(K),
                                                     .next_heads = {},
                                                     .exclusive = false,
                                                     .stream = false}));
        const K* const from = before;
        memory.folds.append(from, 0, count, heads);
    }

    // A block, folded from head to head.
    void fold(tile_memory& memory, std::size_t first, std::size_t count, std::uint64_t heads,
              bool begins_tile) const {
        detail::prefetch_page_after<class_block>(values_, first, count);
        std::size_t i = first;
        if (begins_tile) {
            memory.begins_inside = (heads & 1) == 0;
            memory.open = load(i++);
            if (!memory.begins_inside) memory.folds.push(*memory.open);
            heads &= ~std::uint64_t{1};
        }
        T open = *std::move(memory.open);
        if (heads == 0 && count == class_block && !begins_tile) {
            for (; i < first + class_block; i += 8) open = combine(open, fold_of<8>(i));
        }
        for (; heads != 0; heads &= heads - 1) {
            const auto head = first + static_cast<std::size_t>(std::countr_zero(heads));
            for (; i < head; ++i) open = combine(open, load(i));
            memory.folds.push(std::exchange(open, load(i++)));
        }
        for (; i < first + count; ++i) open = combine(open, load(i));
        memory.open = std::move(open);
    }

    T combine(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }
    T load(std::size_t i) const { return static_cast<T>(detail::item(values_, i)); }

    // Folds by neighbours, so that no addition waits for all additions before it.
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
