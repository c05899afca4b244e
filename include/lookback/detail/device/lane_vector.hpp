/// \file
/// The scan of a lane's vector of 16 bytes, in registers. It is done in two steps, so that little
/// is left to do when the fold of what comes before is known.
#pragma once

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"

namespace lookback::detail::device {

/// `width` items, as accumulators in the order of the scan. Backward, they lie in memory in the
/// reverse order.
template <class A, int width, bool is_exclusive, bool backward>
class lane_vector {
 public:
    template <class In>
    __device__ void take(const vector16<In>& vector) {
#pragma unroll
        for (int i = 0; i < width; ++i) item_[i] = static_cast<A>(vector.item[place(i)]);
    }
    template <class Out>
    __device__ vector16<Out> give() const {
        vector16<Out> vector;
#pragma unroll
        for (int i = 0; i < width; ++i) vector.item[place(i)] = static_cast<Out>(item_[i]);
        return vector;
    }
    __device__ void set(int i, const A& value) { item_[i] = value; }
    __device__ A operator[](int i) const { return item_[i]; }

    /// Scans the first `count` items, or all if there are not more, and returns their fold. If
    /// `count` is not positive, that is a value that is not used.
    template <class Op>
    __device__ A scan(int count, const Op& op) {
        A running = item_[0];
#pragma unroll
        for (int i = 1; i < width; ++i) {
            if (i < count) {
                running = static_cast<A>(op(running, item_[i]));
                item_[i] = running;
            }
        }
        return running;
    }
    /// After `scan`: makes results, given the fold of everything before these items.
    template <class Op>
    __device__ void put_before(const maybe<A>& before, int count, const Op& op) {
#pragma unroll
        for (int i = width - 1; i >= 0; --i) {
            if (i >= count) continue;
            if constexpr (is_exclusive) {
                item_[i] = i == 0 ? before.value : static_cast<A>(op(before.value, item_[i - 1]));
            } else if (before.some) {
                item_[i] = static_cast<A>(op(before.value, item_[i]));
            }
        }
    }

 private:
    __device__ static constexpr int place(int i) { return backward ? width - 1 - i : i; }

    A item_[width];
};

}  // namespace lookback::detail::device
