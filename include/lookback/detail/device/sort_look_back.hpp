/// \file
/// The look-back of sorting: what tiles tell each other is a row of 256 counts, one for each value
/// of a digit, in status words side by side; a thread for each value looks back for its own.
///
/// State P of detail/cpu/tile_status.hpp is back: counts are exact, so it does not matter where a
/// fold begins, and with 256 words a tile the aggregates alone would be more than the keys. A tile
/// publishes its counts when it knows them, and when it has looked back, in the same words, with a
/// mark, the counts of all tiles up to it. Each word is written and read as a whole, with the epoch
/// (tile_status.hpp), and nothing else is read on the strength of having seen it: relaxed. That the
/// later of two words in one place is not followed by the earlier is coherence.
///
/// It finishes: tiles are claimed in order, each publishes before it waits, and the first one
/// publishes with the mark at once.
#pragma once

#include <cstdint>

#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// A launch sorts fewer keys than this.
inline constexpr std::uint32_t includes_all_before = 1U << 31;

/// Of one thread, for one value of a digit.
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
            const std::uint64_t last = mine_ - std::uint64_t{tile_ - left + 1} * digit_values;
            std::uint32_t word[at_once];
            bool there[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                there[i] =
                    static_cast<std::uint32_t>(i) < left &&
                    statuses_.read(last - static_cast<unsigned>(i * digit_values), epoch_, word[i]);
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

    /// Tells the tiles after it that there are so many before, and so many in it.
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
