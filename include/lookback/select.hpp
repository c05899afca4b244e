/// \file
/// Selection: copies the items that are wanted, in input order, and returns how many they are.
///
///     select_if        those for which `pred` holds
///     select_flagged   those whose flag is true
///     unique           the first of each run of equal items
///     unique_by_key    the first of each run of equal keys, and its value
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators are random access; `out` takes as many items as are wanted, and nothing else is
/// written there. Or ranges, of which an output is as long as the input.
///
/// `pred` is called exactly once for each item, and each flag read once, in no order, from several
/// threads at once. Neighbours x, y are compared once, as equal(x, y), the earlier one first: a run
/// ends where that is false. So each NaN is a run of its own under ==, and of items that are equal
/// but not identical the run's first is kept; an `equal` that is no equivalence has its word
/// neighbour by neighbour.
///
/// In place: `out` may be the input itself (for unique_by_key each output its own input; for
/// select_flagged the input, the flags, or both), or begin before it and run into it, with items no
/// wider than the input's. Where both are contiguous, an output that begins elsewhere within the
/// input is refused, and one of wider items that has run into it is found, when its length is
/// known: an exception then, too. Behind the last item kept the input is left as it was.
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
/// output that overlaps the input as above, two outputs that begin at the same place or have run
/// into each other, a range that is too short, or a negative number of threads.
///
/// Source: Merrill & Garland 2016, sections 4.4 and 5.2.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/classifiers.hpp"
#include "lookback/detail/cpu/compaction_problem.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/zip.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"

namespace lookback {

namespace detail {

template <class In, class Classifier, class Out>
std::size_t select(const cpu& where, In first, std::size_t items, Out out,
                   const Classifier& classifier) {
    return detail::single_pass(
        where, compaction_problem<In, Classifier, Out>(first, items, classifier, out))[0];
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
        detail::check_compacted(flags, out, items, detail::in_place::allowed, "array of flags");
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
        detail::check_compacted(keys, keys_out, items, detail::in_place::allowed, "array of keys");
        detail::check_compacted(values, values_out, items, detail::in_place::allowed,
                                "array of values");
        detail::check_compacted(keys, values_out, items, detail::in_place::refused,
                                "array of keys");
        detail::check_compacted(values, keys_out, items, detail::in_place::refused,
                                "array of values");
        detail::check_two_outputs(keys_out, values_out);
        using in = detail::zipped_input<Keys, Values>;
        using pair = typename in::value_type;
        using out = detail::zipped_output<pair, KeysOut, ValuesOut>;
        constexpr std::size_t tile = detail::kept_tile_items<pair>;
        const std::size_t runs =
            detail::select(where, in{keys, values}, items, out{keys_out, values_out},
                           detail::run_heads<tile, Keys, Equal>(keys, items, equal));
        detail::check_written(runs, keys, items, keys_out, values_out);
        detail::check_written_apart(keys_out, runs, values_out, runs);
        return detail::check_written(runs, values, items, keys_out, values_out);
    }

/// The same of ranges: outputs are at least as long as the input, and there is a flag or a value
/// for each item.
template <detail::sized_input In, detail::sized_output Out,
          detail::predicate_of<detail::iterator_of<In>> Predicate>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<Out>> std::size_t
    select_if(cpu where, In&& in, Out&& out, Predicate pred) {
        detail::check_room(in, out);
        return lookback::select_if(where, std::ranges::begin(in), detail::end_of(in),
                                   std::ranges::begin(out), pred);
    }
template <detail::sized_input In, detail::sized_input Flags, detail::sized_output Out>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<Out>> &&
        std::constructible_from<bool, std::ranges::range_reference_t<Flags>>
            std::size_t select_flagged(cpu where, In&& in, Flags&& flags, Out&& out) {
        detail::check_one_for_each(in, flags, "flags");
        detail::check_room(in, out);
        return lookback::select_flagged(where, std::ranges::begin(in), detail::end_of(in),
                                        std::ranges::begin(flags), std::ranges::begin(out));
    }
template <detail::sized_input In, detail::sized_output Out,
          detail::equality_of<detail::iterator_of<In>> Equal = std::equal_to<>>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<Out>> std::size_t
    unique(cpu where, In&& in, Out&& out, Equal equal = {}) {
        detail::check_room(in, out);
        return lookback::unique(where, std::ranges::begin(in), detail::end_of(in),
                                std::ranges::begin(out), equal);
    }
template <detail::sized_input Keys, detail::sized_input Values, detail::sized_output KeysOut,
          detail::sized_output ValuesOut,
          detail::equality_of<detail::iterator_of<Keys>> Equal = std::equal_to<>>
    requires detail::compactable<detail::iterator_of<Keys>, detail::iterator_of<KeysOut>> &&
        detail::compactable<detail::iterator_of<Values>, detail::iterator_of<ValuesOut>>
            std::size_t unique_by_key(cpu where, Keys&& keys, Values&& values, KeysOut&& keys_out,
                                      ValuesOut&& values_out, Equal equal = {}) {
        detail::check_one_for_each(keys, values, "values");
        detail::check_room(keys, keys_out, values_out);
        return lookback::unique_by_key(where, std::ranges::begin(keys), detail::end_of(keys),
                                       std::ranges::begin(values), std::ranges::begin(keys_out),
                                       std::ranges::begin(values_out), equal);
    }

/// The same on all cores.
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto select_if(First&& first, Rest&&... rest)
    -> decltype(lookback::select_if(cpu{}, std::forward<First>(first),
                                    std::forward<Rest>(rest)...)) {
    return lookback::select_if(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto select_flagged(First&& first, Rest&&... rest)
    -> decltype(lookback::select_flagged(cpu{}, std::forward<First>(first),
                                         std::forward<Rest>(rest)...)) {
    return lookback::select_flagged(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto unique(First&& first, Rest&&... rest)
    -> decltype(lookback::unique(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...)) {
    return lookback::unique(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto unique_by_key(First&& first, Rest&&... rest)
    -> decltype(lookback::unique_by_key(cpu{}, std::forward<First>(first),
                                        std::forward<Rest>(rest)...)) {
    return lookback::unique_by_key(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}

/// Any other call does not compile: `Why` says what is wrong with it.
template <class... A, class Why = detail::why_refused<detail::takes::predicates, 1, A...>>
void select_if(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::predicates, 2, A...>>
void select_flagged(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::equality, 1, A...>>
void unique(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::equality, 2, A...>>
void unique_by_key(A&&...) = delete;

}  // namespace lookback
