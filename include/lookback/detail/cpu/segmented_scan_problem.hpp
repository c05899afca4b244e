/// \file
/// The scan of many segments as a problem: a scan of {value, head} pairs with segmented<Op>, in
/// which the pairs are never made.
///
/// What tiles tell each other is such a pair. Heads cut a tile into stretches, and each is scanned
/// on its own: the first one behind the tile's prefix, the others behind the initial value, where
/// there is one. Nothing before a tile's last head counts behind it, so only what follows that is
/// folded to reduce the tile.
///
/// The tree: a stretch is folded item by item. Numbers in contiguous memory with a built-in
/// operator have another, and kernels (detail/cpu/simd_segments_problem.hpp).
///
/// An array may come in pieces: `before` is then the pair of all items before a piece. Where each
/// piece is of whole tiles, the results have the bits of one piece.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "lookback/detail/cpu/class_mask.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/segment_heads.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

/// Items of a tile.
template <class T>
inline constexpr std::size_t segment_tile_items = small_tile_items<segment_value<T>>;

/// `Heads` are of detail/cpu/segment_heads.hpp; without items before it the first item is one. An
/// exclusive scan has an `init`.
template <bool is_exclusive, class Values, class Heads, class Out, class T, class Op>
class segmented_scan_problem {
    static_assert(segment_tile_items<T> <= most_tile_items);
    static constexpr bool carries = exactly_associative<Op, T>;
    // So many in a block of 64 items that a call for each stretch would cost more than its items.
    static constexpr int many_heads = 16;

 public:
    using value_type = segment_value<T>;
    using tile_memory = no_tile_memory;

    segmented_scan_problem(Values values, std::size_t items, const Heads& heads, Out out,
                           std::optional<T> init, const Op& combine_values,
                           std::optional<value_type> before = std::nullopt)
        : values_(std::move(values)),
          items_(items),
          heads_(heads),
          out_(std::move(out)),
          init_(std::move(init)),
          op_(combine_values),
          before_(std::move(before)) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return segment_tile_items<T>; }
    std::size_t items_for_a_thread() const { return 2 * tile_items(); }
    const std::optional<value_type>& init() const { return before_; }
    bool keeps_input() const { return false; }  // what an iterator reads is not known

    value_type combine(const value_type& a, const value_type& b) const {
        return segmented<const Op&>{op_}(a, b);
    }

    value_type reduce(tile_range tile, tile_memory&) const {
        const std::size_t end = tile.first + tile.items;
        const std::size_t head = heads_.last(tile.first, end);
        if (head == end) return {fold(tile.first, end), false};
        T value = fold(head, end);
        return {init_ ? apply(*init_, value) : std::move(value), true};
    }

    emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix, tile_memory&,
                             std::optional<tile_range> /*next*/, tile_memory&) const {
        const std::size_t end = tile.first + tile.items;
        tile_heads heads;
        heads_.find(tile.first, tile.items, heads.data());
        bool has_head = prefix && prefix->head;
        std::size_t begin = tile.first;  // of the stretch that is open
        std::optional<T> before;         // it
        if (prefix) before.emplace(prefix->value);
        for (std::size_t first = tile.first; first < end; first += class_block) {
            const std::size_t count = std::min(class_block, end - first);
            detail::prefetch_page_after<class_block>(values_, first, count);
            detail::prefetch_page_after<class_block>(out_, first, count);
            std::uint64_t mask = heads[(first - tile.first) / class_block];
            if (mask == 0) continue;
            has_head = true;
            const auto next_head = [&] {
                return first + static_cast<std::size_t>(std::countr_zero(mask));
            };
            if (std::popcount(mask) >= many_heads) {
                if (begin < next_head()) scan(before, begin, next_head());
                begin = first + static_cast<std::size_t>(63 - std::countl_zero(mask));
                scan_whole_stretches(next_head(), begin, mask >> std::countr_zero(mask));
                before = init_;
                continue;
            }
            for (; mask != 0; mask &= mask - 1) {
                if (begin < next_head()) scan(before, begin, next_head());
                before = init_;
                begin = next_head();
            }
        }
        return {{scan(before, begin, end), has_head}, std::nullopt};
    }

 private:
    T load(std::size_t i) const { return static_cast<T>(detail::item(values_, i)); }
    T apply(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }

    // The fold of a stretch, of one item or more.
    T fold(std::size_t begin, std::size_t end) const {
        T value = load(begin);
        for (std::size_t i = begin + 1; i < end; ++i) value = apply(value, load(i));
        return value;
    }

    // Scans a stretch behind `before`. Returns the fold of both.
    T scan(const std::optional<T>& before, std::size_t begin, std::size_t end) const {
        return carries || !before ? scan_carrying(before, begin, end)
                                  : scan_combining(*before, begin, end);
    }

    // The short stretches in [i, end), whose heads are set in `heads`, from item i on: in one loop,
    // and in the tree of scan().
    void scan_whole_stretches(std::size_t i, std::size_t end, std::uint64_t heads) const {
        T local = load(i);
        for (; i < end; ++i, heads >>= 1) {
            const bool head = (heads & 1) != 0;
            const T x = load(i);
            if constexpr (is_exclusive) {
                detail::put(out_, i, head ? *init_ : apply(*init_, local));
                local = head ? x : apply(local, x);
            } else {
                local = head ? x : apply(local, x);
                detail::put(out_, i, init_ ? apply(*init_, local) : local);
            }
        }
    }

    // Items are loaded before the stores, which may be to the same place.
    T scan_carrying(const std::optional<T>& before, std::size_t i, std::size_t end) const {
        T running = before ? apply(*before, load(i)) : load(i);
        detail::put(out_, i, is_exclusive ? *before : running);
        while (++i < end) {
            const T x = load(i);
            if constexpr (is_exclusive) detail::put(out_, i, running);
            running = apply(running, x);
            if constexpr (!is_exclusive) detail::put(out_, i, running);
        }
        return running;
    }

    T scan_combining(const T& before, std::size_t i, std::size_t end) const {
        T local = load(i);
        T running = apply(before, local);
        detail::put(out_, i, is_exclusive ? before : running);
        while (++i < end) {
            const T x = load(i);
            if constexpr (is_exclusive) detail::put(out_, i, running);
            local = apply(local, x);
            running = apply(before, local);
            if constexpr (!is_exclusive) detail::put(out_, i, running);
        }
        return running;
    }

    Values values_;
    std::size_t items_;
    const Heads& heads_;
    Out out_;
    std::optional<T> init_;
    const Op& op_;
    std::optional<value_type> before_;
};

}  // namespace lookback::detail
