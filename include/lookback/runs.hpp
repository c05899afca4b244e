/// \file
/// Runs are stretches of equal neighbours. These functions find runs and fold the values that
/// belong to them.
///
///     run_length_encode   the first item of each run, and the run's length
///     nontrivial_runs     where each run of two items or more begins, and its length
///     reduce_by_key       the first key of each run of equal keys, and the fold of its values
///
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Iterators are random access. Outputs take as many items as there are runs,
/// and nothing else is written there. In calls with ranges, outputs have room for as many runs as
/// there can be. Each function returns the number of runs that it has written.
///
/// Neighbours x, y are compared as equal(x, y), the earlier one first; a run ends where that is
/// false. So under == each NaN is a run of its own. Of keys that are equal but not identical, the
/// first of the run is kept. `equal` need not be an equivalence: only its answers for neighbours
/// count. run_length_encode and reduce_by_key compare each pair of neighbours once, nontrivial_runs
/// about once.
///
/// reduce_by_key accumulates in the type that `op` returns for two values, so plus<std::uint64_t>
/// sums bytes into 64 bits. `op` must be associative and need not commute. A float sum has the same
/// bits in every run, for any number of threads. A run is folded from left to right, by eight items
/// or 64 bytes at a time. If it crosses tiles, the folds of its parts are combined from left to
/// right, ((a · b) · c) ... (docs/design.md, "The tree"). Lengths are counted in std::size_t and
/// converted on assignment.
///
/// In place: `values_out` of run_length_encode may be its input, and each output of reduce_by_key
/// may be its own input. Such an output may also begin before its input and run into it, if its
/// items are no wider than the input's. Where both are contiguous, an output that begins elsewhere
/// within an input is refused. An output of wider items, such as lengths, that has run into an
/// input is detected when its length is known; the call then throws, too.
///
/// Work O(n). Each item is read from memory once (iterators are dereferenced up to three times),
/// each result is written once. Extra memory: 512 KiB for each thread (128 items where these are
/// more), and one to three cache lines and a key for each 256 KiB of keys and folds, or of keys and
/// positions of 4 bytes. If `op`, `equal` or a copy throws, the exception reaches the caller, and
/// the outputs are partly written.
///
/// Numbers of items and of results in memory, and what may be passed on a GPU: as in select.hpp. On
/// a GPU, values and keys together have at most 56 bytes. An accumulator is no smaller than a
/// value. (For a lambda whose result type nvcc hides, the accumulator is the type of a value.) Some
/// lengths are first written as 1 and then overwritten. The tree of a float fold depends on where
/// the items lie among tiles, as in a scan. nontrivial_runs compares some neighbours twice. One
/// kernel launch.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps the input as above, two outputs that begin at the same place or have run
/// into each other, a range that is too short, or a negative number of threads.
///
/// Source: Merrill & Garland 2016, section 5.2.
#pragma once

#include <cstddef>
#include <iterator>

#include "lookback/select.hpp"

namespace lookback {
namespace detail {

/// How an execution works on runs: specialised in detail/cpu/runs.hpp and detail/device/runs.hpp.
template <class Execution>
struct runs_on;

/// The type that values are folded in: the result of `op` on two values, or the type of a value
/// where a lambda hides its result.
template <class Values, class Op>
struct run_accumulator_of {};
template <class Values, class Op>
    requires(!hides_its_result<Op>) && requires { typename scan_accumulator<Values, Op>; }
struct run_accumulator_of<Values, Op> {
    using type = scan_accumulator<Values, Op>;
};
template <class Values, class Op>
    requires hides_its_result<Op>
struct run_accumulator_of<Values, Op> {
    using type = std::iter_value_t<Values>;
};
template <class Values, class Op>
using run_accumulator = typename run_accumulator_of<Values, Op>::type;

struct run_length_encode_form : counting_algorithm<run_length_encode_form, takes::equality, 1, 2> {
    using counting_algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, class ValuesOut,
              class LengthsOut, place_of_counts Counts, equality_of<In> Equal = equal_to>
        requires compactable<In, ValuesOut> && indexed_output<LengthsOut, std::size_t>
    result_with<Counts> operator()(Where&& where, In first, Last last, ValuesOut values_out,
                                   LengthsOut lengths_out, Counts count, Equal equal = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_compacted(first, values_out, items.at_most, in_place::allowed);
        detail::check_compacted(first, lengths_out, items.at_most, in_place::refused);
        detail::check_outputs(items.at_most, values_out, lengths_out);
        detail::in_one_call(where, [&](auto& on) {
            runs_on<execution_type<Where>>::lengths(on, items, first, values_out, lengths_out,
                                                    detail::total_at(count, items),
                                                    detail::to_compare<In>(equal));
        });
        return detail::once_known(count, [&](std::size_t runs) {
            detail::check_written_apart(written{values_out, runs}, written{lengths_out, runs});
            detail::check_written(runs, first, items.at_most, values_out, lengths_out);
        });
    }
};

struct nontrivial_runs_form : counting_algorithm<nontrivial_runs_form, takes::equality, 1, 2> {
    using counting_algorithm::operator();
    static constexpr std::size_t room_for(std::size_t items) { return items / 2; }

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last, class OffsetsOut,
              class LengthsOut, place_of_counts Counts, equality_of<In> Equal = equal_to>
        requires indexed_output<OffsetsOut, std::size_t> && indexed_output<LengthsOut, std::size_t>
    result_with<Counts> operator()(Where&& where, In first, Last last, OffsetsOut offsets_out,
                                   LengthsOut lengths_out, Counts count, Equal equal = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_compacted(first, offsets_out, items.at_most, in_place::refused);
        detail::check_compacted(first, lengths_out, items.at_most, in_place::refused);
        detail::check_outputs(items.at_most, offsets_out, lengths_out);
        detail::in_one_call(where, [&](auto& on) {
            runs_on<execution_type<Where>>::nontrivial(on, items, first, offsets_out, lengths_out,
                                                       detail::total_at(count, items),
                                                       detail::to_compare<In>(equal));
        });
        return detail::once_known(count, [&](std::size_t runs) {
            detail::check_written_apart(written{offsets_out, runs}, written{lengths_out, runs});
            detail::check_written(runs, first, items.at_most, offsets_out, lengths_out);
        });
    }
};

struct reduce_by_key_form : counting_algorithm<reduce_by_key_form, takes::operators, 2, 2> {
    using counting_algorithm::operator();

    template <execution Where = cpu, class Keys, end_of_input<Keys> Last, indexed_input Values,
              class KeysOut, class ValuesOut, place_of_counts Counts, class Op = plus<>,
              equality_of<Keys> Equal = equal_to>
        requires compactable<Keys, KeysOut> &&
                 scannable<Values, ValuesOut, run_accumulator<Values, Op>, Op>
    result_with<Counts> operator()(Where&& where, Keys keys, Last keys_last, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Counts count, Op op = {},
                                   Equal equal = {}) const {
        const item_count items = detail::count_items(keys, keys_last);
        detail::check_pairs(keys, values, items.at_most, keys_out, values_out);
        detail::in_one_call(where, [&](auto& on) {
            runs_on<execution_type<Where>>::template folds<run_accumulator<Values, Op>>(
                on, items, keys, values, keys_out, values_out, detail::total_at(count, items),
                detail::to_fold<run_accumulator<Values, Op>>(op), detail::to_compare<Keys>(equal));
        });
        return detail::once_known(count, [&](std::size_t runs) {
            detail::check_written_pairs(runs, keys, values, items.at_most, keys_out, values_out);
        });
    }
};

}  // namespace detail

/// Writes the first item of each run of equal neighbours to `values_out`, and the run's length to
/// `lengths_out`. Returns the number of runs.
///
///     run_length_encode(where, first, last, values_out, lengths_out, equal = equal_to{})
///     run_length_encode(where, first, last, values_out, lengths_out, count_to, equal = ...)
///     run_length_encode(where, in, values_out, lengths_out, ...)    ranges
inline constexpr detail::run_length_encode_form run_length_encode;

/// Writes the position of the first item of each run of two items or more to `offsets_out`, and the
/// run's length to `lengths_out`. Returns the number of such runs. It takes the same arguments as
/// run_length_encode; output ranges are at least half as long as the input.
inline constexpr detail::nontrivial_runs_form nontrivial_runs;

/// Writes the first key of each run of equal keys to `keys_out`, and the fold of the run's values
/// to `values_out`. Returns the number of runs.
///
///     reduce_by_key(where, keys, keys_last, values, keys_out, values_out, op = plus<>{},
///                   equal = equal_to{})
///     reduce_by_key(where, keys, keys_last, values, keys_out, values_out, count_to, op = ...)
///     reduce_by_key(where, keys, values, keys_out, values_out, ...)    ranges
inline constexpr detail::reduce_by_key_form reduce_by_key;

}  // namespace lookback

#include "lookback/detail/cpu/runs.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/runs.hpp"
#endif
