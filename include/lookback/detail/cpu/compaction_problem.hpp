/// \file
/// Compaction as a problem: each item goes to the end of one of several outputs, or is
/// dropped (Merrill & Garland 2016, sections 4.4 and 5.2).
///
/// A classifier chooses the output: classify<outputs>(first, count) returns a mask for each output.
/// A mask has one bit for each of `count` items from `first` on, at most class_block, and the bit
/// is set if the item goes to that output. Tiles publish the number of their items for each output.
///
/// A tile is read once. Its items are compacted into the worker's tile memory, which fits in an L2
/// cache. When the items' places are known they are copied there, interleaved with the reading of
/// the next tile. So the outputs may lie over the input (detail/cpu/single_pass.hpp explains why),
/// and nothing but the items themselves is written to the outputs. Non-temporal stores may reach
/// memory late, but no thread reads the outputs before the workers are joined, and a fence ends
/// each emit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/cpu/interleaved.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/tile_buffer.hpp"
#include "lookback/detail/cpu/with_avx2.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

/// The items of a tile of a compaction: a power of two, at most 128 KiB, but at least 64 items.
template <class T>
inline constexpr std::size_t compaction_tile_items =
    std::bit_floor(std::max<std::size_t>(64, (128 << 10) / sizeof(T)));

template <class In, class Classifier, class... Outs>
class compaction_problem {
    using item_type = std::iter_value_t<In>;
    static constexpr std::size_t outputs = sizeof...(Outs);

 public:
    using value_type = class_counts<std::size_t, outputs>;
    using tile_memory =
        std::array<tile_buffer<item_type, compaction_tile_items<item_type>>, outputs>;

    compaction_problem(In in, std::size_t items, const Classifier& classifier, Outs... outs)
        : in_(std::move(in)),
          items_(items),
          classifier_(classifier),
          outs_(std::move(outs)...),
          stream_(items * sizeof(item_type) > streaming_threshold()) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return compaction_tile_items<item_type>; }
    std::size_t items_for_a_thread() const { return tile_items(); }
    std::optional<value_type> init() const { return value_type{}; }

    value_type combine(const value_type& a, const value_type& b) const {
        return add_counts{}(a, b);
    }

    value_type reduce(tile_range tile, tile_memory& memory) const {
        for (auto& kept : memory) kept.clear();
        compact(tile, memory);
        return counts(memory);
    }

    emitted<value_type> emit(tile_range, const std::optional<value_type>& prefix,
                             tile_memory& memory, std::optional<tile_range> next,
                             tile_memory& next_memory) const {
        if (next) {
            for (auto& kept : next_memory) kept.clear();
        }
        const tile_range ahead = next.value_or(tile_range{0, 0});
        for (std::size_t turn = 0; turn < turns; ++turn) {
            write(memory, *prefix, turn, std::make_index_sequence<outputs>{});
            const tile_range part = part_of_turn(turn, ahead.items);
            compact({ahead.first + part.first, part.items}, next_memory);
        }
        if (stream_) kernels_.flush();
        emitted<value_type> done{combine(*prefix, counts(memory)), std::nullopt};
        if (next) done.next_aggregate = counts(next_memory);
        return done;
    }

 private:
    static value_type counts(const tile_memory& memory) {
        value_type sizes;
        for (std::size_t k = 0; k < outputs; ++k) sizes.of[k] = memory[k].size();
        return sizes;
    }

    void compact(tile_range range, tile_memory& memory) const {
        const std::size_t end = range.first + range.items;
        detail::with_avx2(
            kernels_, [&]() __attribute__((always_inline)) {
                for (std::size_t first = range.first; first < end; first += class_block) {
                    const std::size_t count = std::min(class_block, end - first);
                    detail::prefetch_page_after<class_block>(in_, first, count);
                    const auto masks = classifier_.template classify<outputs>(first, count);
                    for (std::size_t k = 0; k < outputs; ++k) {
                        memory[k].append(in_, first, count, masks[k]);
                    }
                }
            });
    }

    template <std::size_t... k>
    void write(tile_memory& memory, const value_type& before, std::size_t turn,
               std::index_sequence<k...>) const {
        const auto write_one = [&](auto& kept, const auto& out, std::size_t at) {
            const tile_range part = part_of_turn(turn, kept.size());
            kept.move_to(out, at + part.first, part.first, part.first + part.items, stream_);
        };
        (write_one(memory[k], std::get<k>(outs_), before.of[k]), ...);
    }

    In in_;
    std::size_t items_;
    const Classifier& classifier_;
    std::tuple<Outs...> outs_;
    bool stream_;
    const simd_compaction& kernels_ = simd_compaction_kernels();
};

}  // namespace lookback::detail
