/// \file
/// Sorting on the CPU: the arrays of a sort, its scratch memory, and the loads that travel with the
/// keys.
///
/// Trivially copyable values of up to 16 bytes travel with their keys. For other values, their
/// positions travel instead, and the values are fetched at the end, each from where it lies.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/counting_sort.hpp"
#include "lookback/detail/cpu/radix_sort.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {

/// Contiguous iterators as pointers to constant items, so that less code is compiled; others
/// unchanged.
template <class It>
auto plain(const It& it) {
    if constexpr (std::contiguous_iterator<It>) {
        using item = const std::remove_reference_t<std::iter_reference_t<It>>;
        return static_cast<item*>(std::to_address(it));
    } else {
        return it;
    }
}

/// A sort of arrays. `Arrangement` says which items are sorted together:
///
///     sort(where, by, order, from, to, items)
///         sorts the words that are read from `from` into the sort_arrays `to`, and makes keys of
///         them as the word_order `order` says; `to` may be where they are read
template <class Arrangement>
class array_sort {
 public:
    array_sort(const cpu& where, std::size_t items, const sort_by& by, const Arrangement& together)
        : where_(where), items_(items), by_(by), together_(together) {}

    template <class Key, class In, class KeysOut, class Values, class ValuesOut>
    void run(const In& keys, const KeysOut& keys_out, const Values& values,
             const ValuesOut& values_out) const {
        if constexpr (std::same_as<Values, no_array>) {
            sort<Key, no_array>(keys, keys_out, no_array{}, nullptr);
        } else if constexpr (travels<Values, ValuesOut>) {
            sort<Key, std::iter_value_t<ValuesOut>>(keys, keys_out, values,
                                                    std::to_address(values_out));
        } else if (items_ <= UINT32_MAX) {
            sort_positions<Key, std::uint32_t>(keys, keys_out, values, values_out);
        } else {
            sort_positions<Key, std::uint64_t>(keys, keys_out, values, values_out);
        }
    }

    template <class Key, class Value>
    static std::size_t scratch_bytes(const cpu& where, std::size_t items, bool keys_too) {
        constexpr std::size_t key = sizeof(Key);
        // A position takes 4 or 8 bytes, and replaces any value that does not travel.
        std::size_t each = keys_too ? key : 2 * key;
        if constexpr (!std::same_as<Value, no_array>) {
            const std::size_t position = items <= UINT32_MAX ? 4 : 8;
            each += travelling_value<Value> ? sizeof(Value) : 2 * position;
        }
        constexpr std::size_t for_a_thread = std::size_t{3} << 20;
        constexpr std::size_t for_large_pages = std::size_t{8} << 20;  // four arrays, rounded up
        return (items + (detail::gap_for(items) << split_bits)) * each + for_large_pages +
               static_cast<std::size_t>(worker_limit(where)) * for_a_thread;
    }

 private:
    template <class T>
    static constexpr bool travelling_value =
        std::is_trivially_copyable_v<T> && std::has_single_bit(sizeof(T)) && sizeof(T) <= 16;

    template <class Values, class Out>
    static constexpr bool travels = [] {
        if constexpr (!std::contiguous_iterator<Out>) {
            return false;
        } else if constexpr (std::same_as<Values, input_positions>) {
            return sizeof(std::iter_value_t<Out>) >= 4;
        } else {
            return std::same_as<std::iter_value_t<Values>, std::iter_value_t<Out>> &&
                   travelling_value<std::iter_value_t<Out>>;
        }
    }();

    // Sorts keys, with loads that go to an array.
    template <class Key, class Load, class In, class KeysOut, class Loads>
    void sort(const In& keys, const KeysOut& keys_out, const Loads& loads, Load* loads_out) const {
        constexpr bool keys_too = !std::same_as<KeysOut, no_array>;
        constexpr bool to_array = contiguous_items_of<KeysOut, Key>;
        using word = key_word<Key>;
        const sort_input<Key, Load, decltype(detail::plain(keys)), decltype(detail::plain(loads))>
            from{detail::plain(keys), detail::plain(loads), by_.descending};
        // If the caller does not want the keys, most of this array is never touched.
        const scratch_array<Key> keys_end(to_array ? 0 : items_);
        Key* to = keys_end.data();
        if constexpr (to_array) to = std::to_address(keys_out);
        const word_order<word> order(by_, key_code_of<Key>(by_.descending), keys_too);
        const sort_arrays<word, Load> out{word_array<word>(to), loads_out};
        together_.sort(where_, by_, order, from, out, items_);
        if constexpr (!to_array && keys_too) {
            each_item([&](std::size_t i) { detail::put(keys_out, i, to[i]); });
        }
    }

    // Sorts keys with the positions of the items, and then writes the values, or the positions
    // themselves.
    template <class Key, class Position, class In, class KeysOut, class Values, class ValuesOut>
    void sort_positions(const In& keys, const KeysOut& keys_out, const Values& values,
                        const ValuesOut& values_out) const {
        const scratch_array<Position> positions(items_);
        Position* const at = positions.data();
        sort<Key, Position>(keys, keys_out, input_positions{}, at);
        if constexpr (std::same_as<Values, input_positions>) {
            each_item([&](std::size_t i) { detail::put(values_out, i, at[i]); });
        } else if (same_place(values, values_out)) {
            permute(values_out, at, items_);
        } else {
            each_item(
                [&](std::size_t i) { detail::put(values_out, i, detail::item(values, at[i])); });
        }
    }

    template <class Body>
    void each_item(const Body& body) const {
        detail::for_shares(where_, items_, std::size_t{1} << 14,
                           [&](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) body(i);
                           });
    }

    template <class In, class Out>
    static bool same_place(const In& in, const Out& out) {
        if constexpr (same_walk<In, Out>) {
            return static_cast<const void*>(walk<In>::start(in)) ==
                   static_cast<const void*>(walk<Out>::start(out));
        } else if constexpr (requires { static_cast<bool>(in == out); }) {
            return static_cast<bool>(in == out);
        } else {
            return false;
        }
    }

    // In place: follows each cycle of the permutation, and fills each place from the next one,
    // until the first is met again. Each item is moved once. `from` is overwritten.
    template <class Out, class Position>
    static void permute(const Out& out, Position* from, std::size_t items) {
        for (std::size_t first = 0; first < items; ++first) {
            if (from[first] == first) continue;
            std::iter_value_t<Out> kept(std::move(detail::item(out, first)));
            std::size_t at = first;
            for (std::size_t next; (next = from[at]) != first; at = next) {
                detail::put(out, at, std::move(detail::item(out, next)));
                from[at] = static_cast<Position>(at);
            }
            detail::put(out, at, std::move(kept));
            from[at] = static_cast<Position>(at);
        }
    }

    const cpu where_;
    const std::size_t items_;
    const sort_by by_;
    const Arrangement together_;
};

/// All items are sorted together.
struct as_one_array {
    template <class Word, class Load, class Source>
    void sort(const cpu& where, const sort_by& by, const word_order<Word>& order,
              const Source& from, const sort_arrays<Word, Load>& to, std::size_t items) const {
        using sort = radix_sort<Word, Load>;
        const between_memory<Word, Load> between(sort::room_for(items));
        sort(where, by, order, to, between.get(), true).run(from, items);
    }
};

template <>
struct sorts_on<cpu> {
    template <class Key, class In, class KeysOut, class Values, class ValuesOut>
    static void run(const cpu& where, const item_count& count, const In& keys,
                    const KeysOut& keys_out, const Values& values, const ValuesOut& values_out,
                    const sort_by& by) {
        const std::size_t items = count.get();
        if constexpr (std::same_as<Values, no_array> && sizeof(Key) <= 2) {
            if (is_counted<Key>(by, items)) {
                return detail::counting_sort<Key>(where, keys, keys_out, items, by.descending);
            }
        }
        array_sort<as_one_array>(where, items, by, {}).run<Key>(keys, keys_out, values, values_out);
    }

    template <class Key, class Value>
    static std::size_t scratch_bytes(const cpu& where, std::size_t items, bool keys_too) {
        return array_sort<as_one_array>::scratch_bytes<Key, Value>(where, items, keys_too);
    }
};

}  // namespace lookback::detail
