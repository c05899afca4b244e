/// \file
/// Runs: stretches of equal neighbours, and the folds of what belongs to them.
///
///     run_length_encode   the first item of each run, and the run's length
///     nontrivial_runs     where each run of two items or more begins, and its length
///     reduce_by_key       the first key of each run of equal keys, and the fold of the run's
///     values
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators are random access; outputs take as many items as there are runs, and nothing
/// else is written there. Or ranges, of which outputs have room for as many runs as there can be.
/// All return the number of runs that they have written.
///
/// Neighbours x, y are compared as equal(x, y), the earlier one first; a run ends where that is
/// false. So each NaN is a run of its own under ==; of keys that are equal but not identical the
/// run's first is kept; an `equal` that is no equivalence has its word neighbour by neighbour.
/// run_length_encode and reduce_by_key compare once, nontrivial_runs about once.
///
/// The folds of reduce_by_key accumulate in what `op` returns for two values, so
/// plus<std::uint64_t> sums bytes into 64 bits. `op` must be associative and need not commute. A
/// float sum has the same bits in every run, for any number of threads: a run is folded
/// from left to right, eight items or 64 bytes at a time, and where it crosses tiles
/// ((a · b) · c) ..., the folds of its parts from left to right (docs/design.md, "The tree").
/// Lengths are counted in std::size_t and converted on assignment.
///
/// In place: `values_out` of run_length_encode may be its input, and each output of reduce_by_key
/// its own input, or begin before it and run into it, with items no wider than the input's. Where
/// both are contiguous, an output that begins elsewhere within an input is refused, and one of
/// wider items, such as lengths, that has run into it is found, when its length is known: an
/// exception then, too.
///
/// Work O(n). Each item is read from memory once (iterators are dereferenced up to three times),
/// each result written once. Extra memory: 512 KiB for each thread (128 items where that is more),
/// and one to three cache lines and a key for each 256 KiB of keys and folds, or of keys and
/// positions of 4 bytes. If `op`, `equal` or a copy throws, the exception reaches the caller, with
/// the outputs partly written.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps the input as above, two outputs that begin at the same place or have run
/// into each other, a range that is too short, or a negative number of threads.
///
/// Source: Merrill & Garland 2016, section 5.2.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/classifiers.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/run_folds.hpp"
#include "lookback/detail/cpu/run_lengths.hpp"
#include "lookback/detail/cpu/run_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"

namespace lookback {

namespace detail {

// Writes what is made of all runs; returns their number. An array that comes in pieces has a run
// `before` (detail/cpu/run_problem.hpp) from its second piece on; the outputs then take one item more.
template <class Results, class Heads>
std::size_t write_runs(
    const cpu& where, const Results& results, std::size_t items, const Heads& heads,
    const std::optional<run_state<typename Results::value_type>>& before = std::nullopt) {
    auto all = detail::single_pass(where, run_problem(results, items, heads, before));
    results.close(all.runs - 1, std::move(all.fold));
    return all.runs;
}

template <class T, class Keys, class Values, class Heads, class KeysOut, class FoldsOut, class Op>
std::size_t fold_runs(const cpu& where, Keys keys, std::size_t items, Values values,
                      const Heads& heads, KeysOut keys_out, FoldsOut folds_out, const Op& op,
                      const std::optional<run_state<T>>& before = std::nullopt) {
    using folds = run_folds<Keys, Values, KeysOut, FoldsOut, T, Op>;
    return detail::write_runs(where, folds(keys, items, values, keys_out, folds_out, op), items,
                              heads, before);
}

}  // namespace detail

/// Writes the first item of each run of equal neighbours to `values_out`, and the run's length to
/// `lengths_out`. Returns the number of runs.
template <class In, class ValuesOut, class LengthsOut,
          detail::equality_of<In> Equal = std::equal_to<>>
    requires detail::compactable<In, ValuesOut> && detail::indexed_output<LengthsOut, std::size_t>
        std::size_t run_length_encode(cpu where, In first, In last, ValuesOut values_out,
                                      LengthsOut lengths_out, Equal equal = {}) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, values_out, items, detail::in_place::allowed);
        detail::check_compacted(first, lengths_out, items, detail::in_place::refused);
        detail::check_two_outputs(values_out, lengths_out);
        using lengths = detail::run_lengths<In, ValuesOut, LengthsOut>;
        const detail::run_heads<lengths::tile_items, In, Equal> heads(first, items, equal);
        const std::size_t runs =
            detail::write_runs(where, lengths(first, items, values_out, lengths_out), items, heads);
        detail::check_written_apart(values_out, runs, lengths_out, runs);
        return detail::check_written(runs, first, items, values_out, lengths_out);
    }

/// Writes the position of the first item of each run of two items or more to `offsets_out`, and the
/// run's length to `lengths_out`. Returns the number of such runs.
template <std::random_access_iterator In, class OffsetsOut, class LengthsOut,
          detail::equality_of<In> Equal = std::equal_to<>>
    requires detail::indexed_output<OffsetsOut, std::size_t> &&
        detail::indexed_output<LengthsOut, std::size_t>
            std::size_t nontrivial_runs(cpu where, In first, In last, OffsetsOut offsets_out,
                                        LengthsOut lengths_out, Equal equal = {}) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, offsets_out, items, detail::in_place::refused);
        detail::check_compacted(first, lengths_out, items, detail::in_place::refused);
        detail::check_two_outputs(offsets_out, lengths_out);
        const detail::nontrivial_run_lengths results(items, offsets_out, lengths_out);
        const detail::head_changes<In, Equal> begins(first, equal);
        const std::size_t runs = detail::write_runs(where, results, items, begins) / 2;
        detail::check_written_apart(offsets_out, runs, lengths_out, runs);
        return detail::check_written(runs, first, items, offsets_out, lengths_out);
    }

/// Writes the first key of each run of equal neighbours to `keys_out`, and the fold of its values
/// to `values_out`. Returns the number of runs.
template <class Keys, std::random_access_iterator Values, class KeysOut, class ValuesOut,
          class Op = plus<>, detail::equality_of<Keys> Equal = std::equal_to<>>
    requires detail::compactable<Keys, KeysOut> &&
        detail::scannable<Values, ValuesOut, scan_accumulator<Values, Op>, Op>
            std::size_t reduce_by_key(cpu where, Keys keys, Keys keys_last, Values values,
                                      KeysOut keys_out, ValuesOut values_out, Op op = {},
                                      Equal equal = {}) {
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
        using T = scan_accumulator<Values, Op>;
        constexpr std::size_t tile = detail::run_tile_items<std::iter_value_t<Keys>, T>;
        const detail::run_heads<tile, Keys, Equal> heads(keys, items, equal);
        const std::size_t runs =
            detail::fold_runs<T>(where, keys, items, values, heads, keys_out, values_out, op);
        detail::check_written(runs, keys, items, keys_out, values_out);
        detail::check_written_apart(keys_out, runs, values_out, runs);
        return detail::check_written(runs, values, items, keys_out, values_out);
    }

/// The same of ranges: outputs are at least as long as the input (half as long for
/// nontrivial_runs), and there is a value for each key.
template <detail::sized_input In, detail::sized_output ValuesOut, detail::sized_output LengthsOut,
          detail::equality_of<detail::iterator_of<In>> Equal = std::equal_to<>>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<ValuesOut>> &&
        detail::indexed_output<detail::iterator_of<LengthsOut>, std::size_t>
            std::size_t run_length_encode(cpu where, In&& in, ValuesOut&& values_out,
                                          LengthsOut&& lengths_out, Equal equal = {}) {
        detail::check_room(in, values_out, lengths_out);
        return lookback::run_length_encode(where, std::ranges::begin(in), detail::end_of(in),
                                           std::ranges::begin(values_out),
                                           std::ranges::begin(lengths_out), equal);
    }
template <detail::sized_input In, detail::sized_output OffsetsOut, detail::sized_output LengthsOut,
          detail::equality_of<detail::iterator_of<In>> Equal = std::equal_to<>>
    requires detail::indexed_output<detail::iterator_of<OffsetsOut>, std::size_t> &&
        detail::indexed_output<detail::iterator_of<LengthsOut>, std::size_t>
            std::size_t nontrivial_runs(cpu where, In&& in, OffsetsOut&& offsets_out,
                                        LengthsOut&& lengths_out, Equal equal = {}) {
        const std::size_t most = detail::size_of(in) / 2;
        detail::check_room_for(most, detail::size_of(offsets_out));
        detail::check_room_for(most, detail::size_of(lengths_out));
        return lookback::nontrivial_runs(where, std::ranges::begin(in), detail::end_of(in),
                                         std::ranges::begin(offsets_out),
                                         std::ranges::begin(lengths_out), equal);
    }
template <detail::sized_input Keys, detail::sized_input Values, detail::sized_output KeysOut,
          detail::sized_output ValuesOut, class Op = plus<>,
          detail::equality_of<detail::iterator_of<Keys>> Equal = std::equal_to<>>
    requires detail::compactable<detail::iterator_of<Keys>, detail::iterator_of<KeysOut>> &&
        detail::scannable<detail::iterator_of<Values>, detail::iterator_of<ValuesOut>,
                          scan_accumulator<detail::iterator_of<Values>, Op>, Op>
            std::size_t reduce_by_key(cpu where, Keys&& keys, Values&& values, KeysOut&& keys_out,
                                      ValuesOut&& values_out, Op op = {}, Equal equal = {}) {
        detail::check_one_for_each(keys, values, "values");
        detail::check_room(keys, keys_out, values_out);
        return lookback::reduce_by_key(where, std::ranges::begin(keys), detail::end_of(keys),
                                       std::ranges::begin(values), std::ranges::begin(keys_out),
                                       std::ranges::begin(values_out), op, equal);
    }

/// The same on all cores.
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto run_length_encode(First&& first, Rest&&... rest)
    -> decltype(lookback::run_length_encode(cpu{}, std::forward<First>(first),
                                            std::forward<Rest>(rest)...)) {
    return lookback::run_length_encode(cpu{}, std::forward<First>(first),
                                       std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto nontrivial_runs(First&& first, Rest&&... rest)
    -> decltype(lookback::nontrivial_runs(cpu{}, std::forward<First>(first),
                                          std::forward<Rest>(rest)...)) {
    return lookback::nontrivial_runs(cpu{}, std::forward<First>(first),
                                     std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto reduce_by_key(First&& first, Rest&&... rest)
    -> decltype(lookback::reduce_by_key(cpu{}, std::forward<First>(first),
                                        std::forward<Rest>(rest)...)) {
    return lookback::reduce_by_key(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}

/// Any other call does not compile: `Why` says what is wrong with it.
template <class... A, class Why = detail::why_refused<detail::takes::equality, 1, A...>>
void run_length_encode(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::equality, 1, A...>>
void nontrivial_runs(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::operators, 2, A...>>
void reduce_by_key(A&&...) = delete;

}  // namespace lookback
