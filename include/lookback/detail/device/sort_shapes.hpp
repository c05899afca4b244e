/// \file
/// Every tuned number of sorting on a GPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/portability.hpp"

namespace lookback::detail::device {

inline constexpr int digit_bits = 8;
inline constexpr int digit_values = 1 << digit_bits;

/// A block of a sort: its warps, the rows of 32 keys that each warp holds, and how many blocks must
/// fit in a multiprocessor's registers. (Of a cluster, `blocks` is its number of blocks at most.)
struct sort_shape {
    int warps;
    int rows;
    int blocks;

    LOOKBACK_HD constexpr int threads() const { return warps * warp_lanes; }
    LOOKBACK_HD constexpr int items() const { return threads() * rows; }
};

/// A number of keys that no array has.
inline constexpr std::uint64_t never = ~std::uint64_t{0};

struct sort_tuning {
    sort_shape tile;             ///< of a pass
    sort_shape small_tile;       ///< of a pass over few keys, or where there is no room for `tile`
    std::uint64_t small_until;   ///< so many keys are few
    sort_shape middle_tile;      ///< of a pass over more keys than these,
    std::uint64_t middle_until;  ///< and up to so many
    /// Up to so many keys for each digit are all compared with each other.
    std::uint64_t enumerated_for_digit;
    sort_shape few, many;                        ///< of the one block that sorts small arrays
    sort_shape few_in_cluster, many_in_cluster;  ///< of the cluster that sorts small arrays
    std::uint64_t alone_until;                   ///< up to so many keys are not worth a cluster
    std::uint64_t cluster_items;                 ///< keys that are worth a block of a cluster
    std::uint64_t buckets_from;  ///< more keys than these are sorted in buckets, if they are even
    sort_shape dealt;            ///< of the blocks that deal items out to buckets, at most,
    std::uint64_t dealt_tiles;   ///< which deal from no fewer tiles than these
    sort_shape few_in_bucket, many_in_bucket;  ///< of the blocks that sort a bucket each
    std::uint64_t hybrid_from;  ///< more keys than these go to hybrid sorts, if they are even
    /// With more keys than these, wide values go by their positions.
    std::uint64_t by_positions_from;
    sort_shape scattered;                    ///< of the blocks that scatter a tile each,
    sort_shape few_in_local, many_in_local;  ///< of those that sort a bucket each,
    int few_bin_bits, many_bin_bits;         ///< into so many bins,
    int hybrid_count_threads;                ///< of those that count buckets,
    std::uint64_t hybrid_count_items;        ///< and keys that are worth one of these
    std::uint32_t portion_tiles;             ///< tiles that one launch of a pass sorts, at most
    int count_threads;                       ///< of a block that counts digits
    std::uint64_t count_items;               ///< keys that are worth a block that counts digits
    int count_all_threads;                   ///< of a block that counts all words
    /// Keys that are worth a block that counts all words.
    std::uint64_t count_all_items;
    /// With so many keys or more, all words are counted, if they can be.
    std::uint64_t count_all_from;
    /// With so many keys or more, a kernel first looks whether they are sorted.
    std::uint64_t looks_from;
};

/// Bytes of shared memory that a cluster's block needs for each of its keys.
template <class Word, class Value>
inline constexpr int cluster_bytes =
    static_cast<int>(sizeof(Word) + (sizeof(Word) < 4 ? 4 : sizeof(Word))) +
    (is_absent<Value> ? 0 : 8);

/// Values of up to so many bytes are moved together with their keys, through shared memory. Wider
/// ones are fetched once their places are known.
inline constexpr int most_held_bytes = 8;

/// Bytes in shared memory of what stands for a value: the value itself, or its number in the tile.
template <class Value>
inline constexpr int held_bytes = is_absent<Value>                        ? 0
                                  : staged_size<Value> <= most_held_bytes ? staged_size<Value>
                                                                          : 2;

/// The tile of a pass. If an item has 8 bytes or more, one block has all of a multiprocessor: the
/// larger a tile, the more of its keys go to neighbouring places. For keys alone there are few
/// warps with many rows each, because then there are fewer counters to add up between counting and
/// ranking.
template <class Word, class Value>
constexpr sort_shape sort_tile_of() {
    constexpr int word = static_cast<int>(sizeof(Word)), held = held_bytes<Value>;
    // As many rows as fit in the registers, and in the shared memory of a block.
    if (held == 0 && word == 8) return {16, 28, 1};
    if (held == 0 && word <= 4) return {14, 24, 2};
    if (held == 0) return {16, 96 / word, 2};
    if (staged_size<Value> > most_held_bytes) {
        return {16, std::min(word > 4 ? 64 / word : 12, 92 * 1024 / (512 * (word + held))), 2};
    }
    if (held > 4 && word <= 8) return {24, 14, 1};
    if (word <= 4) return {28, 22, 1};
    return {32, 96 / word, 1};
}

/// The tile of a pass over so few keys that large tiles would not keep all multiprocessors busy
/// until the end.
template <class Word, class Value>
constexpr sort_shape sort_middle_tile_of() {
    if (sizeof(Word) <= 4 && held_bytes<Value> == 4) return {12, 20, 2};
    return sort_tile_of<Word, Value>();
}

template <class Word, class Value>
constexpr sort_tuning sort_tuning_of() {
    constexpr int threads = 16 * warp_lanes;
    // Bytes of a row of a small tile.
    constexpr int bytes = threads * (static_cast<int>(sizeof(Word)) + held_bytes<Value>);
    // Keys alone leave registers for two blocks.
    constexpr int small_blocks = is_absent<Value> && sizeof(Word) <= 4 ? 2 : 1;
    // In a cluster values are fetched at the end, more slowly than a pass writes them, and keys of
    // 8 bytes are sorted faster in buckets. So both have fewer rows.
    constexpr int cluster_rows = std::min(is_absent<Value> && sizeof(Word) <= 4 ? 16 : 8,
                                          184 * 1024 / (threads * cluster_bytes<Word, Value>));
    constexpr sort_shape scattered = sizeof(Word) <= 4
                                         ? sort_shape{12, 32, 2}
                                         : sort_shape{16, 128 / static_cast<int>(sizeof(Word)), 2};
    // Two rows more than 2^22 items of 4 bytes, or 2^21 of 8, need in 256 even buckets.
    constexpr int bucket_rows = sizeof(Word) <= 4 ? 18 : static_cast<int>(64 / sizeof(Word)) + 2;
    constexpr std::uint64_t hybrid_from = std::uint64_t{digit_values} * 1024 * (bucket_rows - 1);
    return {.tile = sort_tile_of<Word, Value>(),
            .small_tile = {16, std::min(8, 40 * 1024 / bytes), small_blocks},
            .small_until = std::uint64_t{1} << 20,
            .middle_tile = sort_middle_tile_of<Word, Value>(),
            .middle_until = std::uint64_t{1} << 23,
            .enumerated_for_digit = 1024,
            .few = {8, 8, 1},
            .many = {32, sizeof(Word) <= 4 ? 16 : 8, 1},
            .few_in_cluster = {8, 4, 16},
            .many_in_cluster = {16, cluster_rows, 16},
            .alone_until = 1024,
            .cluster_items = 256,
            .buckets_from = std::uint64_t{1} << 15,
            .dealt = {16, std::min(16, 64 / static_cast<int>(sizeof(Word))), 2},
            .dealt_tiles = 128,
            .few_in_bucket = {16, std::min(9, bucket_rows), 2},
            .many_in_bucket = {32, bucket_rows, 1},
            .hybrid_from = hybrid_from,
            .by_positions_from = hybrid_from,
            .scattered = scattered,
            .few_in_local = {16, 9, sizeof(Word) <= 8 ? 3 : 2},
            .many_in_local = {32, 18, is_absent<Value> && sizeof(Word) <= 4 ? 2 : 1},
            .few_bin_bits = 12,
            .many_bin_bits = 13,
            .hybrid_count_threads = 1024,
            .hybrid_count_items = std::uint64_t{1} << 15,
            .portion_tiles = 1U << 15,
            .count_threads = 512,
            .count_items = 8192,
            .count_all_threads = 1024,
            .count_all_items = std::uint64_t{1} << 16,
            .count_all_from = std::uint64_t{1} << (sizeof(Word) == 1 ? 27 : 22),
            .looks_from = std::uint64_t{1} << 20};
}

}  // namespace lookback::detail::device
