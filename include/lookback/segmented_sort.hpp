/// \file
/// Sorts many segments in one call, each within its own place, by the bits of keys.
///
///     segmented_sort_keys    the items of each segment, in the order of their keys. An item is its
///                            own key, or a function `by` makes its key
///     segmented_sort_pairs   keys, and with each key its value
///     segmented_sort_order   where each key of the sorted segments stands in the input. Positions
///                            count from the beginning of the whole array, so that they index any
///                            other array of the same length
///
/// Segment s is [offsets[s], offsets[s + 1]) of segment_offsets{offsets, offsets_last}: k + 1
/// integers for k segments, which may be empty (CSR). The items of a segment stay in its place.
/// Everything else is as in sort.hpp: keys, their order, stability, the order of arguments, and
/// sorting in place. The number of items may lie in memory.
///
/// The work is divided by items, not by segments, so it is even however long the segments are.
///
/// On the CPU: work O(n) for each digit that differs between keys of a segment. A segment is sorted
/// by one thread, within its cache if it fits there. A segment of more than a quarter of a thread's
/// share of the items is sorted by all threads.
///
/// On a GPU: segments of up to a few thousand items are sorted in shared memory, and each key and
/// value is read and written once. Longer segments are sorted together, by digits of 8 bits. Each
/// digit that differs between keys of some segment takes one read and one write of each key and
/// value (detail/device/segmented_sort_launch.hpp). Offsets lie in device memory and are read once.
/// Only their number is checked: they have to begin at 0, not to decrease, and to end at the number
/// of items or before it. Items after the last offset are neither read nor written. The call does
/// not wait for the GPU.
///
/// Extra memory: as in sort.hpp. On a GPU there are about 16 bytes more for every thousand items.
/// Where segments are too long for one block (about 14,000 items of up to 4 bytes, 8,000 of 8
/// bytes; half of that where a block has less than 128 KiB of shared memory), there are also 2 KiB
/// for each digit of each such segment, and for each tile of some thousands of items.
/// segmented_sort_scratch_bytes and segmented_sort_order_scratch_bytes return the number of bytes.
///
/// If an output and an input are behind iterators that are not contiguous, overlaps cannot be
/// detected. Such an output may then be that input itself, item by item, but must not overlap it
/// otherwise.
///
/// Errors: those of sort.hpp, and std::invalid_argument for an empty range of offsets and for an
/// output that overlaps the offsets; on the CPU also for offsets that decrease, do not begin at 0
/// or do not end at the number of items.
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
///         refuses wrong offsets, where the host can read them
///     run<Key>(where, count, segments, keys, keys_out, values, values_out, by)
///         as sorts_on::run, for each segment
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

/// Writes the items of each segment to the same place of `out`, sorted by themselves, or by the
/// keys that `by` makes of them.
///
///     segmented_sort_keys(where, first, last, segments, out, sort_by = {})
///     segmented_sort_keys(where, first, last, segments, out, by, sort_by = {})
///     segmented_sort_keys(where, in, segments, out, ...)                     ranges
inline constexpr detail::segmented_sort_keys_form segmented_sort_keys;

/// Writes the keys of each segment to the same place of `keys_out`, sorted, and the value of each
/// key to `values_out`.
///
///     segmented_sort_pairs(where, keys, keys_last, values, segments, keys_out, values_out,
///                          sort_by = {})
///     segmented_sort_pairs(where, keys, values, segments, keys_out, values_out, ...)    ranges
inline constexpr detail::segmented_sort_pairs_form segmented_sort_pairs;

/// Writes the position, in the whole input, of each item of the sorted segment s to the same place
/// of `order_out`, as integers that can hold them.
///
///     segmented_sort_order(where, first, last, segments, order_out, sort_by = {})
///     segmented_sort_order(where, first, last, segments, order_out, by, sort_by = {})
///     segmented_sort_order(where, in, segments, order_out, ...)              ranges
inline constexpr detail::segmented_sort_order_form segmented_sort_order;

/// The most bytes of memory that segmented_sort_keys or segmented_sort_pairs allocates on `where`
/// for `items` keys of type Key, with values of type Value.
template <sort_key Key, class Value = detail::no_array, execution Where>
std::size_t segmented_sort_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    using on = detail::segmented_sorts_on<detail::execution_type<Where>>;
    return on::template scratch_bytes<Key, Value>(where, items, true);
}
/// The same for segmented_sort_order, with positions of type Value, and for segmented_sort_keys
/// with `by`, which makes keys of type Key from items of type Value.
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
