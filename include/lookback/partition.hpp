/// \file
/// Partition: copies all items, in two or three parts. The items for which a predicate holds, or
/// whose flag is set, are kept apart from the rest. Each part stays in input order, and the call
/// returns the number of items kept.
///
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Iterators are random access. In calls with ranges, each output is as long as
/// the input. The predicate is called, or the flag read, exactly once for each item, in no
/// particular order, from several threads at once. (In a three-way partition, `pred_second` is
/// called once for each item that `pred_first` refuses.) No output may overlap the input or another
/// output. Where both arrays are contiguous, the call refuses an output that begins within the
/// input or at the same place as another output; and for a partition into one output, any overlap
/// of the output with the input or its flags.
///
/// Work O(n). Into several outputs, each item is read from memory once (a second time from cache:
/// iterators are dereferenced up to three times) and written once. Into one output, the place of
/// the rest is not known before the last item has been seen. So the rest is written from the
/// output's end backward, and then reversed where it lies: each item of the rest is read and
/// written once more, 2 n + 2 rest items are moved, and this takes no extra memory. With
/// rest_reversed the rest stays as it was written: 2 n. (On a GPU, flags in memory that are
/// narrower than the items are counted first, so 2 n items are moved, and each flag is read twice.)
/// Extra memory: 256 KiB for each thread and output (128 items where these are more), and one or
/// two cache lines for each 64 to 128 KiB of input. If a predicate or a copy throws, the exception
/// reaches the caller, and the outputs are partly written.
///
/// Numbers of items and of results in memory, and what may be passed on a GPU: as in select.hpp. On
/// a GPU a partition is one kernel launch. A partition into one output writes the rest forward, in
/// two launches (before which a count is cleared, if flags are counted); in one launch if the items
/// are few (about 2^20 items of 4 bytes) or the rest is reversed. The output of a partition into
/// one has to be readable, unless the rest is reversed; each of several outputs may be write-only.
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

/// Passed in place of an output for the rest of a partition: the rest goes to the output of the
/// kept items, from its end backward, in reverse order.
struct rest_reversed_t {};
inline constexpr rest_reversed_t rest_reversed;

namespace detail {

template <class In, class... Outs>
void check_parts(const In& first, std::size_t items, const Outs&... outs) {
    (detail::check_compacted(first, outs, items, in_place::refused), ...);
    detail::check_outputs(items, outs...);
}

/// The number of items that are not among the `kept`; 0 where the number of items lies in memory
/// that only the execution reads.
inline std::size_t rest_of(const item_count& items, std::size_t kept) {
    return items.at == nullptr ? items.at_most - kept : 0;
}

/// Into one output: the rest after the kept items, or, if reversed, from the end backward.
template <bool reversed, class Where, class In, class Paired, class Classes, class Out,
          class Counts>
result_with<Counts> partition_into_one(Where& where, const item_count& items, const In& first,
                                       const Paired& paired, const Classes& classes, const Out& out,
                                       Counts& count) {
    constexpr bool is_taken =
        reversed || (std::random_access_iterator<Out> && std::indirectly_swappable<Out>);
    static_assert(is_taken,
                  "the one output of a partition is read again, to turn the rest around: pass one "
                  "that can be read, or another for the rest");
    if constexpr (is_taken) {
        detail::check_parts(first, items.at_most, out);
        detail::check_apart(first, items.at_most, "input", out, items.at_most);
        detail::in_one_call(where, [&](auto& on) {
            compaction_on<execution_type<Where>>::template run_into_one<reversed>(
                on, items, first, paired, classes, detail::total_at(count, items), out, count);
        });
    }
    return detail::once_known(count, [](std::size_t) {});
}

struct partition_if_form : counting_algorithm<partition_if_form, takes::predicates, 1, 3> {
    using counting_algorithm::operator();

    /// The counts stand before the predicates, and there are as many counts as predicates, one or
    /// two.
    static constexpr counts_among counts_of(std::size_t arguments) {
        const int predicates = arguments < 7 ? 1 : 2;
        return {arguments - static_cast<std::size_t>(predicates), predicates};
    }

    // Into two outputs.
    template <execution Where = cpu, class In, end_of_input<In> Last, class Kept, class Rest,
              place_of_counts Counts, predicate_of<In> Predicate>
        requires compactable<In, Kept> && compactable<In, Rest>
    result_with<Counts> operator()(Where&& where, In first, Last last, Kept out_kept, Rest out_rest,
                                   Counts count, Predicate pred) const {
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out_kept, out_rest);
        detail::compact(where, items, first, no_array{}, by_predicates{detail::to_test<In>(pred)},
                        detail::total_at(count, items), no_array{}, out_kept, out_rest);
        return detail::once_known(count, [&](std::size_t kept) {
            detail::check_written_apart(written{out_kept, kept},
                                        written{out_rest, detail::rest_of(items, kept)});
        });
    }

    // Into one. `last` is taken by reference as it is: otherwise three arrays, which are ranges,
    // would match as three pointers.
    template <execution Where = cpu, class In, class Last, class Out, place_of_counts Counts,
              predicate_of<In> Predicate>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last&& last, Out out, Counts count,
                                   Predicate pred) const {
        const item_count items = detail::count_items(first, last);
        return detail::partition_into_one<false>(
            where, items, first, no_array{}, by_predicates{detail::to_test<In>(pred)}, out, count);
    }

    template <execution Where = cpu, class In, class Last, std::random_access_iterator Out,
              place_of_counts Counts, predicate_of<In> Predicate>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last&& last, Out out,
                                   rest_reversed_t /*the rest*/, Counts count,
                                   Predicate pred) const {
        const item_count items = detail::count_items(first, last);
        return detail::partition_into_one<true>(
            where, items, first, no_array{}, by_predicates{detail::to_test<In>(pred)}, out, count);
    }

    // Three-way.
    template <execution Where = cpu, class In, end_of_input<In> Last, class First, class Second,
              class Rest, place_of_counts Counts, predicate_of<In> PredFirst,
              predicate_of<In> PredSecond>
        requires compactable<In, First> && compactable<In, Second> && compactable<In, Rest>
    result_with<Counts> operator()(Where&& where, In first, Last last, First out_first,
                                   Second out_second, Rest out_rest, Counts counts,
                                   PredFirst pred_first, PredSecond pred_second) const {
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out_first, out_second, out_rest);
        detail::compact(
            where, items, first, no_array{},
            by_predicates{detail::to_test<In>(pred_first), detail::to_test<In>(pred_second)},
            detail::total_at(counts, items, 2), no_array{}, out_first, out_second, out_rest);
        return detail::once_known(counts, [&](std::size_t in_first, std::size_t in_second) {
            detail::check_written_apart(
                written{out_first, in_first}, written{out_second, in_second},
                written{out_rest, detail::rest_of(items, in_first + in_second)});
        });
    }
};

struct partition_flagged_form
    : counting_algorithm<partition_flagged_form, takes::predicates, 2, 2> {
    using counting_algorithm::operator();
    static constexpr const char* paired_name = "flags";

    /// The count stands after all other arguments.
    static constexpr counts_among counts_of(std::size_t arguments) { return {arguments, 1}; }

    // Into two outputs.
    template <execution Where = cpu, class In, end_of_input<In> Last, flags_of_items Flags,
              class Kept, class Rest, place_of_counts Counts>
        requires compactable<In, Kept> && compactable<In, Rest>
    result_with<Counts> operator()(Where&& where, In first, Last last, Flags flags, Kept out_kept,
                                   Rest out_rest, Counts count) const {
        const item_count items = detail::count_items(first, last);
        detail::check_parts(first, items.at_most, out_kept, out_rest);
        detail::check_compacted(flags, out_kept, items.at_most, in_place::refused,
                                "array of flags");
        detail::check_compacted(flags, out_rest, items.at_most, in_place::refused,
                                "array of flags");
        detail::compact(where, items, first, flags, by_flag{}, detail::total_at(count, items),
                        no_array{}, out_kept, out_rest);
        return detail::once_known(count, [&](std::size_t kept) {
            detail::check_written_apart(written{out_kept, kept},
                                        written{out_rest, detail::rest_of(items, kept)});
        });
    }

    // Into one.
    template <execution Where = cpu, class In, class Last, flags_of_items Flags,
              std::random_access_iterator Out, place_of_counts Counts>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out> &&
                 std::indirectly_swappable<Out>
    result_with<Counts> operator()(Where&& where, In first, Last&& last, Flags flags, Out out,
                                   Counts count) const {
        const item_count items = detail::count_items(first, last);
        detail::check_apart(flags, items.at_most, "array of flags", out, items.at_most);
        return detail::partition_into_one<false>(where, items, first, flags, by_flag{}, out, count);
    }

    template <execution Where = cpu, class In, class Last, flags_of_items Flags,
              std::random_access_iterator Out, place_of_counts Counts>
        requires std::same_as<std::remove_cvref_t<Last>, In> && compactable<In, Out>
    result_with<Counts> operator()(Where&& where, In first, Last&& last, Flags flags, Out out,
                                   rest_reversed_t /*the rest*/, Counts count) const {
        const item_count items = detail::count_items(first, last);
        detail::check_apart(flags, items.at_most, "array of flags", out, items.at_most);
        return detail::partition_into_one<true>(where, items, first, flags, by_flag{}, out, count);
    }
};

}  // namespace detail

/// Copies the items for which `pred` holds to one output, and the others to a second output or
/// after them. Three-way: the items for which `pred_first` holds go to a first output, those of the
/// others for which `pred_second` holds to a second one, and what remains to a third. Returns the
/// number of items kept; a three-way partition returns partition_counts.
///
///     partition_if(where, first, last, out_kept, out_rest, pred)
///     partition_if(where, first, last, out, pred)    into one output
///     partition_if(where, first, last, out, rest_reversed, pred)    the rest from its end backward
///     partition_if(where, first, last, out_first, out_second, out_rest, pred_first, pred_second)
///     partition_if(where, ..., count_to, pred...)    returns nothing; three-way, leaves two counts
///     partition_if(where, in, out...)                ranges
inline constexpr detail::partition_if_form partition_if;

/// The same for the items whose flag, `flags[i]` converted to bool, is true.
///
///     partition_flagged(where, first, last, flags, out_kept, out_rest)
///     partition_flagged(where, first, last, flags, out)
///     partition_flagged(where, first, last, flags, out, rest_reversed)
///     partition_flagged(where, ..., count_to)           returns nothing
///     partition_flagged(where, in, flags, out...)       ranges
inline constexpr detail::partition_flagged_form partition_flagged;

}  // namespace lookback
