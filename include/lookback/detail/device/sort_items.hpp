/// \file
/// The items of a range, in the registers of a block that sorts them. Keys are held in rows of 32
/// that lie side by side. Values are fetched once their places are known. The items may be read
/// from places outside the range.
///
/// Cost: each key and value is read and written once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// How a block with `items` items deals them out to its threads, in as few rows as hold them: where
/// this thread's items are in the range, and how many it has.
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

/// Keys from item `first` on. Of an array they are an array again.
template <class Keys>
struct keys_behind {
    Keys keys;
    std::uint64_t first;
    __device__ auto operator[](std::uint64_t i) const { return keys[first + i]; }
};
template <class Word>
__device__ const Word* keys_from_item(const Word* keys, std::uint64_t first) {
    return keys + first;
}
template <class Keys>
__device__ keys_behind<Keys> keys_from_item(const Keys& keys, std::uint64_t first) {
    return {keys, first};
}

/// Moves the values of a block's rows from one array to another. The value for the place in `row`
/// comes from item source(row), and goes to item `first` + place. The arrays may be the same, or
/// overlap: values that are held are all read before any is written; wider values are copied to
/// scratch memory first, if an output lies over an input.
template <sort_shape shape, class Problem, class Source>
__device__ void store_values(const Problem& problem, const rows_of_block& at, std::uint64_t first,
                             sort_array from, sort_array to, const Source& source) {
    const auto item = [&](int i) { return first + static_cast<unsigned>(at.place(i)); };
    if constexpr (Problem::holds_values) {
        typename Problem::value_type value[shape.rows] = {};
        problem.with_values(from, [&](const auto& values) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (at.has(i)) value[i] = values[source(i)];
            }
        });
        sync_block();
        problem.with_values_out(to, [&](const auto& out) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (at.has(i)) store_value(out, item(i), value[i]);
            }
        });
    } else if constexpr (Problem::fetches_values) {
        const auto move = [&](sort_array a, sort_array b, const auto& item_at) {
            problem.with_values(a, [&](const auto& values) {
                problem.with_values_out(b, [&](const auto& out) {
#pragma unroll
                    for (int i = 0; i < shape.rows; ++i) {
                        const int left = at.items - (at.place(i) - lane());
                        if (i >= at.rows || left <= 0) break;
                        // Lanes beyond the last item have no item to name.
                        move_values(values, out, left < warp_lanes ? left : warp_lanes,
                                    at.has(i) ? item_at(i) : 0, item(i));
                    }
                });
            });
        };
        if (from == sort_array::input && to == sort_array::output && !problem.layout.apart) {
            move(sort_array::input, sort_array::room, item);
            sync_block();
            move(sort_array::room, to, source);
        } else {
            move(from, to, source);
        }
    }
}

template <class Problem, sort_shape shape>
class block_items {
 protected:
    using Word = typename Problem::word_type;

 public:
    /// For items of the array `from` that go to the places of `range`.
    __device__ block_items(const Problem& problem, sort_array from, item_range range)
        : problem_(problem),
          from_(from),
          at_(rows_of_block::of<shape>(static_cast<int>(range.items()))),
          begin_(range.begin),
          first_(range.begin + static_cast<unsigned>(at_.first)) {}

    /// Reads the items of the same range. The loads of keys are then under way: work that is done
    /// before make_words does not wait for them.
    __device__ void read() {
        read_rows([this](int i) { return in_all(i); });
    }
    /// Reads the item for each place of the range from item(place).
    template <class ItemOf>
    __device__ void read_from(const ItemOf& item) {
        read_rows([&](int i) { return item(static_cast<std::uint32_t>(at_.place(i))); });
    }
    /// Makes words of the keys. Behind the last key, threads hold words that come after all keys.
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
    /// Writes items that read() has read. Outputs may be the inputs: everything is read before
    /// anything is written. (A thread writes the keys to places that it has read itself, unless the
    /// keys have moved; then there were barriers in between.)
    __device__ void store(sort_array to) const {
        store_from(to, [this](std::uint32_t place) { return begin_ + place; });
    }
    /// Writes items that read_from(item) has read.
    template <class ItemOf>
    __device__ void store_from(sort_array to, const ItemOf& item) const {
        const auto source = [&](int i) -> std::uint64_t { return item(source_[i]); };
        store_values<shape>(problem_, at_, begin_, from_, to, source);
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

    std::uint64_t begin_;  ///< of the range
    std::uint64_t first_;  ///< of this thread's items
};

}  // namespace lookback::detail::device
