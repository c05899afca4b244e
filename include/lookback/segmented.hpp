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
/// Arguments follow the standard library's order, the execution first. Iterators are random access.
/// The accumulator is the type of `init`; without one, what `op` returns for two values. `op` must
/// be associative, need not commute, and never combines values of two segments.
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
/// the number of items, or a negative number of threads.
///
/// Source: Blelloch 1990, "Prefix Sums and Their Applications"; Merrill & Garland 2016.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "lookback/core/arguments.hpp"
#include "lookback/core/items.hpp"
#include "lookback/core/segment_heads.hpp"
#include "lookback/cpu/shares.hpp"
#include "lookback/cpu/simd_segments_problem.hpp"
#include "lookback/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"
#include "lookback/scan.hpp"
#include "lookback/select.hpp"

namespace lookback {

/// A segment begins at each item whose flag, converted to bool, is true, and at the first item.
template <std::random_access_iterator Flags>
struct head_flags {
    Flags flags;
};

/// Segment s is [first[s], first[s + 1]); the last of [first, last) is the number of items.
template <std::random_access_iterator Offsets>
struct segment_offsets {
    Offsets first;
    Offsets last;
};

namespace detail {

template <class Offsets>
void check_offsets(const cpu& where, const segment_offsets<Offsets>& segments, std::size_t items) {
    const std::size_t entries = checked_count(segments.first, segments.last);
    const auto entry = [&](std::size_t s) { return std::to_string(item(segments.first, s)); };
    if (entries == 0) {
        throw std::invalid_argument(
            "lookback: there are no offsets; expected one more than there "
            "are segments");
    }
    check_not_null(segments.first, entries, "array of offsets");
    if (item(segments.first, 0) != 0) {
        throw std::invalid_argument("lookback: the first offset is " + entry(0) + "; expected 0");
    }
    // As wide as an offset: vectors have as many of these.
    using falls_type =
        std::conditional_t<sizeof(item(segments.first, 0)) <= 4, std::uint32_t, std::uint64_t>;
    std::atomic<std::size_t> wrong{entries};  // the least that anybody has found
    for_shares(where, entries - 1, 1 << 14, [&](std::size_t begin, std::size_t end) {
        falls_type falls = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const bool here = item(segments.first, s + 1) < item(segments.first, s);
            falls = static_cast<falls_type>(falls | (here ? 1 : 0));
        }
        if (falls == 0) return;
        while (!(item(segments.first, begin + 1) < item(segments.first, begin))) ++begin;
        std::size_t least = wrong.load(std::memory_order_relaxed);
        while (begin < least &&
               !wrong.compare_exchange_weak(least, begin, std::memory_order_relaxed)) {
        }
    });
    if (const std::size_t s = wrong.load(std::memory_order_relaxed); s < entries) {
        throw std::invalid_argument("lookback: offsets decrease from " + entry(s) + " to " +
                                    entry(s + 1) + " at entry " + std::to_string(s + 1) +
                                    "; expected each to be at least the one before");
    }
    if (static_cast<std::size_t>(item(segments.first, entries - 1)) != items) {
        throw std::invalid_argument("lookback: the last offset is " + entry(entries - 1) +
                                    "; expected the number of items, " + std::to_string(items));
    }
}

template <class In, class Out>
void check_segmented(const cpu& where, const In& values, std::size_t items, const Out& out) {
    check_threads(where.threads);
    if (items > 0) check_memory(values, out, items);
}

template <bool is_exclusive, class T, class In, class Heads, class Out, class Op>
Out scan_segments(const cpu& where, In values, std::size_t items, const Heads& heads, Out out,
                  const std::optional<T>& init, const Op& op) {
    if (items == 0) return out;
    single_pass(where, segments_problem<is_exclusive, In, Heads, Out, T, Op>(values, items, heads,
                                                                             out, init, op));
    return out + static_cast<std::iter_difference_t<Out>>(items);
}

template <bool is_exclusive, class T, class Keys, class In, class Out, class Op, class Equal>
Out scan_by_key(const cpu& where, Keys keys, Keys keys_last, In values, Out out,
                const std::optional<T>& init, const Op& op, const Equal& equal) {
    const std::size_t items = checked_count(keys, keys_last);
    check_segmented(where, values, items, out);
    check_apart(keys, items, out, items);
    return scan_segments<is_exclusive, T>(where, values, items,
                                          heads_by_key<Keys, Equal>{{keys, equal}}, out, init, op);
}

template <bool is_exclusive, class T, class In, class Flags, class Out, class Op>
Out segmented_scan(const cpu& where, In first, In last, const head_flags<Flags>& segments, Out out,
                   const std::optional<T>& init, const Op& op) {
    const std::size_t items = checked_count(first, last);
    check_segmented(where, first, items, out);
    check_apart(segments.flags, items, out, items);
    return scan_segments<is_exclusive, T>(where, first, items, heads_by_flag<Flags>{segments.flags},
                                          out, init, op);
}

template <bool is_exclusive, class T, class In, class Offsets, class Out, class Op>
Out segmented_scan(const cpu& where, In first, In last, const segment_offsets<Offsets>& segments,
                   Out out, const std::optional<T>& init, const Op& op) {
    const std::size_t items = checked_count(first, last);
    check_segmented(where, first, items, out);
    check_offsets(where, segments, items);
    const std::size_t entries = checked_count(segments.first, segments.last);
    check_apart(segments.first, entries, out, items);
    return scan_segments<is_exclusive, T>(
        where, first, items, heads_by_offset<Offsets>{segments.first, entries}, out, init, op);
}

template <class Values, class Out, class T, class Op>
concept segment_scannable =
    associative_operator<Op, T> && scan_input<Values, T> && indexed_output<Out, T>;

}  // namespace detail

/// Inclusive scan of the values of each run of equal keys. Returns the end of the output.
template <std::random_access_iterator Keys, class Values, class Out, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::segment_scannable<Values, Out, scan_accumulator<Values, Op>, Op> Out
    inclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out, Op op = {},
                          Equal equal = {}) {
        using T = scan_accumulator<Values, Op>;
        return detail::scan_by_key<false, T>(where, keys, keys_last, values, out, std::nullopt, op,
                                             equal);
    }

/// Inclusive scan of the values of each run of equal keys, with a value before each.
template <std::random_access_iterator Keys, class Values, class Out, class T, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::segment_scannable<Values, Out, T, Op> Out
    inclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out, T init,
                          Op op = {}, Equal equal = {}) {
        return detail::scan_by_key<false, T>(where, keys, keys_last, values, out, init, op, equal);
    }

/// Exclusive scan of the values of each run of equal keys. Returns the end of the output.
template <std::random_access_iterator Keys, class Values, class Out, class T, class Op = plus<>,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::segment_scannable<Values, Out, T, Op> Out
    exclusive_scan_by_key(cpu where, Keys keys, Keys keys_last, Values values, Out out, T init,
                          Op op = {}, Equal equal = {}) {
        return detail::scan_by_key<true, T>(where, keys, keys_last, values, out, init, op, equal);
    }

/// Inclusive scan of each segment; `segments` are head_flags or segment_offsets. Returns the end of
/// the output.
template <std::random_access_iterator In, class Segments, class Out, class Op = plus<>>
    requires detail::segment_scannable<In, Out, scan_accumulator<In, Op>, Op> Out
    inclusive_segmented_scan(cpu where, In first, In last, Segments segments, Out out, Op op = {}) {
        using T = scan_accumulator<In, Op>;
        return detail::segmented_scan<false, T>(where, first, last, segments, out, std::nullopt,
                                                op);
    }

/// Inclusive scan of each segment, with a value before each.
template <std::random_access_iterator In, class Segments, class Out, class T, class Op = plus<>>
    requires detail::segment_scannable<In, Out, T, Op> Out inclusive_segmented_scan(
        cpu where, In first, In last, Segments segments, Out out, T init, Op op = {}) {
        return detail::segmented_scan<false, T>(where, first, last, segments, out, init, op);
    }

/// Exclusive scan of each segment. Returns the end of the output.
template <std::random_access_iterator In, class Segments, class Out, class T, class Op = plus<>>
    requires detail::segment_scannable<In, Out, T, Op> Out exclusive_segmented_scan(
        cpu where, In first, In last, Segments segments, Out out, T init, Op op = {}) {
        return detail::segmented_scan<true, T>(where, first, last, segments, out, init, op);
    }

}  // namespace lookback
