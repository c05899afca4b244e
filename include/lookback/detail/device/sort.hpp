/// \file
/// Sorting on a GPU: from the public functions to a problem and its launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/sort_launch.hpp"
#include "lookback/detail/device/sort_positions.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/gpu.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {
namespace device {

// ---- what kernels read and write, made of a call's arguments

/// Keys of items, for kernels: they cannot call the functions of an iterator of the standard
/// library, so the items are a pointer or an array that is indexed downward.
template <class P, class By, class Key>
struct projected_array {
    P items;
    By by;
    LOOKBACK_CALLS_ANY
    __device__ Key operator[](std::uint64_t i) const { return by(items[i]); }
};
template <class In, class By>
auto indexed(const projected_keys<In, By>& keys) {
    const auto items = device::indexed(keys.items);
    return projected_array<std::remove_const_t<decltype(items)>, By,
                           typename projected_keys<In, By>::value_type>{items, keys.by};
}

/// What kernels read or write. An array of T is passed as an array of Moved, the type that T moves
/// as; anything else as an Each<T, ...>.
template <class T, class Moved, template <class, class> class Each, class It>
auto kernel_array(const It& it) {
    if constexpr (is_absent<It>) {
        return no_array{};
    } else if constexpr (std::is_same_v<It, input_positions>) {
        return positions_read<T>{};
    } else if constexpr (contiguous_items_of<It, T>) {
        return reinterpret_cast<Moved*>(std::to_address(it));
    } else {
        return Each<T, std::remove_const_t<decltype(indexed(it))>>{indexed(it)};
    }
}

/// The type of a value. Where the values are positions, it is the type that they are written as.
template <class Values, class Out>
struct sorted_value {
    using type = std::iter_value_t<Values>;
};
template <class Out>
struct sorted_value<no_array, Out> {
    using type = no_array;
};
template <class Out>
struct sorted_value<input_positions, Out> {
    using type = std::iter_value_t<Out>;
};

template <class V>
struct moved_form {
    using type = moved_value<V>;
};
template <>
struct moved_form<no_array> {
    using type = no_array;
};

// ---- how arrays lie in memory

enum class lie { apart, same, unknown };
template <class In, class Out>
lie how_lie(const In& in, const Out& out, std::uint64_t items) {
    if constexpr (is_absent<In> || is_absent<Out> || std::is_same_v<In, input_positions>) {
        return lie::apart;
    } else if constexpr (!all_in_arrays<In, Out>) {
        return lie::unknown;
    } else {
        const byte_range a = bytes_of(in, items), b = bytes_of(out, items);
        if (a.end <= b.begin || b.end <= a.begin) return lie::apart;
        return same_walk<In, Out> && a.begin == b.begin && a.end == b.end ? lie::same
                                                                          : lie::unknown;
    }
}

template <class Keys, class KeysOut, class Values, class ValuesOut>
sort_layout layout_of(const Keys& keys, const KeysOut& keys_out, const Values& values,
                      const ValuesOut& values_out, std::uint64_t items) {
    const lie of_keys = how_lie(keys, keys_out, items);
    const lie of_values = how_lie(values, values_out, items);
    const lie keys_under = how_lie(keys, values_out, items);
    const lie values_under = how_lie(values, keys_out, items);
    const auto stays = [](lie of, bool none) { return none || of == lie::same; };
    // Keys that are not written are not copied either.
    return {of_keys == lie::apart && of_values == lie::apart && keys_under == lie::apart &&
                values_under == lie::apart,
            of_keys != lie::unknown && of_values != lie::unknown && values_under == lie::apart &&
                (is_absent<KeysOut> || keys_under == lie::apart),
            stays(of_keys, is_absent<KeysOut>) && stays(of_values, is_absent<ValuesOut>),
            of_keys == lie::same && of_values == lie::apart && keys_under == lie::apart};
}

/// What kernels sort, without its places in scratch memory.
template <class Key, class Keys, class KeysOut, class Values, class ValuesOut>
auto sort_problem_of(const item_count& count, const Keys& keys, const KeysOut& keys_out,
                     const Values& values, const ValuesOut& values_out, const sort_by& by) {
    using word = key_word<Key>;
    using value = typename sorted_value<Values, ValuesOut>::type;
    static_assert(is_absent<value> || device_item<value>,
                  "values on the GPU are trivially copyable and default-constructible");
    using moved = typename moved_form<value>::type;
    const auto in = device::kernel_array<Key, const word, keys_read>(keys);
    const auto out = device::kernel_array<Key, word, keys_written>(keys_out);
    const auto values_in = device::kernel_array<value, const moved, values_read>(values);
    const auto to_values = device::kernel_array<value, moved, values_written>(values_out);
    using Out = std::remove_const_t<decltype(out)>;
    using ValuesTo = std::remove_const_t<decltype(to_values)>;
    sort_problem<word, std::remove_const_t<decltype(in)>, Out, moved,
                 std::remove_const_t<decltype(values_in)>, ValuesTo>
        problem{.count = count,
                .keys = in,
                .keys_out = out,
                .values = values_in,
                .values_out = to_values,
                .code = key_code_of<Key>(by.descending),
                .digits = {by.first_bit, by.last_bit},
                .layout = layout_of(keys, keys_out, values, values_out, count.at_most),
                .state = nullptr,
                .key_room = {},
                .value_room = {},
                .dealt = nullptr,
                .table = nullptr};
    // Passes go to and fro between the output and scratch memory where the output is an array,
    // otherwise between two arrays in scratch memory.
    if constexpr (std::is_pointer_v<Out>) problem.key_room[1] = out;
    if constexpr (std::is_pointer_v<ValuesTo>) problem.value_room[1] = to_values;
    return problem;
}

/// The scratch memory that the passes over a problem need.
template <class Problem>
auto room_of(const Problem& problem) {
    using value = typename Problem::value_type;
    constexpr int key_arrays = std::is_pointer_v<decltype(Problem::keys_out)> ? 1 : 2;
    constexpr int value_arrays = is_absent<value>                                   ? 0
                                 : std::is_pointer_v<decltype(Problem::values_out)> ? 1
                                                                                    : 2;
    return sort_room<typename Problem::word_type, value>{key_arrays, value_arrays,
                                                         problem.count.at_most};
}

/// Sorts with wide values by their positions (sort_positions.hpp). `wide`: the problem with the
/// values themselves.
template <class Key, sort_tuning tuning, class Wide, class Keys, class KeysOut>
void sort_by_positions(gpu& where, const Wide& wide, const Keys& keys, const KeysOut& keys_out,
                       lie of_values, const sort_by& by) {
    using value = typename Wide::value_type;
    auto sorted = sort_problem_of<Key>(wide.count, keys, keys_out, input_positions{},
                                       static_cast<sorted_position*>(nullptr), by);
    // The positions will lie in scratch memory, apart from all arrays.
    const lie of_keys = how_lie(keys, keys_out, wide.count.at_most);
    sorted.layout = {of_keys == lie::apart, of_keys != lie::unknown, false, of_keys == lie::same};
    const bool in_place = of_values != lie::apart;
    position_room<typename Wide::word_type, value> room(room_of(sorted), in_place);
    const auto fetch = [&](launch_step step) {
        const auto* const positions = reinterpret_cast<const sorted_position*>(sorted.values_out);
        if (in_place) {
            const value* const fetched = room.fetched;
            launch_fetch(where, step, wide.count, wide.values, room.fetched, positions);
            launch_fetch(where, step, wide.count, fetched, wide.values_out, own_positions{});
        } else {
            launch_fetch(where, step, wide.count, wide.values, wide.values_out, positions);
        }
    };
    fetch(launch_step::ask);
    launch_sort<tuning>(where, sorted, room);
    fetch(launch_step::start);
}

/// See sorts_on::run in lookback/sort.hpp. `of_positions`: the tuning of a sort of positions.
template <class Key, sort_tuning tuning, sort_tuning of_positions = positions_tuning<key_word<Key>>,
          class Keys, class KeysOut, class Values, class ValuesOut>
void sort_arrays(gpu& where, const item_count& count, const Keys& keys, const KeysOut& keys_out,
                 const Values& values, const ValuesOut& values_out, const sort_by& by) {
    auto problem = sort_problem_of<Key>(count, keys, keys_out, values, values_out, by);
    using Problem = decltype(problem);
    if constexpr (Problem::fetches_values) {
        // One launch would not place the positions in scratch memory.
        static_assert(most_in_one_launch<of_positions, typename Problem::word_type> <=
                      tuning.by_positions_from);
        if (goes_by_positions<tuning>(count.at_most, problem.digits) &&
            (problem.layout.apart || problem.layout.copies)) {
            return sort_by_positions<Key, of_positions>(
                where, problem, keys, keys_out, how_lie(values, values_out, count.at_most), by);
        }
    }
    auto room = room_of(problem);
    launch_sort<tuning>(where, problem, room);
}

}  // namespace device

template <>
struct sorts_on<gpu> {
    template <class Key, class Keys, class KeysOut, class Values, class ValuesOut>
    static void run(gpu& where, const item_count& count, const Keys& keys, const KeysOut& keys_out,
                    const Values& values, const ValuesOut& values_out, const sort_by& by) {
        using value = typename device::sorted_value<Values, ValuesOut>::type;
        constexpr device::sort_tuning tuning =
            device::sort_tuning_of<key_word<Key>, typename device::moved_form<value>::type>();
        device::sort_arrays<Key, tuning>(where, count, keys, keys_out, values, values_out, by);
    }

    template <class Key, class Value>
    static std::size_t scratch_bytes(gpu& where, std::size_t items, bool keys_too) {
        using moved = typename device::moved_form<Value>::type;
        using word = key_word<Key>;
        constexpr device::sort_tuning tuning = device::sort_tuning_of<word, moved>();
        std::size_t bytes = launch_bytes<word, moved, tuning>(where, items, keys_too);
        if constexpr (!device::is_absent<moved> && sizeof(moved) > device::most_held_bytes) {
            using position = device::sorted_position;
            if (items > tuning.by_positions_from) {
                const std::size_t most = std::min<std::uint64_t>(items, device::most_positions);
                const std::size_t sorted =
                    launch_bytes<word, device::moved_value<position>,
                                 device::positions_tuning<word>>(where, most, keys_too);
                bytes = std::max(bytes, sorted + device::room_for(most, sizeof(position)) +
                                            device::room_for(most, sizeof(moved)));
            }
        }
        return bytes;
    }

 private:
    template <class word, class moved, device::sort_tuning tuning>
    static std::size_t launch_bytes(gpu& where, std::size_t items, bool keys_too) {
        using problem = device::sort_problem<word, const word*, word*, moved, const moved*, moved*>;
        const auto rows = [&](std::uint64_t n) {
            return device::row_bytes<tuning>(device::tiles_of_passes<tuning, problem>(where, n));
        };
        // Not less than for fewer items, whose tiles may be smaller.
        const std::uint64_t few = std::min<std::uint64_t>(items, tuning.small_until);
        const std::uint64_t some = std::min<std::uint64_t>(items, tuning.middle_until);
        const bool hybrid = device::may_be_hybrid<tuning, problem> && items > tuning.hybrid_from;
        const std::uint64_t parts =
            hybrid && problem::has_values ? device::part_tiles<tuning, moved>(items) : 0;
        const std::size_t sums = device::counts_all<problem> && items >= tuning.count_all_from
                                     ? sizeof(device::all_sums)
                                 : hybrid ? sizeof(device::hybrid_zeros)
                                          : sizeof(device::sort_sums);
        return device::sort_room<word, moved>{keys_too ? 1 : 2, device::is_absent<moved> ? 0 : 1,
                                              items, device::most_dealt_tiles<tuning, word>(items),
                                              hybrid}
                   .bytes() +
               std::max({rows(items), rows(some), rows(few), device::row_bytes<tuning>(parts)}) +
               sums;
    }
};

}  // namespace lookback::detail
