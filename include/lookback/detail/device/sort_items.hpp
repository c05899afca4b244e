/// \file
/// The items of a range, in the registers of a block that sorts them: keys in rows of 32 side by
/// side; values are fetched when it is known where they go. The array they are read from may have
/// them elsewhere.
///
/// Cost: each key and value is read and written once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// Of a block with so many items, which are dealt out in as few rows as hold them: where this
/// thread's items are in the range, and how many it has.
struct rows_of_block {
    int items;
    int rows;
    int first;
    int mine;

    template <sort_shape shape>
    __device__ static rows_of_block of(int items) {
        const int rows = (items + shape.threads() - 1) / shape.threads();
        const int first = warp() * rows * warp_lanes + lane();
        const int left = items > first ? (items - first + warp_lanes - 1) / warp_lanes : 0;
        return {items, rows, first, left < rows ? left : rows};
    }
    __device__ int place(int row) const { return first + row * warp_lanes; }
    __device__ bool has(int row) const { return row < mine; }
};

template <class Problem, sort_shape shape>
class block_items {
 protected:
    using Word = typename Problem::word_type;

 public:
    /// Of `from`, to the places of `range`.
    __device__ block_items(const Problem& problem, sort_array from, item_range range)
        : problem_(problem),
          from_(from),
          at_(rows_of_block::of<shape>(static_cast<int>(range.items()))),
          begin_(range.begin),
          first_(range.begin + static_cast<unsigned>(at_.first)) {}

    /// Reads those of the same range. Keys are under way then; what is done before they are words
    /// need not wait for them.
    __device__ void read() {
        read_rows([this](int i) { return in_all(i); });
    }
    /// Reads the item of each place of the range from item(place).
    template <class ItemOf>
    __device__ void read_from(const ItemOf& item) {
        read_rows([&](int i) { return item(static_cast<std::uint32_t>(at_.place(i))); });
    }
    /// Behind the last key there are some that go behind all others.
    __device__ void make_words() {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const Word word = from_ == sort_array::input ? problem_.code.word(word_[i]) : word_[i];
            word_[i] = at_.has(i) ? word : static_cast<Word>(~Word{0});
            source_.set(i, static_cast<std::uint32_t>(at_.place(i)) & 0xffff);
        }
    }

    /// Calls `f(place, word)` for each of this thread's items.
    template <class F>
    __device__ void each_word(const F& f) {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (at_.has(i)) f(at_.place(i), word_[i]);
        }
    }
    /// Says that the item of each place comes from `source(place)`.
    template <class Source>
    __device__ void set_sources(const Source& source) {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            source_.set(i, at_.has(i) ? source(at_.place(i)) : 0U);
        }
    }

    /// Writes those that were read of the same range. Outputs may be the inputs: all is read before
    /// anything is written. (Of keys, a thread writes where it has read itself, unless they have
    /// moved, and barriers with them.)
    __device__ void store(sort_array to) const {
        store_from(to, [this](std::uint32_t place) { return begin_ + place; });
    }
    /// Those of which item(place) was read.
    template <class ItemOf>
    __device__ void store_from(sort_array to, const ItemOf& item) const {
        const auto source = [&](int i) -> std::uint64_t { return item(source_[i]); };
        if constexpr (Problem::holds_values) {
            typename Problem::value_type value[shape.rows] = {};
            problem_.with_values(from_, [&](const auto& from) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    if (at_.has(i)) value[i] = from[source(i)];
                }
            });
            sync_block();
            problem_.with_values_out(to, [&](const auto& out) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    if (at_.has(i)) store_value(out, in_all(i), value[i]);
                }
            });
        } else if constexpr (Problem::fetches_values) {
            if (from_ == sort_array::input && to == sort_array::output && !problem_.layout.apart) {
                move_values_of(sort_array::input, sort_array::room,
                               [this](int i) { return in_all(i); });
                sync_block();
                move_values_of(sort_array::room, to, source);
            } else {
                move_values_of(from_, to, source);
            }
        }
        problem_.with_keys_out(to, [&](const auto& out, bool as_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (at_.has(i)) store_key(out, in_all(i), problem_.bits_of(word_[i], as_keys));
            }
        });
    }

 protected:
    const Problem& problem_;
    sort_array from_;
    rows_of_block at_;
    Word word_[shape.rows];
    packed_numbers<shape.rows> source_;

 private:
    __device__ std::uint64_t in_all(int i) const {
        return first_ + static_cast<unsigned>(i * warp_lanes);
    }

    template <class ItemOfRow>
    __device__ void read_rows(const ItemOfRow& item) {
        problem_.with_keys(from_, [&](const auto& from, bool) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                word_[i] = 0;
                if (at_.has(i)) word_[i] = from[item(i)];
            }
        });
    }

    // Moves values row by row: to each place the one at source(row).
    template <class Source>
    __device__ void move_values_of(sort_array from, sort_array to, const Source& source) const {
        problem_.with_values(from, [&](const auto& values) {
            problem_.with_values_out(to, [&](const auto& out) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int left = at_.items - (at_.place(i) - lane());
                    if (i >= at_.rows || left <= 0) break;
                    // Lanes beyond the last item have none to name.
                    move_values(values, out, left < warp_lanes ? left : warp_lanes,
                                at_.has(i) ? source(i) : 0, in_all(i));
                }
            });
        });
    }

    std::uint64_t begin_;  ///< of the range
    std::uint64_t first_;  ///< of this thread's items
};

}  // namespace lookback::detail::device
