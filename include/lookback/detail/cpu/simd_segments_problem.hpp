/// \file
/// The scan of many segments of contiguous numbers with a built-in operator as a problem
/// (detail/cpu/segmented_scan_problem.hpp): the heads of a tile become bits, and a SIMD kernel does
/// the rest.
///
/// The tree is that of rows of 64 bytes from the tile's first item on (docs/design.md, "The tree").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/segmented_scan_problem.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/cpu/simd_segments.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

/// As segmented_scan_problem. It does not depend on the operator.
template <class Heads, class T>
class simd_segments_problem {
    static constexpr std::size_t row = row_bytes / sizeof(T);
    static_assert(segment_tile_items<T> <= most_tile_items &&
                  segment_tile_items<T> % class_block == 0 && class_block % row == 0);

 public:
    using value_type = segment_value<T>;
    using tile_memory = no_tile_memory;

    simd_segments_problem(const segments_kernel<T>& kernel, const T* in, std::size_t items,
                          const Heads& heads, T* out, std::optional<T> init,
                          std::optional<value_type> before, bool exclusive)
        : kernel_(kernel),
          in_(in),
          items_(items),
          heads_(heads),
          out_(out),
          init_(init),
          before_(before),
          exclusive_(exclusive),
          stream_(in_ != out_ && items > segment_tile_items<T> &&
                  2 * items * sizeof(T) > streaming_threshold()) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return segment_tile_items<T>; }
    std::size_t items_for_a_thread() const { return 2 * tile_items(); }
    const std::optional<value_type>& init() const { return before_; }
    bool keeps_input() const { return false; }  // what heads are read from is not known

    value_type combine(const value_type& a, const value_type& b) const {
        return segmented<T (*)(T, T)>{kernel_.combine}(a, b);
    }

    value_type reduce(tile_range tile, tile_memory&) const {
        const std::size_t end = tile.first + tile.items;
        const std::size_t head = heads_.last(tile.first, end);
        if (head == end) return {kernel_.fold(in_ + tile.first, 0, tile.items), false};
        const std::size_t begin = (head - tile.first) % row;
        const T value = kernel_.fold(in_ + (head - begin), begin, end - head + begin);
        return {init_ ? kernel_.combine(*init_, value) : value, true};
    }

    emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix, tile_memory&,
                             std::optional<tile_range> next, tile_memory& next_memory) const {
        tile_heads heads;
        heads_.find(tile.first, tile.items, heads.data());
        const bool has_head =
            std::any_of(heads.begin(), heads.begin() + (tile.items + class_block - 1) / class_block,
                        [](std::uint64_t block) { return block != 0; });
        // Without a tile to come of its own this worker goes on behind this one.
        const std::size_t end = tile.first + tile.items;
        const std::size_t ahead = next ? next->first : end < items_ ? end : tile.first;
        const T value = kernel_.scan({.in = in_ + tile.first,
                                      .out = out_ + tile.first,
                                      .items = tile.items,
                                      .heads = heads.data(),
                                      .prefix = prefix ? &prefix->value : nullptr,
                                      .carry = nullptr,
                                      .init = init_ ? &*init_ : nullptr,
                                      .next_in = in_ + ahead,
                                      .next_heads = heads_.ahead(ahead),
                                      .exclusive = exclusive_,
                                      .stream = stream_});
        emitted<value_type> done{{value, has_head || (prefix && prefix->head)}, std::nullopt};
        if (next) done.next_aggregate = reduce(*next, next_memory);
        return done;
    }

 private:
    const segments_kernel<T>& kernel_;
    const T* in_;
    std::size_t items_;
    const Heads& heads_;
    T* out_;
    std::optional<T> init_;
    std::optional<value_type> before_;
    bool exclusive_;
    bool stream_;
};

}  // namespace lookback::detail
