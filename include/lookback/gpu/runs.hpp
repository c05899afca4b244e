/// \file
/// Runs of equal neighbours on CUDA GPUs: run_length_encode, nontrivial_runs and reduce_by_key. The
/// contracts are those of lookback/runs.hpp and, for what may be passed and where counts go, of
/// lookback/gpu/select.hpp. In place, as on the CPU. nontrivial_runs compares some
/// neighbours twice.
///
/// The folds of float values have the same bits in every run: the tree depends on the place of the
/// items, tile by tile as in a scan, never on timing.
///
/// Bytes moved: each key and value read once, a key (or a position) and a fold written for each
/// run. One kernel launch.
///
/// Source: Merrill & Garland 2016, section 5.2.
#pragma once

#include "lookback/detail/device/kept.hpp"
#include "lookback/detail/device/length_steps.hpp"
#include "lookback/detail/device/run_problem.hpp"
#include "lookback/detail/device/run_steps.hpp"

namespace lookback {
namespace detail::device {

/// What values are folded as: what `op` makes of two of them; where a lambda hides that, values.
template <class Values, class Op>
struct run_accumulator_of {
    using type = scan_accumulator<Values, Op>;
};
template <class Values, class Op>
    requires hides_its_result<Op>
struct run_accumulator_of<Values, Op> {
    using type = std::iter_value_t<Values>;
};
template <class Values, class Op>
using run_accumulator = typename run_accumulator_of<Values, Op>::type;

template <class W, class V, stretches_of stretches = stretches_of::equal_items, class Keys,
          class Values, class KeysOut, class ValuesOut, class Op, class Equal>
void reduce_runs(gpu& where, const item_count& count, const Keys& keys, const Values& values,
                 const KeysOut& keys_out, const ValuesOut& values_out, device_total total,
                 const Op& op, const Equal& equal) {
    const auto whole = access::begin_call(where);
    const auto in = indexed(keys);
    const auto beside = indexed(values);
    using problem =
        run_problem<decltype(indexed(keys)), decltype(indexed(values)), W, V, Op, Equal,
                    decltype(indexed(keys_out)), decltype(indexed(values_out)), stretches>;
    static_assert(device_item<typename problem::item_type> && device_item<W> && device_item<V>,
                  "items on the GPU are trivially copyable and default-constructible");
    static_assert(sizeof(typename problem::value_type) <= 64,
                  "values on the GPU have at most 56 bytes");
    const auto to_keys = indexed(keys_out);
    const auto to_values = indexed(values_out);
    const problem runs{in,
                       beside,
                       {op},
                       equal,
                       to_keys,
                       to_values,
                       count,
                       total,
                       all_on_vector_boundaries(in, beside),
                       may_overlap(count.at_most, keys, values, keys_out, values_out)};
    if constexpr (is_nowhere<typename problem::beside_type>) {
        constexpr large_shape shape =
            kept_shape<typename problem::item_type, beside_lengths<typename problem::item_type>, 2>;
        launch_large<length_steps, shape>(where, runs);
    } else {
        constexpr large_shape shape = kept_shape<typename problem::item_type, W>;
        launch_large<run_steps, shape>(where, runs);
    }
}

}  // namespace detail::device

/// Writes the first item of each run to `values_out`, and the run's number of items to
/// `lengths_out`, some of which are first written as 1; `last` may be a device_count.
template <class In, class Last, class ValuesOut, class LengthsOut, std::integral N,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In>
void run_length_encode(gpu& where, In first, Last last, ValuesOut values_out, LengthsOut lengths_out,
                       count_to<N> count, Equal equal = {}) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, values_out, detail::in_place::allowed);
    check_kept(items, first, lengths_out, detail::in_place::refused);
    if (items.at_most > 0) detail::check_two_outputs(values_out, lengths_out);
    reduce_runs<std::uint32_t, std::uint64_t>(where, items, first, nowhere{}, values_out, lengths_out,
                                              total_at(count, items), plus<>{}, equal);
}
template <class In, class Last, class ValuesOut, class LengthsOut,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In> std::size_t run_length_encode(gpu& where, In first,
                                                                       Last last,
                                                                       ValuesOut values_out,
                                                                       LengthsOut lengths_out,
                                                                       Equal equal = {}) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            run_length_encode(where, first, last, values_out, lengths_out, at, equal);
        })[0];
        detail::check_written_apart(values_out, results, lengths_out, results);
        return detail::check_written(results, first, detail::device::count_items(first, last).at_most,
                                     values_out, lengths_out);
    }

/// Writes the position of the first item of each run of two items or more to `offsets_out`, and the
/// run's number of items to `lengths_out`; `last` may be a device_count.
template <class In, class Last, class OffsetsOut, class LengthsOut, std::integral N,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In>
void nontrivial_runs(gpu& where, In first, Last last, OffsetsOut offsets_out, LengthsOut lengths_out,
                     count_to<N> count, Equal equal = {}) {
    using namespace detail::device;
    const item_count items = count_items(first, last);
    check_kept(items, first, offsets_out, detail::in_place::refused);
    check_kept(items, first, lengths_out, detail::in_place::refused);
    if (items.at_most > 0) detail::check_two_outputs(offsets_out, lengths_out);
    const auto offsets = indexed(offsets_out);
    const auto lengths = indexed(lengths_out);
    reduce_runs<std::uint32_t, std::uint64_t, stretches_of::heads_and_others>(
        where, items, first, nowhere{}, every_second<decltype(indexed(offsets_out))>{offsets, -1},
        every_second<decltype(indexed(lengths_out))>{lengths, 1}, total_at(count, items), plus<>{},
        equal);
}
template <class In, class Last, class OffsetsOut, class LengthsOut,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, In> std::size_t nontrivial_runs(gpu& where, In first, Last last,
                                                                     OffsetsOut offsets_out,
                                                                     LengthsOut lengths_out,
                                                                     Equal equal = {}) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            nontrivial_runs(where, first, last, offsets_out, lengths_out, at, equal);
        })[0];
        detail::check_written_apart(offsets_out, results, lengths_out, results);
        return detail::check_written(results, first, detail::device::count_items(first, last).at_most,
                                     offsets_out, lengths_out);
    }

/// Writes the first key of each run to `keys_out`, and the fold of the run's values, from left to
/// right in some grouping, to `values_out`. The accumulator is what `op` returns for two values,
/// and no smaller than a value (for a lambda whose result nvcc hides: a value).
template <class Keys, class Last, class Values, class KeysOut, class ValuesOut, std::integral N,
          class Op = plus<>, class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, Keys>
void reduce_by_key(gpu& where, Keys keys, Last last, Values values, KeysOut keys_out,
                   ValuesOut values_out, count_to<N> count, Op op = {}, Equal equal = {}) {
    using namespace detail::device;
    const item_count items = count_items(keys, last);
    check_kept(items, keys, keys_out, detail::in_place::allowed, "array of keys");
    check_kept(items, values, values_out, detail::in_place::allowed, "array of values");
    check_kept(items, keys, values_out, detail::in_place::refused, "array of keys");
    check_kept(items, values, keys_out, detail::in_place::refused, "array of values");
    if (items.at_most > 0) detail::check_two_outputs(keys_out, values_out);
    using A = run_accumulator<Values, Op>;
    reduce_runs<A, A>(where, items, keys, values, keys_out, values_out, total_at(count, items), op,
                      equal);
}
template <class Keys, class Last, class Values, class KeysOut, class ValuesOut, class Op = plus<>,
          class Equal = detail::device::equal_items>
    requires detail::device::ends<Last, Keys> std::size_t reduce_by_key(gpu& where, Keys keys,
                                                                     Last last, Values values,
                                                                     KeysOut keys_out,
                                                                     ValuesOut values_out,
                                                                     Op op = {}, Equal equal = {}) {
        const std::size_t results = detail::device::counted<1>(where, [&](count_to<std::uint64_t> at) {
            reduce_by_key(where, keys, last, values, keys_out, values_out, at, op, equal);
        })[0];
        const std::size_t items = detail::device::count_items(keys, last).at_most;
        detail::check_written(results, keys, items, keys_out, values_out);
        detail::check_written_apart(keys_out, results, values_out, results);
        return detail::check_written(results, values, items, keys_out, values_out);
    }

}  // namespace lookback
