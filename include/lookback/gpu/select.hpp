/// \file
/// Selection on CUDA GPUs: select_if, select_flagged, unique, unique_by_key. The contracts are
/// those of lookback/select.hpp and, for what may be passed, of lookback/gpu/scan.hpp, with this
/// difference: the number of items kept is written to device memory, count_to{at}; or, where no
/// place is given, the call waits for it and returns it. In place, as on the CPU; but that wider
/// items have run into an input is found by calls that wait, not by others.
///
/// Bytes moved: each item read once, each item kept written once. One kernel launch.
///
/// Source: Merrill & Garland 2016, sections 4.4 and 5.2.
#pragma once

#include "lookback/detail/device/compaction_problem.hpp"
#include "lookback/detail/device/compaction_steps.hpp"
#include "lookback/detail/device/kept.hpp"

namespace lookback {
namespace detail::device {

/// The items of class 0, 1, ... to `outs`, and, for class 0, what lies beside to `values`.
template <class In, class Beside, class Classify, class Values, class... Outs>
void compact(gpu& where, const item_count& count, const In& first, const Beside& beside,
             const Classify& classify, device_total total, const Values& values,
             const Outs&... outs) {
    const auto whole = access::begin_call(where);
    const auto in = indexed(first);
    const auto next = indexed(beside);
    using problem =
        compaction_problem<decltype(indexed(first)), decltype(indexed(beside)), Classify,
                           decltype(indexed(values)), decltype(indexed(outs))...>;
    static_assert(
        device_item<typename problem::item_type> && device_item<typename problem::beside_type>,
        "items on the GPU are trivially copyable and default-constructible");
    constexpr large_shape shape =
        kept_shape<typename problem::item_type, typename problem::beside_type>;
    launch_large<compaction_steps, shape>(
        where, problem{in, next, classify, indexed(values),
                     output_list<decltype(indexed(outs))...>(indexed(outs)...), count, total,
                     all_on_vector_boundaries(in, next),
                     may_overlap(count.at_most, first, beside, values, outs...)});
}

}  // namespace detail::device

/// Copies the items for which `pred` holds to `out`; `last` may be a device_count.
template <class In, class Last, class Out, std::integral N, class Predicate>
    requires detail::device::ends<Last, In>
void select_if(gpu& where, In first, Last last, Out out, count_to<N> count, Predicate pred) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, out, detail::in_place::allowed);
    compact(where, items, first, nowhere{}, by_predicates<Predicate>{pred}, total_at(count, items),
            nowhere{}, out);
}
template <class In, class Last, class Out, class Predicate>
    requires detail::device::ends<Last, In> std::size_t select_if(gpu& where, In first, Last last,
                                                               Out out, Predicate pred) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            select_if(where, first, last, out, at, pred);
        })[0];
        return detail::check_written(results, first, detail::device::count_items(first, last).at_most,
                                     out);
    }

/// Copies the items whose flag, `flags[i]` converted to bool, is true to `out`.
template <class In, class Last, class Flags, class Out, std::integral N>
    requires detail::device::ends<Last, In>
void select_flagged(gpu& where, In first, Last last, Flags flags, Out out, count_to<N> count) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, out, detail::in_place::allowed);
    check_kept(items, flags, out, detail::in_place::allowed, "array of flags");
    compact(where, items, first, flags, by_flag{}, total_at(count, items), nowhere{}, out);
}
template <class In, class Last, class Flags, class Out>
    requires detail::device::ends<Last, In> std::size_t select_flagged(gpu& where, In first, Last last,
                                                                    Flags flags, Out out) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            select_flagged(where, first, last, flags, out, at);
        })[0];
        const std::size_t items = detail::device::count_items(first, last).at_most;
        detail::check_written(results, first, items, out);
        return detail::check_written(results, flags, items, out);
    }

/// Copies the first item of each run of equal neighbours to `out`.
template <class In, class Last, class Out, std::integral N, class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In>
void unique(gpu& where, In first, Last last, Out out, count_to<N> count, Equal equal = {}) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, out, detail::in_place::allowed);
    compact(where, items, first, nowhere{}, by_run_heads<Equal>{equal}, total_at(count, items),
            nowhere{}, out);
}
template <class In, class Last, class Out, class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In> std::size_t unique(gpu& where, In first, Last last, Out out,
                                                            Equal equal = {}) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            lookback::unique(where, first, last, out, at, equal);
        })[0];
        return detail::check_written(results, first, detail::device::count_items(first, last).at_most,
                                     out);
    }

/// Copies the first key of each run of equal neighbours to `keys_out`, and its value to
/// `values_out`.
template <class Keys, class Last, class Values, class KeysOut, class ValuesOut, std::integral N,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, Keys>
void unique_by_key(gpu& where, Keys keys, Last last, Values values, KeysOut keys_out,
                   ValuesOut values_out, count_to<N> count, Equal equal = {}) {
    using namespace detail::device;
    const item_count items = count_items(keys, last);
    check_kept(items, keys, keys_out, detail::in_place::allowed, "array of keys");
    check_kept(items, values, values_out, detail::in_place::allowed, "array of values");
    check_kept(items, keys, values_out, detail::in_place::refused, "array of keys");
    check_kept(items, values, keys_out, detail::in_place::refused, "array of values");
    if (items.at_most > 0) detail::check_two_outputs(keys_out, values_out);
    compact(where, items, keys, values, by_run_heads<Equal>{equal}, total_at(count, items),
            values_out, keys_out);
}
template <class Keys, class Last, class Values, class KeysOut, class ValuesOut,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, Keys> std::size_t unique_by_key(gpu& where, Keys keys,
                                                                     Last last, Values values,
                                                                     KeysOut keys_out,
                                                                     ValuesOut values_out,
                                                                     Equal equal = {}) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            unique_by_key(where, keys, last, values, keys_out, values_out, at, equal);
        })[0];
        const std::size_t items = detail::device::count_items(keys, last).at_most;
        detail::check_written(results, keys, items, keys_out, values_out);
        detail::check_written_apart(keys_out, results, values_out, results);
        return detail::check_written(results, values, items, keys_out, values_out);
    }

}  // namespace lookback
