/// \file
/// Selection: copies the items that are wanted, in input order, and returns how many they are.
///
///     select_if        those for which `pred` holds
///     select_flagged   those whose flag is true
///     unique           the first of each run of equal items
///     unique_by_key    the first of each run of equal keys, and its value
///
/// Arguments follow the standard library's order, the execution first. Iterators are random access;
/// `out` takes as many items as are wanted, and nothing else is written there.
///
/// `pred` is called exactly once for each item, and each flag read once, in no order, from several
/// threads at once. Neighbours x, y are compared once, as equal(x, y), the earlier one first: a run
/// ends where that is false. So each NaN is a run of its own under ==, and of items that are equal
/// but not identical the run's first is kept; an `equal` that is no equivalence has its word
/// neighbour by neighbour.
///
/// In place: `out` may be the input itself (for unique_by_key each output its own input), or begin
/// before it and run into it, with items no wider than the input's. Where both are contiguous, an
/// output that begins elsewhere within the input is refused, and one of wider items that has run
/// into it is found, when its length is known: an exception then, too. Behind the last item kept
/// the input is left as it was.
///
/// Work O(n). Each item is read from memory once (a second time from cache: iterators are
/// dereferenced up to three times), each item kept written once. Extra memory: 128 KiB for each
/// thread (128 items where that is more), one or two cache lines for each 64 KiB of input, and one
/// key for as many where runs are looked for. If `pred`, `equal` or a copy throws, the exception
/// reaches the caller, with the outputs partly written.
///
/// Call them by their full names: for iterators of the standard library, a bare `unique` may find
/// std::unique.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps the input as above, two outputs that begin at the same place, or a negative
/// number of threads.
///
/// Source: Merrill & Garland 2016, sections 4.4 and 5.2.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>

#include "lookback/core/arguments.hpp"
#include "lookback/core/classifiers.hpp"
#include "lookback/core/compaction_problem.hpp"
#include "lookback/core/items.hpp"
#include "lookback/core/zip.hpp"
#include "lookback/cpu/single_pass.hpp"
#include "lookback/execution.hpp"

namespace lookback {

namespace detail {

template <class In, class Out>
concept compactable = std::random_access_iterator<In> && std::copyable<std::iter_value_t<In>> &&
    indexed_output<Out, std::iter_value_t<In>>;

template <class Predicate, class In>
concept predicate_of = std::predicate<const Predicate&, std::iter_reference_t<In>>;

template <class Equal, class In>
concept equality_of =
    std::predicate<const Equal&, std::iter_reference_t<In>, std::iter_reference_t<In>>;

template <class In, class Classifier, class Out>
std::size_t select(const cpu& where, In first, std::size_t items, Out out,
                   const Classifier& classifier) {
    return single_pass(where,
                       compaction_problem<In, Classifier, Out>(first, items, classifier, out))[0];
}

}  // namespace detail

/// Copies the items for which `pred` holds to `out`. Returns how many.
template <class In, class Out, detail::predicate_of<In> Predicate>
    requires detail::compactable<In, Out> std::size_t select_if(cpu where, In first, In last,
                                                                Out out, Predicate pred) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, out, items, detail::in_place::allowed);
        const std::size_t kept =
            detail::select(where, first, items, out, detail::by_predicates(first, pred));
        return detail::check_written(kept, first, items, out);
    }

/// Copies the items whose flag, `flags[i]` converted to bool, is true to `out`. Returns how many.
template <class In, std::random_access_iterator Flags, class Out>
    requires detail::compactable<In, Out> &&
        std::constructible_from<bool, std::iter_reference_t<Flags>>
            std::size_t select_flagged(cpu where, In first, In last, Flags flags, Out out) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, out, items, detail::in_place::allowed);
        detail::check_compacted(flags, out, items, detail::in_place::refused);
        const std::size_t kept = detail::select(where, first, items, out, detail::by_flags(flags));
        detail::check_written(kept, first, items, out);
        return detail::check_written(kept, flags, items, out);
    }

/// Copies the first item of each run of equal neighbours to `out`. Returns the number of runs.
template <class In, class Out, detail::equality_of<In> Equal = std::equal_to<>>
    requires detail::compactable<In, Out> std::size_t unique(cpu where, In first, In last, Out out,
                                                             Equal equal = {}) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, out, items, detail::in_place::allowed);
        constexpr std::size_t tile = detail::kept_tile_items<std::iter_value_t<In>>;
        const std::size_t runs = detail::select(
            where, first, items, out, detail::run_heads<tile, In, Equal>(first, items, equal));
        return detail::check_written(runs, first, items, out);
    }

/// Copies the first key of each run of equal neighbours to `keys_out`, and its value to
/// `values_out`. Returns the number of runs.
template <class Keys, class Values, class KeysOut, class ValuesOut,
          detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::compactable<Keys, KeysOut> && detail::compactable<Values, ValuesOut>
        std::size_t unique_by_key(cpu where, Keys keys, Keys keys_last, Values values,
                                  KeysOut keys_out, ValuesOut values_out, Equal equal = {}) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(keys, keys_last);
        if (items == 0) return 0;
        detail::check_compacted(keys, keys_out, items, detail::in_place::allowed);
        detail::check_compacted(values, values_out, items, detail::in_place::allowed);
        detail::check_compacted(keys, values_out, items, detail::in_place::refused);
        detail::check_compacted(values, keys_out, items, detail::in_place::refused);
        detail::check_two_outputs(keys_out, values_out);
        using in = detail::zipped_input<Keys, Values>;
        using pair = typename in::value_type;
        using out = detail::zipped_output<pair, KeysOut, ValuesOut>;
        constexpr std::size_t tile = detail::kept_tile_items<pair>;
        const std::size_t runs =
            detail::select(where, in{keys, values}, items, out{keys_out, values_out},
                           detail::run_heads<tile, Keys, Equal>(keys, items, equal));
        detail::check_written(runs, keys, items, keys_out, values_out);
        return detail::check_written(runs, values, items, keys_out, values_out);
    }

}  // namespace lookback
