/// \file
/// Every tuned number of sorting on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/portability.hpp"

namespace lookback::detail::device {

inline constexpr int digit_bits = 8;
inline constexpr int digit_values = 1 << digit_bits;

/// A block of a sort: warps, rows of 32 keys that each of them holds, and how many blocks the
/// registers of a multiprocessor are to suffice for.
struct sort_shape {
    int warps;
    int rows;
    int blocks;

    LOOKBACK_HD constexpr int threads() const { return warps * warp_lanes; }
    LOOKBACK_HD constexpr int items() const { return threads() * rows; }
};

/// How lanes find those that hold the same digit: a ballot for each of its bits, or the instruction
/// that matches words.
enum class digit_match { ballots, instruction };

struct sort_tuning {
    sort_shape tile;              ///< of a pass
    sort_shape few, many;         ///< of the one block that sorts small arrays
    std::uint32_t portion_tiles;  ///< that one launch of a pass sorts, at most
    int count_warps;              ///< of a block that counts, at most
    std::uint64_t count_items;    ///< that are worth a block that counts
    digit_match match;
};

/// Bytes of a value that are moved together with its key, through shared memory; wider ones are
/// fetched when it is known where they go.
inline constexpr int most_held_bytes = 8;

/// Bytes in shared memory of what stands for a value: itself, or where it is in the tile.
template <class Value>
inline constexpr int held_bytes = is_absent<Value>                        ? 0
                                  : staged_size<Value> <= most_held_bytes ? staged_size<Value>
                                                                          : 2;

template <class Word, class Value>
constexpr sort_tuning sort_tuning_of() {
    // As many as 48 KiB hold, which leaves room for three blocks, and the registers of 16 rows.
    constexpr int bytes = static_cast<int>(sizeof(Word)) + held_bytes<Value>;
    constexpr int rows = 96 / bytes;
    return {.tile = {16, rows < 16 ? rows : 16, 2},
            .few = {8, 8, 1},
            .many = {32, sizeof(Word) <= 4 ? 16 : 8, 1},
            .portion_tiles = 1U << 15,
            .count_warps = 24,
            .count_items = 8192,
            .match = digit_match::ballots};
}

}  // namespace lookback::detail::device
