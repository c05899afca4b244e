/// \file
/// Scans and reductions of a block, for use in your own kernels.
///
///     using sums = lookback::block::scan<int, 256>;
///     __shared__ sums::memory memory;
///     const auto [before, all] = sums(memory).exclusive(length, 0, lookback::plus{});
///
/// All threads of a one-dimensional block of `threads` threads, in whole warps, call together. The
/// operator is any associative function of two values, commutative or not. It is applied in order,
/// and only to the values of the first `values` threads (at least one). Values are trivially
/// copyable.
///
/// A strategy is a template argument (Merrill & Garland 2016, section 3.1 and figure 2). With w
/// warps of 32 threads:
///
/// | strategy | barriers | applications one after the other | shared memory, values |
/// |---|---|---|---|
/// | `warp_scans` | 1 | 5 + log2 w + 2 | w |
/// | `raking` | 2 | 2 w + 5 | at most 32 w + 33 |
/// | `sklansky` | log2 w + 1 | 5 + log2 w + 2 | w + 1 |
///
/// `raking` applies the operator the fewest times, and has the highest throughput where several
/// blocks run on a multiprocessor. A block that runs there alone finishes first with `warp_scans`
/// (docs/tuning.md). The grouping of the values depends on the strategy, the number of threads and
/// the number of values. So float results have the same bits in every run, and may differ between
/// strategies.
#pragma once

#include <type_traits>

#include "lookback/detail/device/block_networks.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::block {

enum class strategy { raking, warp_scans, sklansky };

/// A thread's result of a scan, and the fold of all values (without an initial one), which is the
/// same in all threads.
template <class A>
struct scanned {
    A result;
    A aggregate;
};

template <class A, int threads, strategy how = strategy::raking>
class scan {
    static_assert(threads % detail::device::warp_lanes == 0 && threads >= 32 && threads <= 1024,
                  "a block has 32 to 1024 threads, in whole warps");
    static constexpr int warps = threads / detail::device::warp_lanes;

    using network = std::conditional_t<
        how == strategy::raking, detail::device::raking_network<A, warps>,
        std::conditional_t<how == strategy::sklansky, detail::device::sklansky_network<A, warps>,
                           detail::device::warp_scan_network<A, warps>>>;

    template <class T>
    using maybe = detail::device::maybe<T>;

 public:
    /// Shared memory. Between two uses of it the whole block must call __syncthreads().
    struct memory {
        alignas(A) unsigned char bytes[network::slots * sizeof(A)];
    };

    __device__ explicit scan(memory& shared) : slots_(reinterpret_cast<A*>(shared.bytes)) {}

    /// The fold of the values up to and including this thread's. The first `values` > 0 threads
    /// hold one value each. The results of the other threads are of no use.
    template <class Op>
    __device__ scanned<A> inclusive(const A& value, const Op& op, int values = threads) const {
        const auto place = network::place(value, values, slots_, op);
        const bool some = detail::device::thread_in_block() < values;
        return {detail::device::combine(place.before, {value, some}, op).value, place.aggregate};
    }

    /// The fold of `init` and the values before this thread's.
    template <class Op>
    __device__ scanned<A> exclusive(const A& value, const A& init, const Op& op,
                                    int values = threads) const {
        const auto place = network::place(value, values, slots_, op);
        return {detail::device::combine({init, true}, place.before, op).value, place.aggregate};
    }

    /// The fold of the values; all threads get it.
    template <class Op>
    __device__ A reduce(const A& value, const Op& op, int values = threads) const {
        return network::fold(value, values, slots_, op);
    }

    /// The same for k consecutive items of each thread: thread t holds the items from t·k on (see
    /// tile_io.hpp), and the first `items` > 0 items of the block are valid. Each thread folds its
    /// items, and then walks through them a second time. Results replace the items; the return
    /// value is their fold.
    template <int k, class Op>
    __device__ A inclusive(A (&item)[k], const Op& op, int items = threads * k) const {
        return scan_items<false>(item, maybe<A>{{}, false}, op, items);
    }
    template <int k, class Op>
    __device__ A exclusive(A (&item)[k], const A& init, const Op& op,
                           int items = threads * k) const {
        return scan_items<true>(item, maybe<A>{init, true}, op, items);
    }
    template <int k, class Op>
    __device__ A reduce(const A (&item)[k], const Op& op, int items = threads * k) const {
        const auto mine = chunk_of(item);
        return network::fold(mine.template fold<false>(left_for_thread<k>(items), op),
                             threads_in_use<k>(items), slots_, op);
    }

 private:
    template <int k>
    __device__ static int left_for_thread(int items) {
        return items - detail::device::thread_in_block() * k;
    }
    template <int k>
    __device__ static int threads_in_use(int items) {
        return (items + k - 1) / k;
    }
    template <int k>
    __device__ static auto chunk_of(const A (&item)[k]) {
        detail::device::chunk<A, A, false, k> mine;
#pragma unroll
        for (int i = 0; i < k; ++i) mine[i] = item[i];
        return mine;
    }

    template <bool is_exclusive, int k, class Op>
    __device__ A scan_items(A (&item)[k], const maybe<A>& init, const Op& op, int items) const {
        auto mine = chunk_of(item);
        const int left = left_for_thread<k>(items);
        const auto place = network::place(mine.template fold<false>(left, op),
                                          threads_in_use<k>(items), slots_, op);
        mine.template scan<is_exclusive, false>(detail::device::combine(init, place.before, op),
                                                left, op);
#pragma unroll
        for (int i = 0; i < k; ++i) item[i] = mine[i];
        return place.aggregate;
    }

    A* slots_;
};

}  // namespace lookback::block
