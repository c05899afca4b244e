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

/// Keys from item `first` on: of an array, an array again.
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

/// Moves the values of a block's rows from one array to another: to the item of each place, `first`
/// behind that of place 0, the one at source(row). The arrays may be the same, or lie over each
/// other: all values are read before any is written, or, where they are wide, moved by way of
/// scratch memory, where they are not there already.
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
                        // Lanes beyond the last item have none to name.
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
