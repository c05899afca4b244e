/// \file
/// Sorting in one block by digits: the items of a range, which stay within it. Keys go to their
/// places through shared memory, digit by digit; then, where they are of several segments, by the
/// numbers of those: stable, so that they are in order within each segment.
///
/// Cost: some sixty instructions for each digit of a key. Shared memory: the keys, 2 bytes for
/// each, 1 KiB a warp.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_items.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct segment_block_memory {
    rank_memory<shape.warps> ranks;
    alignas(16) typename Problem::word_type word[shape.items()];
    /// Of each item, where in the range it was; before that, whether a segment begins there.
    alignas(16) std::uint16_t source[shape.items()];
};

template <class Problem, sort_shape shape>
class segment_block : public block_items<Problem, shape> {
    using items = block_items<Problem, shape>;
    using memory = segment_block_memory<Problem, shape>;
    using items::at_, items::problem_, items::source_, items::word_;

 public:
    __device__ segment_block(const Problem& problem, memory& shared, item_range range)
        : items(problem, range), shared_(shared) {}

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

 private:
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

    memory& shared_;
};

}  // namespace lookback::detail::device
