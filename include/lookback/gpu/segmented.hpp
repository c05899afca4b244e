/// \file
/// Scans of many segments on CUDA GPUs: inclusive_scan_by_key, exclusive_scan_by_key;
/// inclusive_segmented_scan, exclusive_segmented_scan. The contracts are those of
/// lookback/segmented.hpp and, for what may be passed, of lookback/gpu/scan.hpp, with these
/// differences:
///
/// - values and an initial value together, {value, bool}, have at most 64 bytes; keys and flags are
///   trivially copyable;
/// - neighbouring keys are compared once;
/// - of offsets, which lie in device memory, only the number is checked. They may have any order; a
///   segment begins at each that is less than the number of items, and at the first item; others
///   are skipped;
/// - gpu::reserve(items) makes room for values of up to 4 bytes; for wider ones, a call before the
///   capture of a graph, with as many items, does.
///
/// Float sums have the same bits in every run: a segment's depend on where it lies, and on the size
/// of a value and of a key or flag, never on timing.
///
/// Bytes moved: each value, key and flag read once, each result written once. One kernel launch.
/// Of segment_offsets, a launch before marks the heads in scratch memory of the lookback::gpu
/// (gpu::reserve_scratch): a byte for each item, written and read besides, and each offset read
/// once.
///
/// Source: Blelloch 1990, "Prefix Sums and Their Applications"; Merrill & Garland 2016.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <type_traits>

#include "lookback/detail/device/kept.hpp"
#include "lookback/detail/device/segmented_problem.hpp"
#include "lookback/detail/device/segmented_steps.hpp"
#include "lookback/segmented.hpp"

namespace lookback {
namespace detail::device {

template <class In, class Out, class T, class Op>
concept segment_scannable = device_operator<Op, T> && scan_input<In, T> && scan_output<Out, T>;

template <bool exclusive, class T, class In, class Heads, class Out, class Op, class Start>
Out scan_segments(gpu& where, const In& values, const item_count& count, const Heads& heads,
                  const Out& out, const Start& start, const Op& op) {
    static_assert(device_accumulator<segment_value<T>>,
                  "accumulators on the GPU are trivially copyable and default-constructible, and "
                  "have, with a flag, at most 64 bytes");
    static_assert(device_item<typename Heads::item_type>,
                  "keys and flags on the GPU are trivially copyable and default-constructible");
    const auto in = indexed(values);
    const auto to = indexed(out);
    using problem = segmented_problem<exclusive, T, decltype(indexed(values)), Heads,
                                      decltype(indexed(out)), Op, Start>;
    constexpr large_shape shape = segmented_shape<typename Heads::item_type, T>;
    launch_large<segmented_steps, shape>(
        where,
        problem{in, heads, to, {op}, start, count, all_on_vector_boundaries(in, heads.in, to)});
    return out + static_cast<std::iter_difference_t<Out>>(count.at_most);
}

template <bool exclusive, class T, class Keys, class Last, class In, class Out, class Start,
          class Op, class Equal>
Out scan_by_key(gpu& where, const Keys& keys, const Last& last, const In& values, const Out& out,
                const Start& start, const Op& op, const Equal& equal) {
    const item_count count = count_items(keys, last);
    const auto whole = access::begin_call(where);
    if (count.at_most == 0) return out;
    check_memory(values, out, count.at_most);
    check_apart(keys, count.at_most, "array of keys", out, count.at_most);
    const heads_by_key<decltype(indexed(keys)), Equal> heads{indexed(keys), equal};
    return scan_segments<exclusive, T>(where, values, count, heads, out, start, op);
}

template <class Flags>
auto find_heads(gpu& /*where*/, const head_flags<Flags>& segments, const item_count& /*count*/) {
    return heads_by_flag<decltype(indexed(segments.flags))>{indexed(segments.flags)};
}

/// Sets the flag of each item that one of the offsets points to.
template <class Offsets>
__global__ void mark_heads_kernel(Offsets offsets, std::uint64_t entries, std::uint64_t items,
                                  std::uint8_t* flags) {
    wait_for_previous_kernel();
    for (std::uint64_t s = thread_in_grid(); s < entries; s += threads_in_grid()) {
        const auto head = static_cast<std::uint64_t>(offsets[static_cast<std::int64_t>(s)]);
        if (head < items)
            store_relaxed(flags + head, std::uint8_t{1});  // several offsets may be equal
    }
}

template <class Offsets>
auto find_heads(gpu& where, const segment_offsets<Offsets>& segments, const item_count& count) {
    const std::size_t entries = checked_count(segments.first, segments.last);
    auto* const flags = static_cast<std::uint8_t*>(access::scratch(where, count.at_most));
    check(cudaMemsetAsync(flags, 0, count.at_most, where.stream()), "clearing the heads of segments");
    constexpr auto kernel = mark_heads_kernel<decltype(indexed(segments.first))>;
    constexpr int threads = 256;
    const auto& known = access::facts<kernel>(where, threads, 0);
    start<kernel>(where, known, access::blocks(where, tiles_for(entries, threads), known), threads, 0,
                  indexed(segments.first), std::uint64_t{entries}, count.at_most, flags);
    return heads_by_flag<const std::uint8_t*>{flags};
}

template <class Flags, class Out>
void check_segments(const head_flags<Flags>& segments, const Out& out, std::size_t items) {
    check_apart(segments.flags, items, "array of flags", out, items);
}
template <class Offsets, class Out>
void check_segments(const segment_offsets<Offsets>& segments, const Out& out, std::size_t items) {
    const std::size_t entries = checked_count(segments.first, segments.last);
    if (entries == 0) {
        throw std::invalid_argument(
            "lookback: there are no offsets; expected one more than there are segments");
    }
    check_apart(segments.first, entries, "array of offsets", out, items);
}

template <bool exclusive, class T, class In, class Last, class Segments, class Out, class Start,
          class Op>
Out segmented_scan(gpu& where, const In& first, const Last& last, const Segments& segments,
                   const Out& out, const Start& start, const Op& op) {
    const item_count count = count_items(first, last);
    const auto whole = access::begin_call(where);
    check_segments(segments, out, count.at_most);
    if (count.at_most == 0) return out;
    check_memory(first, out, count.at_most);
    return scan_segments<exclusive, T>(where, first, count, find_heads(where, segments, count), out,
                                       start, op);
}

}  // namespace detail::device

/// Inclusive scan of the values of each run of equal keys; `keys_last` may be a device_count.
/// Returns the end of the output, at the largest count that there may be.
template <std::random_access_iterator Keys, class Last, class Values, class Out, class Op = plus<>,
          class Equal = detail::device::equal_items>
    requires(detail::device::ends<Last, Keys> && !detail::device::hides_its_result<Op> &&
             detail::device::segment_scannable<Values, Out, scan_accumulator<Values, Op>, Op>)
Out inclusive_scan_by_key(gpu& where, Keys keys, Last keys_last, Values values, Out out, Op op = {},
                          Equal equal = {}) {
    using T = scan_accumulator<Values, Op>;
    return detail::device::scan_by_key<false, T>(where, keys, keys_last, values, out,
                                              detail::device::no_initial_value<T>{}, op, equal);
}

/// Inclusive scan of the values of each run of equal keys, with a value before each: on the host,
/// or a device_value.
template <std::random_access_iterator Keys, class Last, class Values, class Out, class Init,
          class Op = plus<>, class Equal = detail::device::equal_items,
          class T = typename detail::device::init_type<Init>::type>
    requires(detail::device::ends<Last, Keys>&& detail::device::segment_scannable<Values, Out, T, Op>)
Out inclusive_scan_by_key(gpu& where, Keys keys, Last keys_last, Values values, Out out, Init init,
                          Op op = {}, Equal equal = {}) {
    return detail::device::scan_by_key<false, T>(where, keys, keys_last, values, out,
                                              detail::device::begin_with<Values>(init), op, equal);
}

/// Exclusive scan of the values of each run of equal keys, from a value on the host or a
/// device_value, or else from zero.
template <std::random_access_iterator Keys, class Last, class Values, class Out,
          class Init = scan_accumulator<Values, plus<>>, class Op = plus<>,
          class Equal = detail::device::equal_items,
          class T = typename detail::device::init_type<Init>::type>
    requires(detail::device::ends<Last, Keys>&& detail::device::segment_scannable<Values, Out, T, Op>)
Out exclusive_scan_by_key(gpu& where, Keys keys, Last keys_last, Values values, Out out,
                          Init init = Init{}, Op op = {}, Equal equal = {}) {
    return detail::device::scan_by_key<true, T>(where, keys, keys_last, values, out,
                                             detail::device::begin_with<Values>(init), op, equal);
}

/// Inclusive scan of each segment; `segments` are head_flags or segment_offsets, `last` may be a
/// device_count. Returns the end of the output, at the largest count that there may be.
template <std::random_access_iterator In, class Last, class Segments, class Out, class Op = plus<>>
    requires(detail::device::ends<Last, In> && !detail::device::hides_its_result<Op> &&
             detail::device::segment_scannable<In, Out, scan_accumulator<In, Op>, Op>)
Out inclusive_segmented_scan(gpu& where, In first, Last last, Segments segments, Out out,
                             Op op = {}) {
    using T = scan_accumulator<In, Op>;
    return detail::device::segmented_scan<false, T>(where, first, last, segments, out,
                                                 detail::device::no_initial_value<T>{}, op);
}

/// Inclusive scan of each segment, with a value before each: on the host, or a device_value.
template <std::random_access_iterator In, class Last, class Segments, class Out, class Init,
          class Op = plus<>, class T = typename detail::device::init_type<Init>::type>
    requires(detail::device::ends<Last, In>&& detail::device::segment_scannable<In, Out, T, Op>)
Out inclusive_segmented_scan(gpu& where, In first, Last last, Segments segments, Out out, Init init,
                             Op op = {}) {
    return detail::device::segmented_scan<false, T>(where, first, last, segments, out,
                                                 detail::device::begin_with<In>(init), op);
}

/// Exclusive scan of each segment, from a value on the host or a device_value, or else from zero.
template <std::random_access_iterator In, class Last, class Segments, class Out,
          class Init = scan_accumulator<In, plus<>>, class Op = plus<>,
          class T = typename detail::device::init_type<Init>::type>
    requires(detail::device::ends<Last, In>&& detail::device::segment_scannable<In, Out, T, Op>)
Out exclusive_segmented_scan(gpu& where, In first, Last last, Segments segments, Out out,
                             Init init = Init{}, Op op = {}) {
    return detail::device::segmented_scan<true, T>(where, first, last, segments, out,
                                                detail::device::begin_with<In>(init), op);
}

}  // namespace lookback
