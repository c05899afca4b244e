/// \file
/// Status words that lie some steps apart, by a thread each time: asked for together, waited for
/// later, folded from the first on.
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
    /// All lanes of a warp wait together.
    __device__ void wait() {
        while (!in_all_lanes(missing_ == 0)) read(missing_);
    }
    /// The same, for longer: for the last word that is missing, whose tile mostly comes last, and
    /// then for all again. What everybody asks for again and again fills the L2 cache.
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
    // Of those that are missing. Which are asked for may not depend on answers, or each load waits
    // for the one before. (Values of words that are not there yet are overwritten later.)
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
