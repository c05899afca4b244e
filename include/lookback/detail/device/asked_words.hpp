/// \file
/// Status words that lie at equal distances, read by one thread: asked for together, waited for
/// later, and folded from the first one on.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// At most `most` words.
template <class A, int most>
class asked_words {
 public:
    A value[most] = {};

    __device__ asked_words(const tile_statuses<A>& statuses, std::uint32_t epoch,
                           std::uint64_t first, std::uint64_t step, int count, bool wanted)
        : statuses_(statuses),
          epoch_(epoch),
          first_(first),
          step_(step),
          missing_(wanted ? (1U << count) - 1 : 0) {
        read(missing_);
    }
    /// Waits for all words. All lanes of a warp wait together.
    __device__ void wait() {
        while (!in_all_lanes(missing_ == 0)) read(missing_);
    }
    /// The same, for longer waits: first for the last of the missing words, whose tile usually
    /// finishes last, and then for the others. Words that many threads read again and again keep
    /// the L2 cache busy.
    __device__ void wait_long() {
        while (!in_all_lanes(missing_ == 0)) {
            const unsigned last = missing_ == 0 ? 0 : 1U << highest_bit(missing_);
            while (!in_all_lanes((missing_ & last) == 0)) read(last);
            read(missing_);
        }
    }
    /// The fold of the first `count` values, after `before`.
    template <class Op>
    __device__ maybe<A> fold(maybe<A> before, int count, const Op& op) const {
#pragma unroll
        for (int i = 0; i < most; ++i) {
            if (i < count) before = append(before, value[i], op);
        }
        return before;
    }

 private:
    // Reads the words of `which` that are still missing. Which words are read may not depend on
    // earlier answers, or each load would wait for the one before. (A value that is not there yet
    // is overwritten later.)
    __device__ void read(unsigned which) {
        const unsigned wanted = which & missing_;
        bool is_there[most];
        std::uint64_t at = first_;
#pragma unroll
        for (int i = 0; i < most; ++i) {
            is_there[i] = (wanted >> i & 1) != 0 && statuses_.read(at, epoch_, value[i]);
            at += step_;
        }
#pragma unroll
        for (int i = 0; i < most; ++i) {
            if (is_there[i]) missing_ &= ~(1U << i);
        }
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    std::uint64_t first_, step_;
    unsigned missing_;
};

}  // namespace lookback::detail::device
