/// \file
/// Sorting segments on a GPU: from the public functions to a problem and its launches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/segmented_sort_launch.hpp"
#include "lookback/detail/device/sort.hpp"
#include "lookback/segmented_sort.hpp"

namespace lookback::detail {
namespace device {

/// See segmented_sorts_on::run in lookback/segmented_sort.hpp.
template <class Key, segmented_sort_tuning tuning, class Offsets, class Keys, class KeysOut,
          class Values, class ValuesOut>
void sort_segments(gpu& where, const item_count& count, const segment_offsets<Offsets>& segments,
                   const Keys& keys, const KeysOut& keys_out, const Values& values,
                   const ValuesOut& values_out, const sort_by& by) {
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    if (entries < 2) return;
    const auto problem = sort_problem_of<Key>(count, keys, keys_out, values, values_out, by);
    launch_segmented_sort<tuning>(where, problem, room_of(problem), indexed(segments.first),
                                  entries - 1);
}

}  // namespace device

template <>
struct segmented_sorts_on<gpu> {
    template <class Offsets>
    static void check(gpu&, const segment_offsets<Offsets>&, const item_count&) {}

    template <class Key, class Offsets, class Keys, class KeysOut, class Values, class ValuesOut>
    static void run(gpu& where, const item_count& count, const segment_offsets<Offsets>& segments,
                    const Keys& keys, const KeysOut& keys_out, const Values& values,
                    const ValuesOut& values_out, const sort_by& by) {
        using value = typename device::sorted_value<Values, ValuesOut>::type;
        constexpr auto tuning =
            device::segmented_sort_tuning_of<key_word<Key>,
                                             typename device::moved_form<value>::type>();
        device::sort_segments<Key, tuning>(where, count, segments, keys, keys_out, values,
                                           values_out, by);
    }

    template <class Key, class Value>
    static std::size_t scratch_bytes(gpu& where, std::size_t items, bool keys_too) {
        using word = key_word<Key>;
        using moved = typename device::moved_form<Value>::type;
        constexpr auto tuning = device::segmented_sort_tuning_of<word, moved>();
        using problem = device::sort_problem<word, const word*, word*, moved, const moved*, moved*>;
        const device::segment_rooms rooms =
            device::rooms_of<tuning, problem>(where, items, static_cast<int>(sizeof(word)));
        const device::sort_room<word, moved> arrays{keys_too ? 1 : 2,
                                                    device::is_absent<Value> ? 0 : 1, items};
        return rooms.bytes() + arrays.bytes() + device::row_bytes<tuning.large>(rooms.tiles());
    }
};

}  // namespace lookback::detail
