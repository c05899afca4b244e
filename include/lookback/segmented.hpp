/// \file
/// Scans of many segments in one call; each segment is scanned by itself.
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
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Iterators are random access. In calls with ranges, the output is as long as
/// the values. The accumulator is the type of `init`; without `init`, it is what `op` returns for
/// two values. An `init` that cannot hold all values of the items (0, an int, for `unsigned`,
/// 64-bit integers or floats) does not compile. `op` must be associative, need not commute, and
/// never combines values of two segments.
///
/// Neighbouring keys x, y are compared as equal(x, y), the earlier one first, up to three times. A
/// segment ends where that is false. So under == each NaN is a segment of its own.
///
/// All are plain scans of pairs {value, head} with the operator segmented<Op> (operators.hpp):
/// every thread has the same load, however long the segments are. Float sums have the same bits in
/// every run, for any number of threads (docs/design.md, "The tree"). The bits of a segment depend
/// on where it lies in the array.
///
/// `out` may be the values; any other overlap is refused where both are contiguous. Work O(n). Each
/// value, key, flag or offset is read from memory once (a second time from cache: iterators are
/// dereferenced up to six times), and each output is written once. Offsets are read once more, to
/// check them. Extra memory is at most 0.1 % of the pairs' memory. If `op` or `equal` throws, the
/// exception reaches the caller, and the outputs are partly written.
///
/// The number of items and the initial value may lie in memory, as in scan.hpp. What may be passed
/// on a GPU is as in scan.hpp, with these differences:
///
/// - an accumulator and a flag, {accumulator, bool}, together have at most 64 bytes; keys and flags
///   are trivially copyable;
/// - neighbouring keys are compared once;
/// - offsets lie in device memory, and only their number is checked. They may have any order: a
///   segment begins at each offset that is less than the number of items, and at the first item;
///   other offsets are skipped. One more launch, before the scan's, marks the heads in scratch
///   memory of the lookback::gpu (gpu::reserve_scratch). This takes a byte for each item, which is
///   written and read once more, and one more read of each offset;
/// - gpu::reserve(items) makes room for values of up to 8 bytes. For wider values, a call with as
///   many items before the capture of a graph makes the room.
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps input as above, offsets that decrease, do not begin at 0 or do not end at
/// the number of items, a range that is too short, or a negative number of threads.
///
/// Source: Blelloch 1990, "Prefix Sums and Their Applications"; Merrill & Garland 2016.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/segment_arguments.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// How an execution scans segments: specialised in detail/cpu/segmented.hpp and
/// detail/device/segmented.hpp.
template <class Execution>
struct segments_on;

template <bool is_exclusive, class T, class Where, class Keys, class Last, class In, class Out,
          class Init, class Op, class Equal>
Out scan_by_key(Where&& execution, const Keys& keys, const Last& last, const In& values,
                const Out& out, const Init& init, const Op& op, const Equal& equal) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const item_count items = detail::count_items(keys, last);
    if (items.at_most == 0) return out;
    detail::check_memory(values, out, items.at_most);
    detail::check_apart(keys, items.at_most, "array of keys", out, items.at_most);
    segments_on<on>::template by_key<is_exclusive, T>(where, items, keys, values, out, init,
                                                      detail::to_fold<T>(op),
                                                      detail::to_compare<Keys>(equal));
    return out + static_cast<std::iter_difference_t<Out>>(items.at_most);
}

template <bool is_exclusive, class T, class Where, class In, class Last, class Segments, class Out,
          class Init, class Op>
Out segmented_scan(Where&& execution, const In& first, const Last& last, const Segments& segments,
                   const Out& out, const Init& init, const Op& op) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const item_count items = detail::count_items(first, last);
    detail::check_segments(segments, out, items.at_most);
    segments_on<on>::check(where, segments, items);
    if (items.at_most == 0) return out;
    detail::check_memory(first, out, items.at_most);
    segments_on<on>::template of<is_exclusive, T>(where, items, first, segments, out, init,
                                                  detail::to_fold<T>(op));
    return out + static_cast<std::iter_difference_t<Out>>(items.at_most);
}

struct inclusive_scan_by_key_form : algorithm<inclusive_scan_by_key_form, takes::operators, 2, 1> {
    using algorithm::operator();

    template <execution Where = cpu, indexed_input Keys, end_of_input<Keys> Last, class Values,
              class Out, class Op = plus<>, class Equal = equal_to>
        requires scannable_alone<Values, Out, Op> && equality_of<Equal, Keys>
    Out operator()(Where&& where, Keys keys, Last keys_last, Values values, Out out, Op op = {},
                   Equal equal = {}) const {
        return detail::scan_by_key<false, scan_accumulator<Values, Op>>(
            where, keys, keys_last, values, out, no_initial_value{}, op, equal);
    }
    template <execution Where = cpu, indexed_input Keys, end_of_input<Keys> Last, class Values,
              class Out, class Init, class Op = plus<>, class Equal = equal_to,
              class T = init_type_of<Init>>
        requires scannable_from<Values, Out, T, Op> && equality_of<Equal, Keys>
    Out operator()(Where&& where, Keys keys, Last keys_last, Values values, Out out, Init init,
                   Op op = {}, Equal equal = {}) const {
        return detail::scan_by_key<false, T>(where, keys, keys_last, values, out, init, op, equal);
    }
};

struct exclusive_scan_by_key_form : algorithm<exclusive_scan_by_key_form, takes::operators, 2, 1> {
    using algorithm::operator();

    template <execution Where = cpu, indexed_input Keys, end_of_input<Keys> Last, class Values,
              class Out, class Init = scan_accumulator<Values, plus<>>, class Op = plus<>,
              class Equal = equal_to, class T = init_type_of<Init>>
        requires scannable_from<Values, Out, T, Op> && equality_of<Equal, Keys>
    Out operator()(Where&& where, Keys keys, Last keys_last, Values values, Out out,
                   Init init = Init{}, Op op = {}, Equal equal = {}) const {
        return detail::scan_by_key<true, T>(where, keys, keys_last, values, out, init, op, equal);
    }
};

struct inclusive_segmented_scan_form
    : algorithm<inclusive_segmented_scan_form, takes::operators, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last,
              segments_of_items Segments, class Out, class Op = plus<>>
        requires scannable_alone<In, Out, Op>
    Out operator()(Where&& where, In first, Last last, Segments segments, Out out,
                   Op op = {}) const {
        return detail::segmented_scan<false, scan_accumulator<In, Op>>(where, first, last, segments,
                                                                       out, no_initial_value{}, op);
    }
    template <execution Where = cpu, indexed_input In, end_of_input<In> Last,
              segments_of_items Segments, class Out, class Init, class Op = plus<>,
              class T = init_type_of<Init>>
        requires scannable_from<In, Out, T, Op>
    Out operator()(Where&& where, In first, Last last, Segments segments, Out out, Init init,
                   Op op = {}) const {
        return detail::segmented_scan<false, T>(where, first, last, segments, out, init, op);
    }
};

struct exclusive_segmented_scan_form
    : algorithm<exclusive_segmented_scan_form, takes::operators, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last,
              segments_of_items Segments, class Out, class Init = scan_accumulator<In, plus<>>,
              class Op = plus<>, class T = init_type_of<Init>>
        requires scannable_from<In, Out, T, Op>
    Out operator()(Where&& where, In first, Last last, Segments segments, Out out,
                   Init init = Init{}, Op op = {}) const {
        return detail::segmented_scan<true, T>(where, first, last, segments, out, init, op);
    }
};

}  // namespace detail

/// Inclusive scan of the values of each run of equal keys. Returns the end of the output.
///
///     inclusive_scan_by_key(where, keys, keys_last, values, out, op = plus<>{}, equal = ...)
///     inclusive_scan_by_key(where, keys, keys_last, values, out, init, op = ..., equal = ...)
///     inclusive_scan_by_key(where, keys, values, out, ...)    ranges
inline constexpr detail::inclusive_scan_by_key_form inclusive_scan_by_key;

/// Exclusive scan of the values of each run of equal keys, from `init`, or from T{} without it.
/// Returns the end of the output.
///
///     exclusive_scan_by_key(where, keys, keys_last, values, out, init = T{}, op = ..., ...)
///     exclusive_scan_by_key(where, keys, values, out, ...)    ranges
inline constexpr detail::exclusive_scan_by_key_form exclusive_scan_by_key;

/// Inclusive scan of each segment; `segments` are head_flags or segment_offsets. Returns the end of
/// the output.
///
///     inclusive_segmented_scan(where, first, last, segments, out, op = plus<>{})
///     inclusive_segmented_scan(where, first, last, segments, out, init, op = plus<>{})
///     inclusive_segmented_scan(where, in, segments, out, ...)    ranges
inline constexpr detail::inclusive_segmented_scan_form inclusive_segmented_scan;

/// Exclusive scan of each segment, from `init`, or from T{} without it. Returns the end of the
/// output.
///
///     exclusive_segmented_scan(where, first, last, segments, out, init = T{}, op = plus<>{})
///     exclusive_segmented_scan(where, in, segments, out, ...)    ranges
inline constexpr detail::exclusive_segmented_scan_form exclusive_segmented_scan;

}  // namespace lookback

#include "lookback/detail/cpu/segmented.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/segmented.hpp"
#endif
