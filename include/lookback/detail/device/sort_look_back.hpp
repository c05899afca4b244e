/// \file
/// The look-back of sorting. What a tile tells the tiles after it is a row of 256 counts, one for
/// each value of a digit, in status words side by side. There is a thread for each value, which
/// looks back for it alone.
///
/// Unlike in other look-backs on a GPU, there is state P of detail/cpu/tile_status.hpp. Counts are
/// exact, so it does not matter where a fold begins; and with 256 words a tile, reading the
/// aggregates of all tiles before would cost more than reading the keys. A tile publishes its
/// counts when it knows them. When it has looked back, it publishes in the same words, with a mark,
/// the counts of all tiles up to and including it.
///
/// Each word is written and read as a whole, with the epoch (tile_status.hpp). No other memory is
/// read because of what a word says, so all accesses are relaxed. A thread that has read the second
/// value of a word does not read the first one afterwards: this is coherence.
///
/// It finishes: tiles are claimed in order, each publishes before it waits, and the first one
/// publishes with the mark at once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// The mark. A launch sorts fewer keys than this.
inline constexpr std::uint32_t includes_all_before = 1U << 31;

/// The look-back of one thread, for one value of a digit.
class digit_look_back {
 public:
    __device__ digit_look_back(const tile_statuses<std::uint32_t>& statuses, claim mine, int value)
        : statuses_(statuses),
          epoch_(mine.epoch),
          tile_(mine.ticket),
          mine_(std::uint64_t{mine.ticket} * digit_values + static_cast<unsigned>(value)) {}

    __device__ void publish(std::uint32_t count) const {
        statuses_.publish(mine_, epoch_, tile_ == 0 ? count | includes_all_before : count);
    }

    /// How many keys of the tiles before have the value. Reads the words of several tiles at once.
    __device__ std::uint32_t before() const {
        constexpr int at_once = 4;  // more are slower: others write these words
        std::uint32_t sum = 0;
        std::uint32_t left = tile_;  // tiles that are not in the sum
        bool done = left == 0;
        while (!done) {
            std::uint32_t word[at_once];
            bool there[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                // Reads without a branch are faster. Where fewer tiles are left, the word of tile 0
                // is read again. Its mark ends the sum, so it is added only once.
                const std::uint32_t earlier = static_cast<std::uint32_t>(i) < left ? i : left - 1;
                const std::uint32_t distance = tile_ - left + 1 + earlier;
                there[i] =
                    statuses_.read(mine_ - std::uint64_t{distance} * digit_values, epoch_, word[i]);
            }
            bool goes_on = true;
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                goes_on = goes_on && there[i];
                if (goes_on) {
                    sum += word[i] & ~includes_all_before;
                    --left;
                    done = (word[i] & includes_all_before) != 0;
                    goes_on = !done;
                }
            }
        }
        return sum;
    }

    /// Tells the tiles after this one: `before` keys of the tiles before have the value, and
    /// `count` of this one.
    __device__ void publish_up_to(std::uint32_t before, std::uint32_t count) const {
        if (tile_ > 0) statuses_.publish(mine_, epoch_, (before + count) | includes_all_before);
    }

 private:
    tile_statuses<std::uint32_t> statuses_;
    std::uint32_t epoch_;
    std::uint32_t tile_;
    std::uint64_t mine_;
};

}  // namespace lookback::detail::device
