/// \file
/// Sorts by the bits of keys.
///
///     sort_keys    the items, in the order of their keys. An item is its own key, or a function
///                  `by` makes its key
///     sort_pairs   keys, and with each key its value
///     sort_order   the position in the input of each key of the sorted sequence: the permutation
///                  alone
///
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Iterators are random access. In calls with ranges, an output is as long as
/// the input. The last argument, a sort_by, gives the direction: sort_by{.descending = true}.
///
/// Sorts are stable: equal keys keep the order of the input, also in descending sorts. So the
/// result is unique, and the same on every machine. Keys are integers (including bool, characters
/// and 16-byte integers), enumerations, float, double, and floats of 16 bits (_Float16; compiled by
/// nvcc __half and __nv_bfloat16 instead). The order of floats is total: -0 before +0, and every
/// NaN, of either sign, after +infinity; NaNs are ordered among themselves by their bits. The
/// descending order is the reverse, with NaNs first.
///
/// In place: an output may be its own input; any other overlap is refused where both are
/// contiguous. The output of sort_order must not overlap its keys. `by` is called several times for
/// an item, from several threads at once.
///
/// The number of items may lie in memory (count_at, in the place of the input's end).
///
/// Work O(n) for each digit that differs between keys. Keys that are already sorted are only read
/// and copied. Keys of one or two bytes without values are counted: read once and written once.
/// Extra memory: an array of the keys and an array of the values, where these are written to arrays
/// (contiguous items of their own type). An output that is no array takes an array more, and so do
/// the keys of sort_order and of `by`, which are not written. The CPU takes up to a sixteenth more.
/// On a GPU wide values may take two arrays of positions, in place besides their own.
/// sort_scratch_bytes and sort_order_scratch_bytes return how much that is for outputs that are
/// arrays.
///
/// On the CPU most sorts read each key from memory four times and its value three times, and write
/// both three times, whatever their width: detail/cpu/radix_sort.hpp. Values of over 16 bytes, or
/// not trivially copyable, are moved once, at the end, from wherever they lie in the input.
///
/// On a GPU, types are trivially copyable with a default constructor; otherwise, what may be passed
/// is as in scan.hpp. The call does not wait. Large arrays are read once, to count keys. If keys
/// are spread evenly and all their bits are sorted by, each key and value is then read and written
/// three times; otherwise once for each digit of 8 bits that differs between keys. So are more than
/// 2^28 keys with values or of 16 bytes, more than about 2^30 keys, and all keys before compute
/// capability 9.0. Millions of values of more than 8 bytes stay until positions of 4 bytes are
/// sorted; each is then moved once, or twice in place. Smaller arrays take fewer passes
/// (sort_launch.hpp). The extra memory belongs to the lookback::gpu (reserve_scratch). Before a
/// capture in a graph, make the same call once: memory cannot grow there.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps input as above, or another output; bits that the keys do not have;
/// positions that the output's integers cannot hold; a range that is too short; or a negative
/// number of threads.
///
/// Source: Merrill & Grimshaw 2011, "High Performance and Scalable Radix Sorting"; Adinets &
/// Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs"; Stehle &
/// Jacobsen 2017, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs".
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/key_words.hpp"
#include "lookback/detail/portability.hpp"
#include "lookback/detail/requirements.hpp"

namespace lookback {

/// The direction of a sort, and the bits of a key's word by which it sorts. A key's word is the
/// unsigned integer of the same width that has the key's order: unsigned integers are their own
/// words, and detail/key_words.hpp has those of other types. Bit 0 is the lowest. Keys that have
/// the same bits in this range are equal.
struct sort_by {
    bool descending = false;
    int first_bit = 0;
    int last_bit = -1;  ///< one past the last bit; -1: the end of the word
};

namespace detail {

/// How an execution sorts: specialised in detail/cpu/sort.hpp and detail/device/sort.hpp.
///
///     run<Key>(where, count, keys, keys_out, values, values_out, by)
///         sorts `count` keys, read as type Key. An output that is no_array is not written.
///         `values` are an array, or no_array, or input_positions{}, which stands for 0, 1, 2, ...
///         The bits in `by` are within the word, and last_bit is set.
///     scratch_bytes<Key, Value>(where, items, keys_too)
///         the most that such a call allocates if its outputs are arrays; Value is no_array where
///         there are no values, and keys_too is false where keys are not written
template <class Execution>
struct sorts_on;

/// Passed as values: each item's position in the input.
struct input_positions {};

/// The keys of items: the results of `by`.
template <class In, class By>
struct projected_keys {
    using value_type = projection_of<By, In>;
    using difference_type = std::ptrdiff_t;
    In items;
    By by;

    LOOKBACK_CALLS_ANY
    LOOKBACK_HD value_type operator[](std::ptrdiff_t i) const {
        return by(items[static_cast<std::iter_difference_t<In>>(i)]);
    }
};

[[noreturn]] inline void refuse_bits(const sort_by& by, int bits) {
    throw std::invalid_argument("lookback: sort_by has the bits from " +
                                std::to_string(by.first_bit) + " to " +
                                std::to_string(by.last_bit) + "; expected a range within 0 to " +
                                std::to_string(bits) + ", which the keys have");
}

template <class Key>
sort_by checked_bits(sort_by by) {
    constexpr int bits = word_bits<key_word<Key>>;
    if (by.last_bit == -1) by.last_bit = bits;
    if (by.first_bit < 0 || by.last_bit < by.first_bit || by.last_bit > bits) {
        refuse_bits(by, bits);
    }
    return by;
}

template <class Index>
void check_positions(std::size_t items) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    if (items > 0 && items - 1 > most) {
        throw std::invalid_argument("lookback: positions of up to " + std::to_string(items) +
                                    " items are written to integers that hold " +
                                    std::to_string(most) + "; expected wider ones");
    }
}

/// Refuses arrays of pairs that overlap, except an output that is its own input.
template <class Keys, class Values, class KeysOut, class ValuesOut>
void check_pairs(const Keys& keys, const Values& values, const KeysOut& keys_out,
                 const ValuesOut& values_out, std::size_t items) {
    detail::check_apart(keys, items, "array of keys", values_out, items);
    detail::check_apart(values, items, "array of values", keys_out, items);
    detail::check_not_null(keys_out, items, "output");
    detail::check_apart(keys_out, items, "other output", values_out, items);
    detail::check_memory(keys, keys_out, items);
    detail::check_memory(values, values_out, items);
}

/// Refuses an output of positions that overlaps the input, or whose integers cannot hold the
/// positions.
template <class Index, class In, class Out>
void check_order(const In& first, const Out& out, std::size_t items) {
    detail::check_not_null(out, items, "output");
    detail::check_apart(first, items, "input", out, items);
    detail::check_positions<Index>(items);
}

template <class Key, class Where, class Keys, class KeysOut, class Values, class ValuesOut>
void sort(Where& execution, const item_count& items, const Keys& keys, const KeysOut& keys_out,
          const Values& values, const ValuesOut& values_out, const sort_by& by) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const sort_by checked = detail::checked_bits<Key>(by);
    if (items.at_most == 0) return;
    sorts_on<on>::template run<Key>(where, items, keys, keys_out, values, values_out, checked);
}

struct sort_keys_form : algorithm<sort_keys_form, takes::keys, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, class Out>
        requires keys_in<In> && compactable<In, Out>
    void operator()(Where&& where, In first, Last last, Out out, sort_by order = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_memory(first, out, items.at_most);
        detail::sort<std::iter_value_t<In>>(where, items, first, out, no_array{}, no_array{},
                                            order);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, class Out,
              projection_to_key<In> By>
        requires compactable<In, Out>
    void operator()(Where&& where, In first, Last last, Out out, By by, sort_by order = {}) const {
        const item_count items = detail::count_items(first, last);
        detail::check_memory(first, out, items.at_most);
        detail::sort<projection_of<By, In>>(where, items, projected_keys<In, By>{first, by},
                                            no_array{}, first, out, order);
    }
};

struct sort_pairs_form : algorithm<sort_pairs_form, takes::keys, 2, 2> {
    using algorithm::operator();

    template <execution Where = cpu, class Keys, end_of_input<Keys> Last, class Values,
              class KeysOut, class ValuesOut>
        requires keys_in<Keys> && compactable<Keys, KeysOut> && compactable<Values, ValuesOut>
    void operator()(Where&& where, Keys keys, Last keys_last, Values values, KeysOut keys_out,
                    ValuesOut values_out, sort_by order = {}) const {
        const item_count items = detail::count_items(keys, keys_last);
        detail::check_pairs(keys, values, keys_out, values_out, items.at_most);
        detail::sort<std::iter_value_t<Keys>>(where, items, keys, keys_out, values, values_out,
                                              order);
    }
};

template <class Out>
concept takes_positions =
    std::integral<std::iter_value_t<Out>> && !std::same_as<std::iter_value_t<Out>, bool> &&
    indexed_output<Out, std::iter_value_t<Out>>;

struct sort_order_form : algorithm<sort_order_form, takes::keys, 1, 1> {
    using algorithm::operator();

    template <execution Where = cpu, class In, end_of_input<In> Last, takes_positions Out>
        requires keys_in<In>
    void operator()(Where&& where, In keys, Last keys_last, Out order_out,
                    sort_by order = {}) const {
        run<std::iter_value_t<In>>(where, keys, keys_last, keys, order_out, order);
    }
    template <execution Where = cpu, class In, end_of_input<In> Last, takes_positions Out,
              projection_to_key<In> By>
        requires std::random_access_iterator<In>
    void operator()(Where&& where, In first, Last last, Out order_out, By by,
                    sort_by order = {}) const {
        run<projection_of<By, In>>(where, first, last, projected_keys<In, By>{first, by}, order_out,
                                   order);
    }

 private:
    template <class Key, class Out>
    static void run(auto& where, const auto& first, const auto& last, const auto& keys,
                    const Out& out, const sort_by& order) {
        const item_count items = detail::count_items(first, last);
        detail::check_order<std::iter_value_t<Out>>(first, out, items.at_most);
        detail::sort<Key>(where, items, keys, no_array{}, input_positions{}, out, order);
    }
};

}  // namespace detail

/// Writes the items to `out`, sorted by themselves, or by the keys that `by` makes of them.
///
///     sort_keys(where, first, last, out, sort_by = {})
///     sort_keys(where, first, last, out, by, sort_by = {})
///     sort_keys(where, in, out, ...)                          ranges
inline constexpr detail::sort_keys_form sort_keys;

/// Writes the keys to `keys_out`, sorted, and the value of each key to `values_out`.
///
///     sort_pairs(where, keys, keys_last, values, keys_out, values_out, sort_by = {})
///     sort_pairs(where, keys, values, keys_out, values_out, ...)    ranges
inline constexpr detail::sort_pairs_form sort_pairs;

/// Writes the position in the input, counted from 0, of each item of the sorted sequence to
/// `order_out`, as integers that can hold them.
///
///     sort_order(where, first, last, order_out, sort_by = {})
///     sort_order(where, first, last, order_out, by, sort_by = {})
///     sort_order(where, in, order_out, ...)                         ranges
inline constexpr detail::sort_order_form sort_order;

/// The most bytes of memory that sort_keys or sort_pairs allocates on `where` for `items` keys of
/// type Key, with values of type Value, if the outputs are arrays: contiguous items of type Key,
/// and of type Value.
///
/// Keys that go to another output take `items * sizeof(Key)` bytes more. Values that go to another
/// output take `items * sizeof(Value)` bytes more on a GPU; on the CPU they take 8 bytes an item
/// (16 for 2^32 items and more) instead of sizeof(Value).
template <sort_key Key, class Value = detail::no_array, execution Where>
std::size_t sort_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    return detail::sorts_on<detail::execution_type<Where>>::template scratch_bytes<Key, Value>(
        where, items, true);
}
/// The same for sort_order, with positions of type Value, and for sort_keys with `by`, which makes
/// keys of type Key from items of type Value: two arrays of keys, and what values take in a sort.
template <sort_key Key, class Value, execution Where>
std::size_t sort_order_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    return detail::sorts_on<detail::execution_type<Where>>::template scratch_bytes<Key, Value>(
        where, items, false);
}

}  // namespace lookback

#include "lookback/detail/cpu/sort.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/sort.hpp"
#endif
