/// \file
/// Scans of many segments at once, each from its own beginning.
///
///     inclusive_scan_by_key, exclusive_scan_by_key
///         a segment is a run of equal keys
///     inclusive_segmented_scan, exclusive_segmented_scan
///         a segment begins at each set flag of head_flags{flags}, and at the first item; or
///         segment s is [offsets[s], offsets[s + 1]) of segment_offsets{offsets, offsets_last}, k +
///         1 entries for k segments, which may be empty (CSR)
///
///     inclusive: out[i] = init op in[begin] op ... op in[i]
///     exclusive: out[i] = init op in[begin] op ... op in[i-1]
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators are random access; or ranges, of which the output is as long as the values. The
/// accumulator is the type of `init`; without one, what `op` returns for two values. An `init` that
/// cannot hold all values of the items (0, an int, for `unsigned`, 64-bit integers or floats) does
/// not compile. `op` must be associative, need not commute, and never combines values of two
/// segments.
///
/// Neighbouring keys x, y are compared as equal(x, y), the earlier one first, up to three times; a
/// segment ends where that is false. So each NaN is a segment of its own under ==.
///
/// All are plain scans of pairs {value, head} with the operator segmented<Op> (operators.hpp): the
/// load is the same for each thread, however long the segments are. Float sums have the same bits
/// in every run, for any number of threads (docs/design.md, "The tree"); a segment's bits depend on
/// where it lies.
///
/// `out` may be the values; any other overlap is refused where both are contiguous. Work O(n); each
/// value, key, flag or offset is read from memory once (a second time from cache: iterators are
/// dereferenced up to six times), each output written once. Offsets are read once more, to check
/// them. Extra memory is at most 0.1 % of the pairs'. If `op` or `equal` throws, the exception
/// reaches the caller, with the outputs partly written.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps input as above, offsets that decrease, do not begin at 0 or do not end at
/// the number of items, a range that is too short, or a negative number of threads.
///
/// Source: Blelloch 1990, "Prefix Sums and Their Applications"; Merrill & Garland 2016.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/segment_arguments.hpp"
#include "lookback/detail/cpu/segment_heads.hpp"
#include "lookback/detail/cpu/simd_segments_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"

namespace lookback {

namespace detail {

template <class In, class Out>
void check_segmented(const cpu& where, const In& values, std::size_t items, const Out& out) {
    check_threads(where.threads);
    if (items > 0) detail::check_memory(values, out, items);
}

template <bool is_exclusive, class T, class In, class Heads, class Out, class Op>
Out scan_segments(const cpu& where, In values, std::size_t items, const Heads& heads, Out out,
                  const std::optional<T>& init, const Op& op) {
    if (items == 0) return out;
    detail::single_pass(where, segments_problem<is_exclusive, In, Heads, Out, T, Op>(
                                   values, items, heads, out, init, op));
    return out + static_cast<std::iter_difference_t<Out>>(items);
}

template <bool is_exclusive, class T, class Keys, class In, class Out, class Op, class Equal>
Out scan_by_key(const cpu& where, Keys keys, Keys keys_last, In values, Out out,
                const std::optional<T>& init, const Op& op, const Equal& equal) {
    const std::size_t items = detail::checked_count(keys, keys_last);
    detail::check_segmented(where, values, items, out);
    detail::check_apart(keys, items, "array of keys", out, items);
    return detail::scan_segments<is_exclusive, T>(
        where, values, items, heads_by_key<Keys, Equal>{{keys, equal}}, out, init, op);
}

template <bool is_exclusive, class T, class In, class Flags, class Out, class Op>
Out segmented_scan(const cpu& where, In first, In last, const head_flags<Flags>& segments, Out out,
                   const std::optional<T>& init, const Op& op) {
    const std::size_t items = detail::checked_count(first, last);
    detail::check_segmented(where, first, items, out);
    detail::check_apart(segments.flags, items, "array of flags", out, items);
    return detail::scan_segments<is_exclusive, T>(
        where, first, items, heads_by_flag<Flags>{segments.flags}, out, init, op);
}

template <bool is_exclusive, class T, class In, class Offsets, class Out, class Op>
Out segmented_scan(const cpu& where, In first, In last, const segment_offsets<Offsets>& segments,
                   Out out, const std::optional<T>& init, const Op& op) {
    const std::size_t items = detail::checked_count(first, last);
    detail::check_segmented(where, first, items, out);
    detail::check_offsets(where, segments, items);
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    detail::check_apart(segments.first, entries, "array of offsets", out, items);
    return detail::scan_segments<is_exclusive, T>(
        where, first, items, heads_by_offset<Offsets>{segments.first, entries}, out, init, op);
}

}  // namespace detail

/// Inclusive scan of the values of each run of equal keys. Returns the end of the output.
template <std::random_access_iterator Keys, class Values, class Out, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::scannable<Values, Out, scan_accumulator<Values, Op>, Op> Out
    inclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out, Op op = {},
                          Equal equal = {}) {
        using T = scan_accumulator<Values, Op>;
        return detail::scan_by_key<false, T>(where, keys, keys_last, values, out, std::nullopt, op,
                                             equal);
    }

/// Inclusive scan of the values of each run of equal keys, with a value before each.
template <std::random_access_iterator Keys, class Values, class Out, class T, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::scannable_from<Values, Out, T, Op> Out
    inclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out, T init,
                          Op op = {}, Equal equal = {}) {
        return detail::scan_by_key<false, T>(where, keys, keys_last, values, out, init, op, equal);
    }

/// Exclusive scan of the values of each run of equal keys, from `init` or else from T{}. Returns
/// the end of the output.
template <std::random_access_iterator Keys, class Values, class Out,
          class T = scan_accumulator<Values, plus<>>, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::scannable_from<Values, Out, T, Op> Out
    exclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out,
                          T init = T{}, Op op = {}, Equal equal = {}) {
        return detail::scan_by_key<true, T>(where, keys, keys_last, values, out, init, op, equal);
    }

/// Inclusive scan of each segment; `segments` are head_flags or segment_offsets. Returns the end of
/// the output.
template <std::random_access_iterator In, detail::segments_of_items Segments, class Out,
          class Op = plus<>>
    requires detail::scannable<In, Out, scan_accumulator<In, Op>, Op> Out
    inclusive_segmented_scan(cpu where, In first, In last, Segments segments, Out out, Op op = {}) {
        using T = scan_accumulator<In, Op>;
        return detail::segmented_scan<false, T>(where, first, last, segments, out, std::nullopt,
                                                op);
    }

/// Inclusive scan of each segment, with a value before each.
template <std::random_access_iterator In, detail::segments_of_items Segments, class Out, class T,
          class Op = plus<>>
    requires detail::scannable_from<In, Out, T, Op> Out inclusive_segmented_scan(
        cpu where, In first, In last, Segments segments, Out out, T init, Op op = {}) {
        return detail::segmented_scan<false, T>(where, first, last, segments, out, init, op);
    }

/// Exclusive scan of each segment, from `init` or else from T{}. Returns the end of the output.
template <std::random_access_iterator In, detail::segments_of_items Segments, class Out,
          class T = scan_accumulator<In, plus<>>, class Op = plus<>>
    requires detail::scannable_from<In, Out, T, Op> Out exclusive_segmented_scan(
        cpu where, In first, In last, Segments segments, Out out, T init = T{}, Op op = {}) {
        return detail::segmented_scan<true, T>(where, first, last, segments, out, init, op);
    }

/// The same of ranges: the output is at least as long as the values, and there is a value for each
/// key.
template <detail::sized_input Keys, detail::sized_input Values, detail::sized_output Out,
          class... Rest>
auto inclusive_scan_by_key(cpu where, Keys&& keys, Values&& values, Out&& out, Rest... rest)
    -> decltype(lookback::inclusive_scan_by_key(where, std::ranges::begin(keys),
                                                detail::end_of(keys), std::ranges::begin(values),
                                                std::ranges::begin(out), std::move(rest)...)) {
    detail::check_one_for_each(keys, values, "values");
    detail::check_room(keys, out);
    return lookback::inclusive_scan_by_key(where, std::ranges::begin(keys), detail::end_of(keys),
                                           std::ranges::begin(values), std::ranges::begin(out),
                                           std::move(rest)...);
}
template <detail::sized_input Keys, detail::sized_input Values, detail::sized_output Out,
          class... Rest>
auto exclusive_scan_by_key(cpu where, Keys&& keys, Values&& values, Out&& out, Rest... rest)
    -> decltype(lookback::exclusive_scan_by_key(where, std::ranges::begin(keys),
                                                detail::end_of(keys), std::ranges::begin(values),
                                                std::ranges::begin(out), std::move(rest)...)) {
    detail::check_one_for_each(keys, values, "values");
    detail::check_room(keys, out);
    return lookback::exclusive_scan_by_key(where, std::ranges::begin(keys), detail::end_of(keys),
                                           std::ranges::begin(values), std::ranges::begin(out),
                                           std::move(rest)...);
}
template <detail::sized_input In, detail::segments_of_items Segments, detail::sized_output Out,
          class... Rest>
auto inclusive_segmented_scan(cpu where, In&& in, Segments segments, Out&& out, Rest... rest)
    -> decltype(lookback::inclusive_segmented_scan(where, std::ranges::begin(in),
                                                   detail::end_of(in), segments,
                                                   std::ranges::begin(out), std::move(rest)...)) {
    detail::check_room(in, out);
    return lookback::inclusive_segmented_scan(where, std::ranges::begin(in), detail::end_of(in),
                                              segments, std::ranges::begin(out),
                                              std::move(rest)...);
}
template <detail::sized_input In, detail::segments_of_items Segments, detail::sized_output Out,
          class... Rest>
auto exclusive_segmented_scan(cpu where, In&& in, Segments segments, Out&& out, Rest... rest)
    -> decltype(lookback::exclusive_segmented_scan(where, std::ranges::begin(in),
                                                   detail::end_of(in), segments,
                                                   std::ranges::begin(out), std::move(rest)...)) {
    detail::check_room(in, out);
    return lookback::exclusive_segmented_scan(where, std::ranges::begin(in), detail::end_of(in),
                                              segments, std::ranges::begin(out),
                                              std::move(rest)...);
}

/// The same on all cores.
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto inclusive_scan_by_key(First&& first, Rest&&... rest)
    -> decltype(lookback::inclusive_scan_by_key(cpu{}, std::forward<First>(first),
                                                std::forward<Rest>(rest)...)) {
    return lookback::inclusive_scan_by_key(cpu{}, std::forward<First>(first),
                                           std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto exclusive_scan_by_key(First&& first, Rest&&... rest)
    -> decltype(lookback::exclusive_scan_by_key(cpu{}, std::forward<First>(first),
                                                std::forward<Rest>(rest)...)) {
    return lookback::exclusive_scan_by_key(cpu{}, std::forward<First>(first),
                                           std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto inclusive_segmented_scan(First&& first, Rest&&... rest)
    -> decltype(lookback::inclusive_segmented_scan(cpu{}, std::forward<First>(first),
                                                   std::forward<Rest>(rest)...)) {
    return lookback::inclusive_segmented_scan(cpu{}, std::forward<First>(first),
                                              std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto exclusive_segmented_scan(First&& first, Rest&&... rest)
    -> decltype(lookback::exclusive_segmented_scan(cpu{}, std::forward<First>(first),
                                                   std::forward<Rest>(rest)...)) {
    return lookback::exclusive_segmented_scan(cpu{}, std::forward<First>(first),
                                              std::forward<Rest>(rest)...);
}

/// Any other call does not compile: `Why` says what is wrong with it.
template <class... A, class Why = detail::why_refused<detail::takes::operators, 2, A...>>
void inclusive_scan_by_key(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::operators, 2, A...>>
void exclusive_scan_by_key(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::operators, 1, A...>>
void inclusive_segmented_scan(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::operators, 1, A...>>
void exclusive_segmented_scan(A&&...) = delete;

}  // namespace lookback
