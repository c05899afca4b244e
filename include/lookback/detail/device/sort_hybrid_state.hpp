/// \file
/// Large arrays whose keys are spread evenly: a hybrid radix sort. It goes from the highest bits to
/// the lowest. Two kernels move the keys, each by up to 8 bits: first to 256 parts of the array,
/// then within each part to its buckets. A bucket fits into the shared memory of a block, which
/// sorts it by all the bits that are left (sort_hybrid_local.hpp). So keys of any width are moved
/// three times, where passes over all digits move keys of 4 bytes four times, and keys of 8 bytes
/// eight times.
///
/// Keys alone are scattered (sort_hybrid_scatter.hpp). Equal keys cannot be told apart, so their
/// order need not be kept: a tile takes its places in a bucket by an atomic addition, without
/// looking back, and a key its place in the tile. The result is the same however these fall out.
/// Keys with values are moved by passes that keep their order (sort_hybrid_pass.hpp).
///
/// Before anything moves, one kernel counts the keys of each bucket, and another finds where
/// buckets begin (sort_hybrid_counts.hpp). Buckets are for the highest bits that differ in a sample
/// of the keys. If the sample is uneven, if keys differ above these bits, or if a bucket is too
/// large, then all further kernels here leave at once, and the array is sorted by passes
/// (sort_pass.hpp), as if these kernels had not run.
///
/// Bytes, of n keys: n read to count; n read and written three times. Scratch memory, beside that
/// of passes: 12 bytes a bucket, a byte a tile.
///
/// Source: Stehle & Jacobsen 2017, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs".
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_shapes.hpp"

namespace lookback::detail::device {

inline constexpr int most_bucket_bits = 16;
inline constexpr int most_buckets = 1 << most_bucket_bits;
/// Tiles of all parts, each of which may have one that is not full.
inline constexpr std::uint64_t most_part_tiles = std::uint64_t{1} << 17;

/// Whether all keys of a bin of a bucket (sort_hybrid_local.hpp) are equal, and cannot be told
/// apart. `left`: the bits that tell the keys of a bucket apart.
template <class Problem>
__device__ bool bins_have_one_key(int left, int bin_bits) {
    return !Problem::has_values && left <= bin_bits;
}
/// Keys that a bin may have. Otherwise each is compared with all of them.
__device__ inline std::uint32_t most_in_bin(bool of_one_key) { return of_one_key ? 256 : 32; }

/// What the host knows of a hybrid sort.
struct sort_hybrid {
    int bits;                      ///< there are 2^bits buckets
    std::uint32_t most_in_bucket;  ///< keys that a bucket has room for
    int bin_bits;                  ///< a bucket is sorted by way of 2^bin_bits bins
    std::uint32_t tile_items;      ///< keys of a tile
    bool looked;  ///< whether sort_copy.hpp may have found that there is nothing left to do

    /// Buckets of a part.
    LOOKBACK_HD int buckets_of_part() const { return 1 << (bits - digit_bits); }
    __device__ bool is_done(const sort_sums* sums) const {
        return looked && load_settled(&sums->unsorted) == 0;
    }
    /// Whether the array is sorted by these kernels. Known when hybrid_starts_kernel has ended.
    __device__ bool goes_on(const sort_sums* sums) const {
        return for_hopper && load_settled(&sums->strays) == 0 && !is_done(sums);
    }
};

/// In memory that is all zero between calls.
struct hybrid_sums {
    std::uint32_t count[most_buckets];  ///< keys of each bucket
};
struct hybrid_zeros {
    sort_sums sums;  ///< `bucket` counts the keys of parts here
    hybrid_sums hybrid;
};

/// In scratch memory. All places are in the array.
struct hybrid_table {
    int first_bit;  ///< the lowest of the bits that tell buckets apart
    std::uint32_t part_start[digit_values + 1];
    std::uint32_t part_tile[digit_values + 1];  ///< the first tile of each part
    std::uint32_t part_next[digit_values];      ///< where the next keys of each part go
    std::uint32_t start[most_buckets + 1];      ///< of each bucket
    std::uint32_t next[most_buckets];           ///< where its next keys go
    std::uint32_t crowded[most_buckets];        ///< the buckets that are left to digits
    std::uint32_t crowded_buckets;              ///< how many these are
    std::uint8_t owner[most_part_tiles];        ///< the part of each tile

    /// From the beginning of a tile to the end of its part.
    __device__ item_range of_tile(std::uint64_t tile, std::uint32_t tile_items) const {
        const unsigned part = owner[tile];
        return {part_start[part] + (tile - part_tile[part]) * tile_items, part_start[part + 1]};
    }
    /// The bits that tell the parts apart, and those that tell the buckets of a part apart.
    __device__ digit_place part_digit(const sort_hybrid& by) const {
        const int first = first_bit + by.bits - digit_bits;
        return {{first, first + digit_bits}, 0};
    }
    __device__ digit_place bucket_digit(const sort_hybrid& by) const {
        return {{first_bit, first_bit + by.bits - digit_bits}, 0};
    }
};

/// Called by all threads of the first kernel that moves keys: returns whether it does. If so,
/// nothing is left to the passes.
template <class Problem>
__device__ bool begins_hybrid(const Problem& problem, const sort_sums* sums,
                              const sort_hybrid& by) {
    const bool goes_on = by.goes_on(sums);
    if (block_in_grid() == 0) {
        if (thread_in_block() == 0) problem.state->in_buckets = goes_on;
        if (thread_in_block() < most_passes) {
            problem.state->pass[thread_in_block()].step = sort_step::nothing;
        }
    }
    return goes_on;
}

}  // namespace lookback::detail::device
