/// \file
/// Partition on CUDA GPUs. The contracts are those of lookback/partition.hpp and, for what may be
/// passed and where counts go, of lookback/gpu/select.hpp. Outputs may not overlap the input, or
/// each other, which is not found here where one has run into another.
///
/// Bytes moved: each item read once and written once, in one kernel launch. Into one output, the
/// rest, whose place is known at the very end, is first written from the end backwards, and then
/// turned around, by a second launch: it is read and written once more.
///
/// Source: Merrill & Garland 2016, section 5.2.
#pragma once

#include "lookback/gpu/select.hpp"
#include "lookback/partition_counts.hpp"

namespace lookback {

namespace detail::device {

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

}  // namespace detail::device

/// Copies the items for which `pred` holds to `out`, and the rest to `out_rest`.
template <class In, class Last, class Out, std::random_access_iterator Rest, std::integral N,
          class Predicate>
    requires detail::device::ends<Last, In>
void partition_if(gpu& where, In first, Last last, Out out, Rest out_rest, count_to<N> count,
                  Predicate pred) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, out, detail::in_place::refused);
    check_kept(items, first, out_rest, detail::in_place::refused);
    if (items.at_most > 0) detail::check_two_outputs(out, out_rest);
    compact(where, items, first, nowhere{}, by_predicates<Predicate>{pred}, total_at(count, items),
            nowhere{}, out, out_rest);
}
template <class In, class Last, class Out, class Rest, class Predicate>
    requires(detail::device::ends<Last, In>)
std::size_t partition_if(gpu& where, In first, Last last, Out out, Rest out_rest, Predicate pred) {
    return detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
        partition_if(where, first, last, out, out_rest, at, pred);
    })[0];
}

/// Copies the items for which `pred` holds to `out`, and the rest behind them, both in input order.
template <class In, class Out, std::integral N, class Predicate>
void partition_if(gpu& where, In first, In last, Out out, count_to<N> count, Predicate pred) {
    using namespace detail::device;
    static_assert(
        forward<Out>::step > 0,
        "one output of a partition on a GPU is written forward: reverse the input and negate "
        "the predicate instead, or pass an output for the rest");
    const item_count items = count_items(first, last);
    const auto to = indexed(out);
    using To = std::remove_const_t<decltype(to)>;
    check_kept(items, first, out, detail::in_place::refused);
    detail::check_apart(first, items.at_most, "input", out, items.at_most);
    const auto whole = access::begin_call(where);
    compact(
        where, items, first, nowhere{}, by_predicates<Predicate>{pred}, total_at(count, items),
        nowhere{}, out,
        std::make_reverse_iterator(out + static_cast<std::iter_difference_t<Out>>(items.at_most)));
    constexpr auto kernel = turn_rest_around<To, N>;
    constexpr int threads = turning_threads;
    const auto& known = access::facts<kernel>(where, threads, 0);
    start<kernel>(where, known, access::blocks(where, items.at_most / threads / 16, known), threads, 0,
                  to, items, static_cast<const N*>(count.at));
}
template <class In, class Out, class Predicate>
std::size_t partition_if(gpu& where, In first, In last, Out out, Predicate pred) {
    return detail::device::counted<1>(
        where, [&](count_to<std::uint64_t> at) { partition_if(where, first, last, out, at, pred); })[0];
}

/// Copies the items for which `pred_first` holds to `out_first`, those of the others for which
/// `pred_second` holds to `out_second`, and the rest to `out_rest`; counts[0] and counts[1] of them
/// go to the first and second.
template <class In, class Last, class First, class Second, class Rest, std::integral N,
          class PredFirst, class PredSecond>
    requires detail::device::ends<Last, In>
void partition_if(gpu& where, In first, Last last, First out_first, Second out_second, Rest out_rest,
                  count_to<N> counts, PredFirst pred_first, PredSecond pred_second) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, out_first, detail::in_place::refused);
    check_kept(items, first, out_second, detail::in_place::refused);
    check_kept(items, first, out_rest, detail::in_place::refused);
    if (items.at_most > 0) {
        detail::check_two_outputs(out_first, out_second);
        detail::check_two_outputs(out_first, out_rest);
        detail::check_two_outputs(out_second, out_rest);
    }
    compact(where, items, first, nowhere{},
            by_predicates<PredFirst, PredSecond>{pred_first, pred_second},
            total_at(counts, items, 2), nowhere{}, out_first, out_second, out_rest);
}

/// Waits, and returns how many went to the first output and how many to the second.
template <class In, class Last, class First, class Second, class Rest, class PredFirst,
          class PredSecond>
    requires detail::device::ends<Last, In> partition_counts
    partition_if(gpu& where, In first, Last last, First out_first, Second out_second, Rest out_rest,
                 PredFirst pred_first, PredSecond pred_second) {
        const auto kept = detail::device::counted<2>(where, [&](count_to<std::uint64_t> at) {
            partition_if(where, first, last, out_first, out_second, out_rest, at, pred_first,
                         pred_second);
        });
        return {kept[0], kept[1]};
    }

}  // namespace lookback
