/// \file
/// Sorting many segments at once, each within its own place, by the bits of keys.
///
///     segmented_sort_keys    the items of each segment, in the order of their keys, which are the
///                            items themselves, or what a function `by` makes of them
///     segmented_sort_pairs   keys, and with each its value
///     segmented_sort_order   where each key of the sorted segments stands in the input: positions
///                            in the whole array, so that they index whatever lies beside it
///
/// Segment s is [offsets[s], offsets[s + 1]) of segment_offsets{offsets, offsets_last}, k + 1
/// entries for k segments, which may be empty (CSR); offsets are integers. A segment's items stay
/// in its place. Otherwise all is as in sort.hpp: keys, their order, stability, the order of
/// arguments, in place; the number of items may lie in memory.
///
/// The work is shared out by items, not by segments, however long each is.
///
/// On the CPU: work O(n) for each digit that tells keys of a segment apart; each segment is sorted
/// by one thread, in its cache where it fits, but those of more than a quarter of a thread's share
/// by all threads.
///
/// On a GPU: segments of up to a few thousand items are sorted in shared memory, each key and value
/// read and written once; longer ones by digits of 8 bits, all of them together, each digit that
/// tells keys of some segment apart reading and writing each key and value once
/// (detail/device/segmented_sort_launch.hpp). Offsets lie in device memory and are read once. Only
/// their number is checked: they begin at 0, do not decrease, and end at the number of items, or
/// before it: what lies behind is neither read nor written. The call does not wait for the GPU.
///
/// Extra memory: that of sort.hpp; on a GPU some 16 bytes for every thousand items besides, and, of
/// segments that a block has no room for (some 14,000 items of up to 4 bytes, 8,000 of 8; half of
/// that where a block has less than 128 KiB of shared memory), 2 KiB for each digit of each segment
/// and for each tile of some thousands of items. segmented_sort_scratch_bytes tells.
///
/// An output that lies over an input in a way that cannot be seen (both behind iterators that are
/// not contiguous) must be that input itself, item by item.
///
/// Errors: those of sort.hpp; std::invalid_argument for no offsets at all, an output that overlaps
/// them; and on the CPU for offsets that decrease, do not begin at 0 or do not end at the number of
/// items.
///
/// Source: Merrill & Grimshaw 2011, "High Performance and Scalable Radix Sorting"; Adinets &
/// Merrill 2022, "Onesweep"; Hou et al. 2017, "Fast Segmented Sort on GPUs" (segments by their
/// lengths).
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

#include "lookback/counts.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/segment_arguments.hpp"
#include "lookback/sort.hpp"

namespace lookback {
namespace detail {

/// How an execution sorts segments: specialised in detail/cpu/segmented_sort.hpp and
/// detail/device/segmented_sort.hpp.
///
///     check(where, segments, count)
///         refuses offsets that are wrong, where that can be seen
///     run<Key>(where, count, segments, keys, keys_out, values, values_out, by)
///         as sorts_on::run, each segment for itself
///     scratch_bytes<Key, Value>(where, items, keys_too)
///         as sorts_on::scratch_bytes
template <class Execution>
struct segmented_sorts_on;

template <class Offsets>
concept offsets_of_items =
    std::random_access_iterator<Offsets> && std::integral<std::iter_value_t<Offsets>>;

template <class Key, class Where, class Offsets, class Keys, class KeysOut, class Values,
          class ValuesOut>
void segmented_sort(Where& execution, const item_count& items,
                    const segment_offsets<Offsets>& segments, const Keys& keys,
                    const KeysOut& keys_out, const Values& values, const ValuesOut& values_out,
                    const sort_by& by) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const sort_by checked = detail::checked_bits<Key>(by);
    segmented_sorts_on<on>::check(where, segments, items);
    if (items.at_most == 0) return;
    segmented_sorts_on<on>::template run<Key>(where, items, segments, keys, keys_out, values,
                                              values_out, checked);
}

struct segmented_sort_keys_form : algorithm<segmented_sort_keys_form, takes::keys, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, offsets_of_items Offsets,
              class Out>
        requires keys_in<In> && compactable<In, Out>
    void operator()(Where&& where, In first, Last last, segment_offsets<Offsets> segments, Out out,
                    sort_by order = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_segments(segments, out, items.at_most);
        detail::check_memory(first, out, items.at_most);
        detail::segmented_sort<std::iter_value_t<In>>(where, items, segments, first, out,
                                                      no_array{}, no_array{}, order);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, offsets_of_items Offsets,
              class Out, projection_to_key<In> By>
        requires compactable<In, Out>
    void operator()(Where&& where, In first, Last last, segment_offsets<Offsets> segments, Out out,
                    By by, sort_by order = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_segments(segments, out, items.at_most);
        detail::check_memory(first, out, items.at_most);
        detail::segmented_sort<projection_of<By, In>>(where, items, segments,
                                                      projected_keys<In, By>{first, by}, no_array{},
                                                      first, out, order);
    }
};

struct segmented_sort_pairs_form : algorithm<segmented_sort_pairs_form, takes::keys, 2, 2> {
    using algorithm::operator();

    template <execution Where = cpu, class Keys, end_of_input<Keys> Last, class Values,
              offsets_of_items Offsets, class KeysOut, class ValuesOut>
        requires keys_in<Keys> && compactable<Keys, KeysOut> && compactable<Values, ValuesOut>
    void operator()(Where&& where, Keys keys, Last keys_last, Values values,
                    segment_offsets<Offsets> segments, KeysOut keys_out, ValuesOut values_out,
                    sort_by order = {}) const {
        const item_count items = detail::count_items(keys, keys_last);
        const std::size_t most = items.at_most;
        detail::check_segments(segments, keys_out, most);
        detail::check_segments(segments, values_out, most);
        detail::check_pairs(keys, values, keys_out, values_out, most);
        detail::segmented_sort<std::iter_value_t<Keys>>(where, items, segments, keys, keys_out,
                                                        values, values_out, order);
    }
};

struct segmented_sort_order_form : algorithm<segmented_sort_order_form, takes::keys, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, offsets_of_items Offsets,
              takes_positions Out>
        requires keys_in<In>
    void operator()(Where&& where, In keys, Last keys_last, segment_offsets<Offsets> segments,
                    Out order_out, sort_by order = {}) const {
        run<std::iter_value_t<In>>(where, keys, keys_last, segments, keys, order_out, order);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, offsets_of_items Offsets,
              takes_positions Out, projection_to_key<In> By>
        requires std::random_access_iterator<In>
    void operator()(Where&& where, In first, Last last, segment_offsets<Offsets> segments,
                    Out order_out, By by, sort_by order = {}) const {
        run<projection_of<By, In>>(where, first, last, segments, projected_keys<In, By>{first, by},
                                   order_out, order);
    }

 private:
    template <class Key, class Offsets, class Out>
    static void run(auto& where, const auto& first, const auto& last,
                    const segment_offsets<Offsets>& segments, const auto& keys, const Out& out,
                    const sort_by& order) {
        const item_count items = detail::count_items(first, last);
        detail::check_segments(segments, out, items.at_most);
        detail::check_order<std::iter_value_t<Out>>(first, out, items.at_most);
        detail::segmented_sort<Key>(where, items, segments, keys, no_array{}, input_positions{},
                                    out, order);
    }
};

}  // namespace detail

/// Writes the items of each segment to the same place of `out`, sorted: by themselves, or by the
/// keys that `by` makes of them.
///
///     segmented_sort_keys(where, first, last, segments, out, sort_by = {})
///     segmented_sort_keys(where, first, last, segments, out, by, sort_by = {})
///     segmented_sort_keys(where, in, segments, out, ...)                     ranges
inline constexpr detail::segmented_sort_keys_form segmented_sort_keys;

/// Writes the keys of each segment to the same place of `keys_out`, sorted, and with each its value
/// to `values_out`.
///
///     segmented_sort_pairs(where, keys, keys_last, values, segments, keys_out, values_out,
///                          sort_by = {})
///     segmented_sort_pairs(where, keys, values, segments, keys_out, values_out, ...)    ranges
inline constexpr detail::segmented_sort_pairs_form segmented_sort_pairs;

/// Writes, for each segment, the number that each item of the sorted segment has in the whole input
/// to the same place of `order_out`, as any integers that hold them.
///
///     segmented_sort_order(where, first, last, segments, order_out, sort_by = {})
///     segmented_sort_order(where, first, last, segments, order_out, by, sort_by = {})
///     segmented_sort_order(where, in, segments, order_out, ...)              ranges
inline constexpr detail::segmented_sort_order_form segmented_sort_order;

/// The most bytes of memory that segmented_sort_keys or segmented_sort_pairs of `items` keys of
/// type Key, with values of type Value, allocates on `where`.
template <sort_key Key, class Value = detail::no_array, execution Where>
std::size_t segmented_sort_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    using on = detail::segmented_sorts_on<detail::execution_type<Where>>;
    return on::template scratch_bytes<Key, Value>(where, items, true);
}
/// The same of segmented_sort_order, with positions of type Value, and of segmented_sort_keys by
/// keys of type Key that are made of items of type Value.
template <sort_key Key, class Value, execution Where>
std::size_t segmented_sort_order_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    using on = detail::segmented_sorts_on<detail::execution_type<Where>>;
    return on::template scratch_bytes<Key, Value>(where, items, false);
}

}  // namespace lookback

#include "lookback/detail/cpu/segmented_sort.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/segmented_sort.hpp"
#endif
