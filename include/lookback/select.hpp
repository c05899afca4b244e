/// \file
/// Selection: copies the wanted items, in input order, and returns their number.
///
///     select_if        the items for which `pred` holds
///     select_flagged   the items whose flag is true
///     unique           the first item of each run of equal items
///     unique_by_key    the first key of each run of equal keys, and its value
///
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Iterators are random access. `out` takes as many items as are wanted, and
/// nothing else is written there. In calls with ranges, an output is as long as the input.
///
/// `pred` is called exactly once for each item, and each flag is read once, in no particular order,
/// from several threads at once. Neighbours x, y are compared once, as equal(x, y), the earlier one
/// first; a run ends where that is false. So under == each NaN is a run of its own. Of items that
/// are equal but not identical, the first of the run is kept. `equal` need not be an equivalence:
/// only its answers for neighbours count.
///
/// In place: `out` may be the input itself (for unique_by_key each output its own input; for
/// select_flagged the input, the flags, or both). It may also begin before the input and run into
/// it, if its items are no wider than the input's. Where both are contiguous, an output that begins
/// elsewhere within the input is refused. An output of wider items that has run into the input is
/// detected when its length is known; the call then throws, too. After the last kept item, the
/// input stays as it was.
///
/// Work O(n). Each item is read from memory once (a second time from cache: iterators are
/// dereferenced up to three times), each kept item is written once. Extra memory: 256 KiB for each
/// thread (128 items where these are more), and one or two cache lines for each 64 to 128 KiB of
/// input, with one key more where the call looks for runs. If `pred`, `equal` or a copy throws, the
/// exception reaches the caller, and the outputs are partly written.
///
/// The number of items may lie in memory (count_at, in place of the input's end). The call can also
/// leave the number of results in memory (count_to, after the outputs); such a call returns
/// nothing.
///
/// What may be passed on a GPU is as in scan.hpp. Items have a default constructor, and at most 168
/// bytes together with the flag or value paired with them. Without a count_to the call waits for
/// the number of results. One kernel launch. Only calls that return the count detect an output of
/// wider items that has run into an input, or two outputs that have run into each other.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps the input as above, two outputs that begin at the same place or have run
/// into each other, a range that is too short, or a negative number of threads.
///
/// Source: Merrill & Garland 2016, sections 4.4 and 5.2.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

#include "lookback/counts.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/classes.hpp"
#include "lookback/detail/counting.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// How an execution runs compactions: specialised in detail/cpu/compaction.hpp and
/// detail/device/compaction.hpp.
template <class Execution>
struct compaction_on;

/// Copies the items of class 0, 1, ... to `outs`, and the items in `paired` that belong to items of
/// class 0 to `values`. The counts of the classes go to `total`.
template <class Where, class In, class Paired, class Classes, class Values, class... Outs>
void compact(Where& where, const item_count& items, const In& first, const Paired& paired,
             const Classes& classes, const total_place& total, const Values& values,
             const Outs&... outs) {
    detail::in_one_call(where, [&](auto& on) {
        compaction_on<execution_type<Where>>::run(on, items, first, paired, classes, total, values,
                                                  outs...);
    });
}

struct select_if_form : counting_algorithm<select_if_form, takes::predicates, 1, 1> {
    using counting_algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, class Out,
              place_of_counts Counts, predicate_of<In> Predicate>
        requires compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last last, Out out, Counts count,
                                   Predicate pred) const {
        const item_count items = detail::count_items(first, last);
        detail::check_compacted(first, out, items.at_most, in_place::allowed);
        detail::compact(where, items, first, no_array{}, by_predicates{detail::to_test<In>(pred)},
                        detail::total_at(count, items), no_array{}, out);
        return detail::once_known(count, [&](std::size_t kept) {
            detail::check_written(kept, first, items.at_most, out);
        });
    }
};

template <class Flags>
concept flags_of_items =
    indexed_input<Flags> && std::constructible_from<bool, std::iter_reference_t<Flags>>;

struct select_flagged_form : counting_algorithm<select_flagged_form, takes::predicates, 2, 1> {
    using counting_algorithm::operator();
    static constexpr const char* paired_name = "flags";

    template <execution Where = cpu, class In, end_of_input<In> Last, flags_of_items Flags,
              class Out, place_of_counts Counts>
        requires compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last last, Flags flags, Out out,
                                   Counts count) const {
        const item_count items = detail::count_items(first, last);
        detail::check_compacted(first, out, items.at_most, in_place::allowed);
        detail::check_compacted(flags, out, items.at_most, in_place::allowed, "array of flags");
        detail::compact(where, items, first, flags, by_flag{}, detail::total_at(count, items),
                        no_array{}, out);
        return detail::once_known(count, [&](std::size_t kept) {
            detail::check_written(kept, first, items.at_most, out);
            detail::check_written(kept, flags, items.at_most, out);
        });
    }
};

struct unique_form : counting_algorithm<unique_form, takes::equality, 1, 1> {
    using counting_algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, class Out,
              place_of_counts Counts, equality_of<In> Equal = equal_to>
        requires compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last last, Out out, Counts count,
                                   Equal equal = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_compacted(first, out, items.at_most, in_place::allowed);
        detail::compact(where, items, first, no_array{}, by_heads{detail::to_compare<In>(equal)},
                        detail::total_at(count, items), no_array{}, out);
        return detail::once_known(count, [&](std::size_t runs) {
            detail::check_written(runs, first, items.at_most, out);
        });
    }
};

/// Refuses an output of keys or values that overlaps the input of the other, or overlaps its own
/// input in a way that is not allowed.
template <class Keys, class Values, class KeysOut, class ValuesOut>
void check_pairs(const Keys& keys, const Values& values, std::size_t items, const KeysOut& keys_out,
                 const ValuesOut& values_out) {
    detail::check_compacted(keys, keys_out, items, in_place::allowed, "array of keys");
    detail::check_compacted(values, values_out, items, in_place::allowed, "array of values");
    detail::check_compacted(keys, values_out, items, in_place::refused, "array of keys");
    detail::check_compacted(values, keys_out, items, in_place::refused, "array of values");
    detail::check_outputs(items, keys_out, values_out);
}
/// The same when the number of results is known.
template <class Keys, class Values, class KeysOut, class ValuesOut>
void check_written_pairs(std::size_t results, const Keys& keys, const Values& values,
                         std::size_t items, const KeysOut& keys_out, const ValuesOut& values_out) {
    detail::check_written(results, keys, items, keys_out, values_out);
    detail::check_written_apart(written{keys_out, results}, written{values_out, results});
    detail::check_written(results, values, items, keys_out, values_out);
}

struct unique_by_key_form : counting_algorithm<unique_by_key_form, takes::equality, 2, 2> {
    using counting_algorithm::operator();

    template <execution Where = cpu, class Keys, end_of_input<Keys> Last, class Values,
              class KeysOut, class ValuesOut, place_of_counts Counts,
              equality_of<Keys> Equal = equal_to>
        requires compactable<Keys, KeysOut> && compactable<Values, ValuesOut>
    result_with<Counts> operator()(Where&& where, Keys keys, Last keys_last, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Counts count,
                                   Equal equal = {}) const {
        const item_count items = detail::count_items(keys, keys_last);
        detail::check_pairs(keys, values, items.at_most, keys_out, values_out);
        detail::compact(where, items, keys, values, by_heads{detail::to_compare<Keys>(equal)},
                        detail::total_at(count, items), values_out, keys_out);
        return detail::once_known(count, [&](std::size_t runs) {
            detail::check_written_pairs(runs, keys, values, items.at_most, keys_out, values_out);
        });
    }
};

}  // namespace detail

/// Copies the items for which `pred` holds to `out`. Returns their number.
///
///     select_if(where, first, last, out, pred)
///     select_if(where, first, last, out, count_to, pred)    returns nothing
///     select_if(where, in, out, ...)                        ranges
inline constexpr detail::select_if_form select_if;

/// Copies the items whose flag, `flags[i]` converted to bool, is true to `out`. Returns their
/// number.
///
///     select_flagged(where, first, last, flags, out)
///     select_flagged(where, first, last, flags, out, count_to)    returns nothing
///     select_flagged(where, in, flags, out, ...)                  ranges
inline constexpr detail::select_flagged_form select_flagged;

/// Copies the first item of each run of equal neighbours to `out`. Returns the number of runs.
///
///     unique(where, first, last, out, equal = equal_to{})
///     unique(where, first, last, out, count_to, equal = equal_to{})    returns nothing
///     unique(where, in, out, ...)                                      ranges
inline constexpr detail::unique_form unique;

/// Copies the first key of each run of equal keys to `keys_out`, and its value to `values_out`.
/// Returns the number of runs.
///
///     unique_by_key(where, keys, keys_last, values, keys_out, values_out, equal = equal_to{})
///     unique_by_key(where, keys, keys_last, values, keys_out, values_out, count_to, equal = ...)
///     unique_by_key(where, keys, values, keys_out, values_out, ...)    ranges
inline constexpr detail::unique_by_key_form unique_by_key;

}  // namespace lookback

#include "lookback/detail/cpu/compaction.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/compaction.hpp"
#endif
