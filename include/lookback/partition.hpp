/// \file
/// Partition: copies all items, those for which a predicate holds apart from the rest, each part in
/// input order, and returns how many they are.
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators are random access; or ranges, of which each output is as long as the input.
/// The predicate is called exactly once for each item, in no order, from several threads at once
/// (in a three-way partition, `pred_second` for the items that `pred_first` refuses). No output may
/// overlap the input or another output; one that begins within the input, or as another does, and
/// the output of a partition into one that overlaps the input at all, are refused where both are
/// contiguous.
///
/// Work O(n). Into several outputs, each item is read from memory once (a second time from cache:
/// iterators are dereferenced up to three times) and written once. Into one output, the place of
/// the rest is not known before the last item has been seen: it is written from the output's end
/// backward, then reversed where it lies, so each item of the rest is read and written once more:
/// 2 n + 2 rest items are moved, and no extra memory is needed for it. Extra memory: 128 KiB for
/// each thread and output (128 items where that is more), and one or two cache lines for each 64
/// KiB of input. If a predicate or a copy throws, the exception reaches the caller, with the
/// outputs partly written.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps the input or another output as above, outputs that have run into each
/// other, an output range that is shorter than the input, or a negative number of threads.
///
/// Source: Merrill & Garland 2016, section 5.2.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/classifiers.hpp"
#include "lookback/detail/cpu/compaction_problem.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/partition_counts.hpp"
#include "lookback/select.hpp"

namespace lookback {

/// Copies the items for which `pred` holds to `out_kept`, the others to `out_rest`. Returns how
/// many are kept.
template <class In, class Kept, class Rest, detail::predicate_of<In> Predicate>
    requires detail::compactable<In, Kept> && detail::compactable<In, Rest> std::size_t
    partition_if(cpu where, In first, In last, Kept out_kept, Rest out_rest, Predicate pred) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, out_kept, items, detail::in_place::refused);
        detail::check_compacted(first, out_rest, items, detail::in_place::refused);
        detail::check_two_outputs(out_kept, out_rest);
        const detail::by_predicates classifier(first, pred);
        const std::size_t kept = detail::single_pass(
            where, detail::compaction_problem(first, items, classifier, out_kept, out_rest))[0];
        detail::check_written_apart(out_kept, kept, out_rest, items - kept);
        return kept;
    }

/// Copies the items for which `pred` holds to `out`, then the others behind them. Returns how many
/// are kept. `out` is read again: its items are swapped.
// `last` is taken as it is, or three arrays, which are ranges, would be taken for pointers.
template <class In, class Last, std::random_access_iterator Out, detail::predicate_of<In> Predicate>
    requires std::same_as<std::remove_cvref_t<Last>, In> && detail::compactable<In, Out> &&
        std::indirectly_swappable<Out>
            std::size_t partition_if(cpu where, In first, Last&& last, Out out, Predicate pred) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return 0;
        detail::check_compacted(first, out, items, detail::in_place::refused);
        detail::check_apart(first, items, "input", out, items);
        const auto at = [&](std::size_t i) {
            return out + static_cast<std::iter_difference_t<Out>>(i);
        };
        const std::size_t kept = lookback::partition_if(
            where, first, last, out, std::make_reverse_iterator(at(items)), pred);
        // Each pair is swapped once.
        const std::size_t rest = items - kept;
        detail::for_shares(where, rest / 2, detail::kept_tile_items<std::iter_value_t<Out>>,
                           [&](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) {
                                   std::ranges::iter_swap(at(kept + i), at(items - 1 - i));
                               }
                           });
        return kept;
    }

/// Three-way: copies the items for which `pred_first` holds to `out_first`, of the others those for
/// which `pred_second` holds to `out_second`, and what remains to `out_rest`.
template <class In, class First, class Second, class Rest, detail::predicate_of<In> PredicateFirst,
          detail::predicate_of<In> PredicateSecond>
    requires detail::compactable<In, First> && detail::compactable<In, Second> &&
        detail::compactable<In, Rest>
            partition_counts partition_if(cpu where, In first, In last, First out_first,
                                          Second out_second, Rest out_rest,
                                          PredicateFirst pred_first, PredicateSecond pred_second) {
        detail::check_threads(where.threads);
        const std::size_t items = detail::checked_count(first, last);
        if (items == 0) return {0, 0};
        detail::check_compacted(first, out_first, items, detail::in_place::refused);
        detail::check_compacted(first, out_second, items, detail::in_place::refused);
        detail::check_compacted(first, out_rest, items, detail::in_place::refused);
        detail::check_two_outputs(out_first, out_second);
        detail::check_two_outputs(out_first, out_rest);
        detail::check_two_outputs(out_second, out_rest);
        const detail::by_predicates classifier(first, pred_first, pred_second);
        const auto counts = detail::single_pass(
            where,
            detail::compaction_problem(first, items, classifier, out_first, out_second, out_rest));
        const std::size_t rest = items - counts[0] - counts[1];
        detail::check_written_apart(out_first, counts[0], out_second, counts[1]);
        detail::check_written_apart(out_first, counts[0], out_rest, rest);
        detail::check_written_apart(out_second, counts[1], out_rest, rest);
        return {counts[0], counts[1]};
    }

/// The same of ranges: each output is at least as long as the input.
template <detail::sized_input In, detail::sized_output Kept, detail::sized_output Rest,
          detail::predicate_of<detail::iterator_of<In>> Predicate>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<Kept>> &&
        detail::compactable<detail::iterator_of<In>, detail::iterator_of<Rest>>
            std::size_t partition_if(cpu where, In&& in, Kept&& out_kept, Rest&& out_rest,
                                     Predicate pred) {
        detail::check_room(in, out_kept, out_rest);
        return lookback::partition_if(where, std::ranges::begin(in), detail::end_of(in),
                                      std::ranges::begin(out_kept), std::ranges::begin(out_rest),
                                      pred);
    }
template <detail::sized_input In, detail::sized_output Out,
          detail::predicate_of<detail::iterator_of<In>> Predicate>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<Out>> &&
        std::indirectly_swappable<detail::iterator_of<Out>>
            std::size_t partition_if(cpu where, In&& in, Out&& out, Predicate pred) {
        detail::check_room(in, out);
        return lookback::partition_if(where, std::ranges::begin(in), detail::end_of(in),
                                      std::ranges::begin(out), pred);
    }
template <detail::sized_input In, detail::sized_output First, detail::sized_output Second,
          detail::sized_output Rest, detail::predicate_of<detail::iterator_of<In>> PredicateFirst,
          detail::predicate_of<detail::iterator_of<In>> PredicateSecond>
    requires detail::compactable<detail::iterator_of<In>, detail::iterator_of<First>> &&
        detail::compactable<detail::iterator_of<In>, detail::iterator_of<Second>> &&
        detail::compactable<detail::iterator_of<In>, detail::iterator_of<Rest>>
            partition_counts partition_if(cpu where, In&& in, First&& out_first,
                                          Second&& out_second, Rest&& out_rest,
                                          PredicateFirst pred_first, PredicateSecond pred_second) {
        detail::check_room(in, out_first, out_second, out_rest);
        return lookback::partition_if(where, std::ranges::begin(in), detail::end_of(in),
                                      std::ranges::begin(out_first), std::ranges::begin(out_second),
                                      std::ranges::begin(out_rest), pred_first, pred_second);
    }

/// The same on all cores.
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto partition_if(First&& first, Rest&&... rest)
    -> decltype(lookback::partition_if(cpu{}, std::forward<First>(first),
                                       std::forward<Rest>(rest)...)) {
    return lookback::partition_if(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}

/// Any other call does not compile: `Why` says what is wrong with it.
template <class... A, class Why = detail::why_refused<detail::takes::predicates, 1, A...>>
void partition_if(A&&...) = delete;

}  // namespace lookback
