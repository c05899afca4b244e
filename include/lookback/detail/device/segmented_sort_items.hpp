/// \file
/// The items of a range, in the registers of a block that sorts them: keys in rows of 32 side by
/// side; values are fetched when it is known where they go.
///
/// Cost: each key and value is read and written once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
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
    __device__ block_items(const Problem& problem, item_range range)
        : problem_(problem),
          at_(rows_of_block::of<shape>(static_cast<int>(range.items()))),
          begin_(range.begin),
          first_(range.begin + static_cast<unsigned>(at_.first)) {}

    /// Keys are under way then; what is done before they are words need not wait for them.
    __device__ void read() {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            word_[i] = 0;
            if (at_.has(i)) word_[i] = problem_.keys[in_all(i)];
        }
    }
    /// Behind the last key there are some that go behind all others.
    __device__ void make_words() {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            word_[i] = at_.has(i) ? problem_.code.word(word_[i]) : static_cast<Word>(~Word{0});
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

    /// Outputs may be the inputs: all is read before anything is written. (Of keys, a thread writes
    /// where it has read itself, unless they have moved, and barriers with them.)
    __device__ void store() const {
        if constexpr (Problem::holds_values) {
            typename Problem::value_type value[shape.rows] = {};
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (at_.has(i)) value[i] = problem_.values[begin_ + source_[i]];
            }
            sync_block();
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (at_.has(i)) store_value(problem_.values_out, in_all(i), value[i]);
            }
        } else if constexpr (Problem::fetches_values) {
            const auto itself = [this](int i) { return in_all(i); };
            const auto source = [this](int i) { return begin_ + source_[i]; };
            if (problem_.layout.apart) {
                move(problem_.values, problem_.values_out, source);
            } else {
                move(problem_.values, problem_.value_room[0], itself);
                sync_block();
                const typename Problem::value_type* const room = problem_.value_room[0];
                move(room, problem_.values_out, source);
            }
        }
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (at_.has(i)) {
                store_key(problem_.keys_out, in_all(i), problem_.code.bits(word_[i]));
            }
        }
    }

 protected:
    const Problem& problem_;
    rows_of_block at_;
    Word word_[shape.rows];
    packed_numbers<shape.rows> source_;

 private:
    __device__ std::uint64_t in_all(int i) const {
        return first_ + static_cast<unsigned>(i * warp_lanes);
    }

    // Moves values row by row: to each place the one at source(row).
    template <class From, class To, class Source>
    __device__ void move(const From& from, const To& to, const Source& source) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const int left = at_.items - (at_.place(i) - lane());
            if (i >= at_.rows || left <= 0) break;
            move_values(from, to, left < warp_lanes ? left : warp_lanes, source(i), in_all(i));
        }
    }

    std::uint64_t begin_;  ///< of the range
    std::uint64_t first_;  ///< of this thread's items
};

}  // namespace lookback::detail::device
