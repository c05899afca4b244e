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

/// The whole block brings the values of a tile, `items` items from item `first` on, to shared
/// memory. They are there when wait_copies() has returned in all threads. `full`: as many items as
/// the tile has room for. Where these begin on a 16-byte boundary, whole vectors are copied.
template <sort_shape shape, bool full, class Value, class From>
__device__ void bring_values(Value* to, const From& from, std::uint64_t first, int items) {
    using unit = std::remove_cvref_t<decltype(to->unit[0])>;
    constexpr bool copies = std::is_pointer_v<From> && sizeof(unit) >= 4;
    if constexpr (copies && full && 16 % sizeof(Value) == 0) {
        constexpr int of_vector = 16 / static_cast<int>(sizeof(Value));
        if (reinterpret_cast<std::uintptr_t>(from + first) % 16 == 0) {
#pragma unroll
            for (int i = 0; i < shape.items(); i += of_vector * shape.threads()) {
                const int at = i + of_vector * thread_in_block();
                if (at < shape.items()) copy_later<16>(to + at, from + first + at);
            }
            return;
        }
    }
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        const int at = i * shape.threads() + thread_in_block();
        if (!full && at >= items) break;
        if constexpr (copies) {
            for (std::size_t u = 0; u < sizeof(Value) / sizeof(unit); ++u) {
                copy_later<static_cast<int>(sizeof(unit))>(&to[at].unit[u],
                                                           &from[first + at].unit[u]);
            }
        } else {
            to[at] = from[first + at];
        }
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
