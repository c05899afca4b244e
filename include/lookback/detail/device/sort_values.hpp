/// \file
/// How values go to their places in a sort. Values of up to 8 bytes go through shared memory beside
/// their keys. Wider ones are fetched from where they are, once their places are known: a warp
/// moves them unit by unit, so that its lanes read and write neighbouring units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// Brings item `i` of an array to shared memory. It is there when wait_copies() has returned.
template <class Value, class From>
__device__ void bring_value(Value& to, const From& from, std::uint64_t i) {
    constexpr std::size_t unit_bytes = sizeof(to.unit[0]);
    if constexpr (std::is_pointer_v<From> && unit_bytes >= 4) {
        for (std::size_t u = 0; u < sizeof(Value) / unit_bytes; ++u) {
            copy_later<static_cast<int>(unit_bytes)>(&to.unit[u], &from[i].unit[u]);
        }
    } else {
        to = from[i];
    }
}

/// A warp moves `count` values, up to 32. Lane l says where value l goes: from item `source` to
/// item `target`.
template <class From, class To>
__device__ void move_values(const From& from, const To& to, int count, std::uint64_t source,
                            std::uint64_t target) {
    if constexpr (std::is_pointer_v<From> && std::is_pointer_v<To>) {
        using moved = std::remove_cvref_t<decltype(*to)>;
        using unit = std::remove_cvref_t<decltype(to->unit[0])>;
        constexpr int units = sizeof(moved) / sizeof(unit);
        // Rows of 32 units, one value after the other.
#pragma unroll 4
        for (int row = 0; row < units; ++row) {
            const int at = row * warp_lanes + lane();
            const int value = at / units;
            const std::uint64_t read = from_lane(source, value);
            const std::uint64_t written = from_lane(target, value);
            if (value < count) to[written].unit[at % units] = from[read].unit[at % units];
        }
    } else {
        if (lane() < count) store_value(to, target, from[source]);
    }
}

}  // namespace lookback::detail::device
