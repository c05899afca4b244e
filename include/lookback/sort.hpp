/// \file
/// Sorting, by the bits of keys.
///
///     sort_keys    the items, in the order of their keys, which are the items themselves, or what
///                  a function `by` makes of them
///     sort_pairs   keys, and with each its value
///     sort_order   where each key of the sorted sequence stands in the input: the permutation
///                  alone
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators are random access; or ranges, of which an output is as long as the input. The
/// last argument, a sort_by, says which way: sort_by{.descending = true}.
///
/// Stable: equal keys keep the order of the input, descending too. So the result is unique, and the
/// same everywhere. Keys are integers (bool, characters and 16-byte ones too), enumerations, and
/// floats of 4 or 8 bytes, whose order is total: -0 before +0, and every NaN, of either sign, after
/// +infinity; NaNs among themselves by their bits. Descending is the reverse of that, NaNs first.
///
/// In place: an output may be its own input itself; any other overlap is refused where both are
/// contiguous. sort_order's output lies apart from its keys. `by` is called several times for
/// an item, from several threads at once.
///
/// The number of items may lie in memory (count_at, in the place of the input's end).
///
/// Work O(n) for each digit that tells keys apart. On the CPU most sorts read each key and its
/// value from memory three times (the key; the value twice) and write them twice, whatever their
/// width: detail/cpu/radix_sort.hpp. Extra memory: one array as long as the output, which
/// sort_scratch_bytes tells; one more for the sorted keys where there is no array of their type to
/// put them. Keys that are sorted already are only read and copied; those of one or two bytes
/// without values are counted, read once and written once. Values of more than 16 bytes, or not
/// trivially copyable, are fetched from where they lie in the end, in any order.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// output that overlaps input as above, or another output; bits that the keys do not have;
/// positions that the output's integers cannot hold; a range that is too short; or a negative
/// number of threads.
///
/// Source: Merrill & Grimshaw 2011, "High Performance and Scalable Radix Sorting"; Adinets &
/// Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs".
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

/// Which way to sort, and by which bits of a key's word: the unsigned integer as wide as the key
/// that has its order. Unsigned integers are their own words, of others the bits are those of
/// detail/key_words.hpp. Bit 0 is the lowest; keys with the same bits are equal.
struct sort_by {
    bool descending = false;
    int first_bit = 0;
    int last_bit = -1;  ///< the bit behind the last one; -1: the word's end
};

namespace detail {

/// How an execution sorts: specialised in detail/cpu/sort.hpp and detail/device/sort.hpp.
///
///     run<Key>(where, count, keys, keys_out, values, values_out, by)
///         sorts `count` keys, read as type Key; where an output is no_array, what would go there
///         is not wanted. `values` are an array, or no_array, or input_positions{}, which stands
///         for 0, 1, 2, ... The bits in `by` are within the word, and last_bit is set.
///     scratch_bytes<Key, Value>(where, items, keys_too)
///         the most that such a call allocates; Value is no_array where there are none
template <class Execution>
struct sorts_on;

/// As values: the number of each item.
struct input_positions {};

/// The keys of items: what `by` makes of them.
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

/// Refuses arrays of pairs that overlap in any way but output upon its own input.
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

/// Refuses an output of positions that overlaps the input, or cannot hold them.
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

/// Writes the items to `out`, sorted: by themselves, or by the keys that `by` makes of them.
///
///     sort_keys(where, first, last, out, sort_by = {})
///     sort_keys(where, first, last, out, by, sort_by = {})
///     sort_keys(where, in, out, ...)                          ranges
inline constexpr detail::sort_keys_form sort_keys;

/// Writes the keys to `keys_out`, sorted, and with each its value to `values_out`.
///
///     sort_pairs(where, keys, keys_last, values, keys_out, values_out, sort_by = {})
///     sort_pairs(where, keys, values, keys_out, values_out, ...)    ranges
inline constexpr detail::sort_pairs_form sort_pairs;

/// Writes the number, from 0 on, that each item of the sorted sequence has in the input to
/// `order_out`, as any integers that hold them.
///
///     sort_order(where, first, last, order_out, sort_by = {})
///     sort_order(where, first, last, order_out, by, sort_by = {})
///     sort_order(where, in, order_out, ...)                         ranges
inline constexpr detail::sort_order_form sort_order;

/// The most bytes of memory that sort_keys or sort_pairs of `items` keys of type Key, with values
/// of type Value, allocates on `where`.
template <sort_key Key, class Value = detail::no_array, execution Where>
std::size_t sort_scratch_bytes(Where&& execution, std::size_t items) {
    auto&& where = execution_of(execution);
    return detail::sorts_on<detail::execution_type<Where>>::template scratch_bytes<Key, Value>(
        where, items, true);
}
/// The same of sort_order, with positions of type Value, and of sort_keys by keys of type Key that
/// are made of items of type Value.
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
