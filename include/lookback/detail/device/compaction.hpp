/// \file
/// Selections and partitions on a GPU: from the public functions to a launch.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/compaction_agent.hpp"
#include "lookback/detail/device/compaction_problem.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/gpu.hpp"
#include "lookback/select.hpp"

namespace lookback::detail {
namespace device {

/// Turns around what lies in [kept, items) of an array: each warp swaps a piece of the lower half,
/// in whole cache lines, for one of the upper.
inline constexpr int turning_threads = 512;
template <class Out, class N>
__global__ __launch_bounds__(turning_threads) void turn_rest_around(Out out, item_count count,
                                                                    const N* kept) {
    wait_for_previous_kernel();
    const auto first = static_cast<std::int64_t>(*kept);
    const auto last = static_cast<std::int64_t>(count.get());
    const std::int64_t swaps = (last - first) / 2;
    const int skew = skew_of(out, first);
    constexpr int size = sizeof(item_of<Out>);
    constexpr int at_once = size <= 4 ? 8 : size <= 8 ? 4 : size <= 16 ? 2 : 1;
    constexpr std::int64_t piece = at_once * warp_lanes;
    const std::int64_t thread = static_cast<std::int64_t>(thread_in_grid());
    for (std::int64_t begin =
             thread / warp_lanes * piece + lane() - (skew > 0 ? warp_lanes - skew : 0);
         begin < swaps;
         begin += static_cast<std::int64_t>(threads_in_grid()) / warp_lanes * piece) {
        item_of<Out> low[at_once], high[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const std::int64_t at = begin + k * warp_lanes;
            if (at >= 0 && at < swaps) {
                low[k] = out[first + at];
                high[k] = out[last - 1 - at];
            }
        }
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const std::int64_t at = begin + k * warp_lanes;
            if (at >= 0 && at < swaps) {
                out[first + at] = high[k];
                out[last - 1 - at] = low[k];
            }
        }
    }
}

}  // namespace device

template <>
struct compaction_on<gpu> {
    template <class In, class Beside, class Classes, class Values, class... Outs>
    static void run(gpu& where, const item_count& count, const In& first, const Beside& beside,
                    const Classes& classes, const total_place& total, const Values& values,
                    const Outs&... outs) {
        using namespace device;
        const auto in = indexed(first);
        const auto next = indexed(beside);
        using problem =
            device::compaction_problem<decltype(indexed(first)), decltype(indexed(beside)),
                                       decltype(classes.stored()), decltype(indexed(values)),
                                       decltype(indexed(outs))...>;
        static_assert(
            device_item<typename problem::item_type> && device_item<typename problem::paired_type>,
            "items on the GPU are trivially copyable and default-constructible");
        constexpr large_shape shape =
            compaction_shape<typename problem::item_type, typename problem::paired_type>;
        launch_large<compaction_agent, shape>(
            where, problem{in, next, classes.stored(), indexed(values),
                           output_list<decltype(indexed(outs))...>(indexed(outs)...), count, total,
                           all_on_vector_boundaries(in, next),
                           may_overlap(count.at_most, first, beside, values, outs...)});
    }

    template <class Out, class N>
    static void turn_rest(gpu& where, const item_count& count, const Out& out, count_to<N> kept) {
        using namespace device;
        static_assert(
            forward<Out>::step > 0,
            "one output of a partition on a GPU is written forward: reverse the input and negate "
            "the predicate instead, or pass an output for the rest");
        const auto to = indexed(out);
        using To = std::remove_const_t<decltype(to)>;
        constexpr auto kernel = turn_rest_around<To, N>;
        constexpr int threads = turning_threads;
        const auto& known = access::facts<kernel>(where, threads, 0);
        start<kernel>(where, known, access::blocks(where, count.at_most / threads / 16, known),
                      threads, 0, to, count, static_cast<const N*>(kept.at));
    }
};

}  // namespace lookback::detail
