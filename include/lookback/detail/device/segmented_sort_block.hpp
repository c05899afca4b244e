/// \file
/// Sorting in one block: the items of a range, which stay within it. Keys are in the threads'
/// registers, in rows of 32 side by side, and go to their places through shared memory; values are
/// fetched when it is known where they go.
///
/// There are three ways to find the places, each stable, so that one may follow another: by the
/// digits of the keys, by the numbers of the segments, and, where segments are short, by comparing
/// each key with those of its own segment. That takes as many steps as the segment has items, of
/// three instructions each, and lanes of one segment read the same word; a digit takes some sixty
/// instructions.
///
/// Cost: each key and value is read and written once. Shared memory: the keys, 2 bytes for each,
/// 1 KiB a warp.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct segment_block_memory {
    rank_memory<shape.warps> ranks;
    alignas(16) typename Problem::word_type word[shape.items()];
    /// Of each item, where in the range it was; before that, whether a segment begins there.
    alignas(16) std::uint16_t source[shape.items()];
};

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
class segment_block {
    using Word = typename Problem::word_type;
    using memory = segment_block_memory<Problem, shape>;

 public:
    __device__ segment_block(const Problem& problem, memory& shared, item_range range)
        : problem_(problem),
          shared_(shared),
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

    /// `tracked`: what is done next asks where items were.
    template <bool tracked>
    __device__ void sort_by_digits() {
        for (int d = 0; d < problem_.digits.digits(); ++d) {
            const digit_place place(problem_.digits, d);
            tile_ranks<shape> ranks(shared_.ranks, place);
            ranks.count(word_, at_.rows);
            const auto all = static_cast<std::uint32_t>(at_.rows * shape.threads());
            bool same_in_all = false;
            ranks.start([&](std::uint32_t count) {
                // Those behind the last key have the highest digit.
                const bool highest = thread_in_block() == static_cast<int>(place.mask);
                same_in_all = count + (highest ? 0 : all - static_cast<unsigned>(at_.items)) == all;
            });
            if (sync_block_or(same_in_all)) continue;
            put<tracked>([&](int i) { return ranks.next(word_[i]); });
        }
    }

    /// Puts segments in order again: `number` of an item is that of its segment, of `numbers`.
    template <class Number>
    __device__ void sort_by_number(std::uint32_t numbers, const Number& number) {
        if (numbers < 2) return;
        const digit_range digits{0, highest_bit(numbers - 1) + 1};
        for (int d = 0; d < digits.digits(); ++d) {
            const digit_place place(digits, d);
            std::uint32_t mine[shape.rows];
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (i >= at_.rows) break;
                mine[i] = number(source_[i]);
            }
            tile_ranks<shape> ranks(shared_.ranks, place);
            ranks.count(mine, at_.rows);
            ranks.start([](std::uint32_t) {});
            put<true>([&](int i) { return ranks.next(mine[i]); });
        }
    }

    /// `segment_of(at)` is the segment's range within this one. Keys are counted that are less.
    /// Where that sends two keys to one place they are equal, and another place is left empty: then
    /// those are counted, too, that are equal and before.
    template <class SegmentOf>
    __device__ void sort_by_comparing(const SegmentOf& segment_of) {
        auto* const taken = reinterpret_cast<std::uint8_t*>(shared_.ranks.counter);
        static_assert(shape.rows <= 16 && sizeof(shared_.ranks.counter) >= 16 * shape.threads());
        store_vector16(taken + 16 * thread_in_block(), vector16<std::uint8_t>{});
        const Word mask = problem_.digits.template bits<Word>();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (at_.has(i)) shared_.word[at_.place(i)] = static_cast<Word>(word_[i] & mask);
        }
        sync_block();
        // Rows are not unrolled here: the loops within are what takes time. Ranks are in the place
        // of the sources.
#pragma unroll 1
        for (int i = 0; i < at_.mine; ++i) {
            const int at = at_.place(i);
            const auto [begin, end] = segment_of(at);
            const Word mine = shared_.word[at];
            int rank = begin;
#pragma unroll 4
            for (int j = begin; j < end; ++j) {
                if (shared_.word[j] < mine) ++rank;
            }
            shared_.source[at] = static_cast<std::uint16_t>(rank);
            set_flag(taken + rank);
        }
        sync_block();
        bool left_empty = false;
        for (int i = 0; i < at_.mine; ++i) left_empty = left_empty || taken[at_.place(i)] == 0;
        if (sync_block_or(left_empty)) {
#pragma unroll 1
            for (int i = 0; i < at_.mine; ++i) {
                const int at = at_.place(i);
                const Word mine = shared_.word[at];
                int equal = 0;
#pragma unroll 4
                for (int j = segment_of(at).begin; j < at; ++j) {
                    if (shared_.word[j] == mine) ++equal;
                }
                shared_.source[at] = static_cast<std::uint16_t>(shared_.source[at] + equal);
            }
        }
        packed_numbers<shape.rows> rank{};
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const int at = at_.place(i);
            rank.set(i, at_.has(i) ? shared_.source[at] : static_cast<std::uint32_t>(at));
        }
        sync_block();  // all have compared, and know where their items go
        put<Problem::has_values>([&](int i) { return rank[i]; });
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

 private:
    __device__ std::uint64_t in_all(int i) const {
        return first_ + static_cast<unsigned>(i * warp_lanes);
    }

    // Moves this thread's items to their new places, and takes those that come to its own. What
    // others still read, of the places before, is behind a barrier; so is what they write next.
    template <bool tracked, class To>
    __device__ void put(const To& to) {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= at_.rows) break;
            const std::uint32_t place = to(i);
            shared_.word[place] = word_[i];
            if constexpr (tracked) shared_.source[place] = static_cast<std::uint16_t>(source_[i]);
        }
        sync_block();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= at_.rows) break;
            word_[i] = shared_.word[at_.place(i)];
            if constexpr (tracked) source_.set(i, shared_.source[at_.place(i)]);
        }
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

    const Problem& problem_;
    memory& shared_;
    rows_of_block at_;
    std::uint64_t begin_;  ///< of the range
    std::uint64_t first_;  ///< of this thread's items
    Word word_[shape.rows];
    packed_numbers<shape.rows> source_;
};

}  // namespace lookback::detail::device
