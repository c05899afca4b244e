/// \file
/// Lengths of runs, as the results of detail/cpu/run_problem.hpp. A tile keeps the positions of its
/// heads, and a length is the distance between two heads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/put_each.hpp"
#include "lookback/detail/cpu/run_problem.hpp"
#include "lookback/detail/cpu/tile_buffer.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

/// The positions of a tile's heads; folds are lengths.
template <std::size_t tile>
class head_positions {
 public:
    std::size_t size() const { return at_.size(); }
    std::size_t fold() const { return at_.size() > 0 ? items_ - at_[at_.size() - 1] : items_; }

    void clear() {
        at_.clear();
        items_ = 0;
    }
    void add(std::size_t count, std::uint64_t heads) {
        at_.append_positions(static_cast<std::uint32_t>(items_), heads);
        items_ += count;
    }
    std::uint32_t operator[](std::size_t i) const { return at_[i]; }

 private:
    tile_buffer<std::uint32_t, tile> at_;  // positions in the tile
    std::size_t items_ = 0;                // items that have been added
};

/// What results that are lengths have in common.
struct length_results {
    using value_type = std::size_t;
    plus<> op() const { return {}; }
    template <std::size_t tile>
    std::size_t closed(std::size_t length, const head_positions<tile>& heads) const {
        return length + heads[0];
    }
};

/// The first item of each run, and its length.
template <class Keys, class KeysOut, class LengthsOut>
class run_lengths : public length_results {
    using key_type = std::iter_value_t<Keys>;

 public:
    static constexpr std::size_t tile_items = run_tile_items<key_type, std::uint32_t>;
    struct tile_memory : head_positions<tile_items> {
        tile_buffer<key_type, tile_items> keys;
    };

    run_lengths(Keys keys, std::size_t items, KeysOut keys_out, LengthsOut lengths_out)
        : keys_(std::move(keys)),
          keys_out_(std::move(keys_out)),
          lengths_out_(std::move(lengths_out)),
          stream_(items * sizeof(key_type) > streaming_threshold()) {}

    void clear(tile_memory& memory) const {
        memory.keys.clear();
        memory.clear();
    }
    void add(tile_memory& memory, std::size_t first, std::size_t count, std::uint64_t heads,
             bool /*begins_tile*/) const {
        detail::prefetch_page_after<class_block>(keys_, first, count);
        memory.keys.append(keys_, first, count, heads);
        memory.add(count, heads);
    }
    void close(std::size_t run, std::size_t length) const {
        detail::put(lengths_out_, run, length);
    }
    void write(tile_memory& memory, tile_range /*tile*/, std::size_t run, tile_range part) const {
        const std::size_t end = part.first + part.items;
        memory.keys.move_to(keys_out_, run + part.first, part.first, end, stream_);
        const std::size_t second = std::max<std::size_t>(part.first, 1);
        if (second < end) {
            detail::put_each(lengths_out_, run + second - 1, end - second, stream_,
                             [&](std::size_t i) -> std::size_t {
                                 return memory[second + i] - memory[second + i - 1];
                             });
        }
    }
    bool streams() const { return stream_; }

 private:
    Keys keys_;
    KeysOut keys_out_;
    LengthsOut lengths_out_;
    bool stream_;
};

/// Writes where each run of two items or more begins, and its length, from the stretches of heads
/// and of others (detail/heads.hpp).
template <class OffsetsOut, class LengthsOut>
class nontrivial_run_lengths : public length_results {
 public:
    static constexpr std::size_t tile_items = run_tile_items<std::uint32_t, std::uint32_t>;
    using tile_memory = head_positions<tile_items>;

    nontrivial_run_lengths(std::size_t items, OffsetsOut offsets_out, LengthsOut lengths_out)
        : offsets_out_(std::move(offsets_out)),
          lengths_out_(std::move(lengths_out)),
          stream_(items * sizeof(std::uint32_t) > streaming_threshold()) {}

    void clear(tile_memory& memory) const { memory.clear(); }
    void add(tile_memory& memory, std::size_t /*first*/, std::size_t count, std::uint64_t begins,
             bool /*begins_tile*/) const {
        memory.add(count, begins);
    }
    void close(std::size_t stretch, std::size_t length) const {
        if (stretch % 2 == 1) detail::put(lengths_out_, stretch / 2, length + 1);
    }
    void write(tile_memory& at, tile_range tile, std::size_t stretch, tile_range part) const {
        const std::size_t end = part.first + part.items;
        // Stretches with odd numbers are of other items. `others` is the first such stretch in the
        // part, and `behind` is the first stretch in the part that comes after one; every second
        // one follows.
        const std::size_t others = part.first + (stretch + part.first + 1) % 2;
        const std::size_t before = std::max<std::size_t>(part.first, 1);
        const std::size_t behind = before + (stretch + before) % 2;
        if (others < end) {
            detail::put_each(offsets_out_, (stretch + others) / 2, (end - others + 1) / 2, stream_,
                             [&](std::size_t i) { return tile.first + at[others + 2 * i] - 1; });
        }
        if (behind < end) {
            detail::put_each(lengths_out_, (stretch + behind - 1) / 2, (end - behind + 1) / 2,
                             stream_, [&](std::size_t i) -> std::size_t {
                                 return at[behind + 2 * i] - at[behind + 2 * i - 1] + 1;
                             });
        }
    }
    bool streams() const { return stream_; }

 private:
    OffsetsOut offsets_out_;
    LengthsOut lengths_out_;
    bool stream_;
};

}  // namespace lookback::detail
