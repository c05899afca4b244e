/// \file
/// Sorting in one block by digits. The items of a range stay within it: a small array, a part of a
/// larger one (sort_buckets.hpp), or segments. Keys go to their places through shared memory, digit
/// by digit. If they belong to several segments, they are then sorted by the numbers of their
/// segments. This sort is stable, so the keys remain in order within each segment.
///
/// Cost: some sixty instructions for each digit of a row of 32 keys. Shared memory: the keys, 2
/// bytes for each key that is tracked, 1 KiB a warp.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_items.hpp"
#include "lookback/detail/device/sort_padding.hpp"
#include "lookback/detail/device/sort_ranks.hpp"

namespace lookback::detail::device {

/// `tracked`: each item remembers where it was. Fetching values and sorting by number need this.
template <class Problem, sort_shape shape, bool tracked>
struct sort_block_memory {
    rank_memory<shape.warps> ranks;
    alignas(16) typename Problem::word_type word[padded(shape.items())];
    /// For each item, where in the range it was. Not used before the first digit.
    alignas(16) std::uint16_t source[tracked ? padded(shape.items()) : 1];
};

template <class Problem, sort_shape shape, bool tracked = Problem::has_values>
class sort_block : public block_items<Problem, shape> {
    using items = block_items<Problem, shape>;
    using memory = sort_block_memory<Problem, shape, tracked>;
    using items::at_, items::problem_, items::source_, items::word_;

 public:
    __device__ sort_block(const Problem& problem, memory& shared, sort_array from, item_range range)
        : items(problem, from, range), shared_(shared) {}

    __device__ void sort_by_digits(const digit_range& digits) {
        for (int d = 0; d < digits.digits(); ++d) {
            sort_by_digit(digit_place(digits, d), [](std::uint32_t, std::uint32_t) {});
        }
    }
    /// For each value of the digit one thread calls told(count, start): how many keys have the
    /// value, and where they begin.
    template <class Told>
    __device__ void sort_by_digit(const digit_place& place, const Told& told) {
        tile_ranks<shape> ranks(shared_.ranks, place);
        ranks.count(word_, at_.rows);
        const int value = thread_in_block();
        // The words behind the last key have the highest digit.
        const int behind =
            value == static_cast<int>(place.mask) ? at_.rows * shape.threads() - at_.items : 0;
        std::uint32_t count = 0;
        const std::uint32_t start = ranks.start(
            [&](std::uint32_t all) { count = all - static_cast<std::uint32_t>(behind); });
        if (value < digit_values) told(count, start);
        const bool same_in_all =
            value < digit_values && count == static_cast<std::uint32_t>(at_.items);
        if (sync_block_or(same_in_all)) return;
        put([&](int i) { return ranks.next(word_[i]); });
    }

    /// Puts segments in order again: number(i) is the number of item i's segment, below `numbers`.
    template <class Number>
    __device__ void sort_by_number(std::uint32_t numbers, const Number& number) {
        static_assert(tracked);
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
            put([&](int i) { return ranks.next(mine[i]); });
        }
    }

 private:
    // Moves this thread's items to their new places, and takes the items that come to its own
    // places. There is a barrier between the last reads of shared memory and this call, and another
    // one before shared memory is written again.
    template <class To>
    __device__ void put(const To& to) {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= at_.rows) break;
            const unsigned place = padded(to(i));
            shared_.word[place] = word_[i];
            if constexpr (tracked) shared_.source[place] = static_cast<std::uint16_t>(source_[i]);
        }
        sync_block();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= at_.rows) break;
            const unsigned place = padded_in_row(at_.first, i);
            word_[i] = shared_.word[place];
            if constexpr (tracked) source_.set(i, shared_.source[place]);
        }
    }

    memory& shared_;
};

}  // namespace lookback::detail::device
