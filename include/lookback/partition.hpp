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
/// Numbers of items and of results in memory, and what may be passed on a GPU: as in select.hpp. On
/// a GPU one kernel launch; into one output, which is written forward, two.
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
#include <type_traits>

#include "lookback/select.hpp"

namespace lookback {
namespace detail {

template <class In, class... Outs>
void check_parts(const In& first, std::size_t items, const Outs&... outs) {
    (detail::check_compacted(first, outs, items, in_place::refused), ...);
}

struct partition_if_form : algorithm<partition_if_form, takes::predicates, 1, 3> {
    using algorithm::operator();

    // Into two outputs.
    template <execution Where = cpu, class In, end_of_input<In> Last, class Kept, class Rest,
              class N, predicate_of<In> Predicate>
        requires compactable<In, Kept> && compactable<In, Rest>
    void operator()(Where&& where, In first, Last last, Kept out_kept, Rest out_rest,
                    count_to<N> count, Predicate pred) const {
        run(where, first, last, out_kept, out_rest, count, pred);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, class Kept, class Rest,
              predicate_of<In> Predicate>
        requires compactable<In, Kept> && compactable<In, Rest>
    std::size_t operator()(Where&& where, In first, Last last, Kept out_kept, Rest out_rest,
                           Predicate pred) const {
        const std::size_t kept = detail::counted<1>(where, [&](auto count) {
            run(where, first, last, out_kept, out_rest, count, pred);
        })[0];
        if constexpr (std::same_as<Last, In>) {
            const std::size_t items = detail::count_items(first, last).at_most;
            detail::check_written_apart(out_kept, kept, out_rest, items - kept);
        }
        return kept;
    }

    // Into one: the rest is written from the end backwards, then turned around.
    // `last` is taken as it is, or three arrays, which are ranges, would be taken for pointers.
    template <execution Where = cpu, class In, class Last, std::random_access_iterator Out, class N,
              predicate_of<In> Predicate>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out> &&
                 std::indirectly_swappable<Out>
    void operator()(Where&& execution, In first, Last&& last, Out out, count_to<N> count,
                    Predicate pred) const {
        run(execution, first, last, out, count, pred);
    }
    template <execution Where = cpu, class In, class Last, std::random_access_iterator Out,
              predicate_of<In> Predicate>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out> &&
                 std::indirectly_swappable<Out>
    std::size_t operator()(Where&& where, In first, Last&& last, Out out, Predicate pred) const {
        return detail::counted<1>(
            where, [&](auto count) { run(where, first, last, out, count, pred); })[0];
    }

    // Three-way.
    template <execution Where = cpu, class In, end_of_input<In> Last, class First, class Second,
              class Rest, class N, predicate_of<In> PredFirst, predicate_of<In> PredSecond>
        requires compactable<In, First> && compactable<In, Second> && compactable<In, Rest>
    void operator()(Where&& where, In first, Last last, First out_first, Second out_second,
                    Rest out_rest, count_to<N> counts, PredFirst pred_first,
                    PredSecond pred_second) const {
        run(where, first, last, out_first, out_second, out_rest, counts, pred_first, pred_second);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, class First, class Second,
              class Rest, predicate_of<In> PredFirst, predicate_of<In> PredSecond>
        requires compactable<In, First> && compactable<In, Second> && compactable<In, Rest>
    partition_counts operator()(Where&& where, In first, Last last, First out_first,
                                Second out_second, Rest out_rest, PredFirst pred_first,
                                PredSecond pred_second) const {
        const auto kept = detail::counted<2>(where, [&](auto counts) {
            run(where, first, last, out_first, out_second, out_rest, counts, pred_first,
                pred_second);
        });
        detail::check_written_apart(out_first, kept[0], out_second, kept[1]);
        if constexpr (std::same_as<Last, In>) {
            const std::size_t items = detail::count_items(first, last).at_most;
            const std::size_t rest = items - kept[0] - kept[1];
            detail::check_written_apart(out_first, kept[0], out_rest, rest);
            detail::check_written_apart(out_second, kept[1], out_rest, rest);
        }
        return {kept[0], kept[1]};
    }

 private:
    static void run(auto& where, const auto& first, const auto& last, const auto& out_kept,
                    const auto& out_rest, auto count, const auto& pred) {
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out_kept, out_rest);
        if (items.at_most > 0) detail::check_two_outputs(out_kept, out_rest);
        detail::compact(where, items, first, no_array{}, by_predicates<decltype(pred)>{pred},
                        detail::total_at(count, items), no_array{}, out_kept, out_rest);
    }
    static void run(auto& execution, const auto& first, const auto& last, const auto& out,
                    auto count, const auto& pred) {
        auto&& where = execution_of(execution);
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out);
        detail::check_apart(first, items.at_most, "input", out, items.at_most);
        [[maybe_unused]] const auto whole =
            calls_on<execution_type<decltype(execution)>>::begin(where);
        detail::compact(
            where, items, first, no_array{}, by_predicates<decltype(pred)>{pred},
            detail::total_at(count, items), no_array{}, out,
            std::make_reverse_iterator(
                out + static_cast<std::iter_difference_t<std::remove_cvref_t<decltype(out)>>>(
                          items.at_most)));
        compaction_on<execution_type<decltype(execution)>>::turn_rest(where, items, out, count);
    }
    static void run(auto& where, const auto& first, const auto& last, const auto& out_first,
                    const auto& out_second, const auto& out_rest, auto counts,
                    const auto& pred_first, const auto& pred_second) {
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out_first, out_second, out_rest);
        if (items.at_most > 0) {
            detail::check_two_outputs(out_first, out_second);
            detail::check_two_outputs(out_first, out_rest);
            detail::check_two_outputs(out_second, out_rest);
        }
        detail::compact(
            where, items, first, no_array{},
            by_predicates<decltype(pred_first), decltype(pred_second)>{pred_first, pred_second},
            detail::total_at(counts, items, 2), no_array{}, out_first, out_second, out_rest);
    }
};

}  // namespace detail

/// Copies the items for which `pred` holds to one output and the others to another, or behind them.
/// Three-way, those of the others for which `pred_second` holds to a second output, and what
/// remains to a third. Returns how many are kept; of a three-way partition, partition_counts.
///
///     partition_if(where, first, last, out_kept, out_rest, pred)
///     partition_if(where, first, last, out, pred)    into one output, which is read again
///     partition_if(where, first, last, out_first, out_second, out_rest, pred_first, pred_second)
///     partition_if(where, ..., count_to, pred...)    returns nothing; three-way, leaves two counts
///     partition_if(where, in, out...)                ranges
inline constexpr detail::partition_if_form partition_if;

}  // namespace lookback
