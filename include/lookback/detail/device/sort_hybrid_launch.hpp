/// \file
/// The launches of a hybrid sort (sort_hybrid_state.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_hybrid_counts.hpp"
#include "lookback/detail/device/sort_hybrid_local.hpp"
#include "lookback/detail/device/sort_hybrid_pass.hpp"
#include "lookback/detail/device/sort_hybrid_scatter.hpp"
#include "lookback/detail/device/sort_launch_step.hpp"
#include "lookback/detail/device/sort_pass_launch.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// Blocks that sort buckets, at most: if keys are not even, each has only to find that out.
inline constexpr std::uint64_t most_local_blocks = 1 << 13;

/// Whether a hybrid sort may sort such a problem, provided that all bits are sorted by.
template <sort_tuning tuning, class Problem>
inline constexpr bool may_be_hybrid = tuning.hybrid_from != never && !Problem::fetches_values &&
                                      sizeof(typename Problem::word_type) > 2;

/// The bits that tell buckets of this shape apart, for so many keys; 0 if there are too many keys.
/// A ninth of each bucket is left free, because buckets of even keys still differ in size.
constexpr int bucket_bits(const sort_shape& shape, std::uint64_t items) {
    const auto even = static_cast<std::uint64_t>(shape.items()) / 9 * 8;
    for (int bits = digit_bits + 1; bits <= most_bucket_bits; ++bits) {
        if (items <= even << bits) return bits;
    }
    return 0;
}

/// The tile that keys are moved by.
template <sort_tuning tuning, class Value>
inline constexpr sort_shape hybrid_tile = is_absent<Value> ? tuning.scattered : tuning.tile;

/// The most tiles of all parts, of so many keys.
template <sort_tuning tuning, class Value>
constexpr std::uint64_t part_tiles(std::uint64_t items) {
    return tiles_for(items, static_cast<unsigned>(hybrid_tile<tuning, Value>.items())) +
           digit_values;
}

/// Launches the kernels that move keys, all of them to buckets.
template <sort_tuning tuning, class Problem>
void launch_hybrid_moves(gpu& where, launch_step step, const Problem& problem,
                         const sort_sums* sums, const sort_hybrid& by, std::size_t bytes) {
    using Value = typename Problem::value_type;
    constexpr sort_shape tile = hybrid_tile<tuning, Value>;
    const std::uint64_t tiles = part_tiles<tuning, Value>(problem.count.at_most);
    if constexpr (Problem::has_values) {
        // As much as passes need, if it comes to them: memory that grows is there twice for a
        // while.
        const std::uint64_t most =
            std::max(tiles, tiles_of_passes<tuning, Problem>(where, problem.count.at_most));
        const auto workspace = access::region<std::uint32_t>(where, most * digit_values);
        constexpr auto kernel = hybrid_pass_kernel<Problem, tile.warps, tile.rows, tile.blocks>;
        const auto& known = access::facts<kernel>(where, tile.threads(), bytes);
        for (const bool in_parts : {false, true}) {
            start_in<kernel>(step, where, known, access::blocks(where, tiles, known),
                             tile.threads(), bytes, problem, workspace, sums, by, in_parts);
        }
    } else {
        const auto move = [&]<bool in_parts>(std::bool_constant<in_parts>) {
            constexpr auto kernel =
                hybrid_scatter_kernel<Problem, tile.warps, tile.rows, tile.blocks, in_parts>;
            const auto& known = access::facts<kernel>(where, tile.threads(), bytes);
            start_in<kernel>(step, where, known, tiles, tile.threads(), bytes, problem, sums, by);
        };
        move(std::false_type{});
        move(std::true_type{});
    }
}

/// The shared memory of the kernels, with buckets of this shape.
template <sort_shape local, int bin_bits, sort_tuning tuning, class Problem>
struct hybrid_bytes {
    static constexpr sort_shape tile = hybrid_tile<tuning, typename Problem::value_type>;
    using moves_memory =
        std::conditional_t<Problem::has_values, sort_pass_memory<Problem, tile>,
                           hybrid_scatter_memory<typename Problem::word_type, tile>>;
    static constexpr std::size_t count = bucket_counters::bytes(most_bucket_bits);
    static constexpr std::size_t moves = sizeof(moves_memory);
    static constexpr std::size_t buckets = sizeof(hybrid_local_memory<Problem, local, bin_bits>);
    static constexpr std::size_t crowded =
        sizeof(sort_block_memory<Problem, local, Problem::has_values>);
    /// The counting kernel has some shared memory beside its counters.
    static constexpr std::size_t most = std::max({count + 4096, moves, buckets, crowded});
};

/// Whether a GPU has room for buckets of this shape, and they have room for so many keys.
template <sort_shape local, int bin_bits, sort_tuning tuning, class Problem>
bool fits_hybrid(gpu& where, std::uint64_t items) {
    using bytes = hybrid_bytes<local, bin_bits, tuning, Problem>;
    if constexpr (bytes::most > hopper_shared_bytes) {
        return false;
    } else {
        constexpr int threads = tuning.hybrid_count_threads;
        constexpr auto kernel = hybrid_count_kernel<Problem, threads>;
        const std::uint64_t tiles = part_tiles<tuning, typename Problem::value_type>(items);
        return bucket_bits(local, items) > 0 && tiles <= most_part_tiles &&
               (!Problem::has_values || tiles <= tuning.portion_tiles) &&
               access::pipelines(where, bytes::most) &&
               access::facts<kernel>(where, threads, bytes::count).architecture >= 90;
    }
}

/// The buckets of a hybrid sort, if there is to be one.
enum class hybrid_buckets { none, few_keys, many_keys };

/// `all_bits`: whether all bits of keys are sorted by.
template <sort_tuning tuning, class Problem>
hybrid_buckets buckets_of_hybrid(gpu& where, std::uint64_t items, bool all_bits) {
    if constexpr (may_be_hybrid<tuning, Problem>) {
        if (!all_bits || items <= tuning.hybrid_from) return hybrid_buckets::none;
        if (fits_hybrid<tuning.few_in_local, tuning.few_bin_bits, tuning, Problem>(where, items)) {
            return hybrid_buckets::few_keys;
        }
        if constexpr (!Problem::has_values) {
            if (fits_hybrid<tuning.many_in_local, tuning.many_bin_bits, tuning, Problem>(where,
                                                                                         items)) {
                return hybrid_buckets::many_keys;
            }
        }
    }
    return hybrid_buckets::none;
}

/// Launches all kernels, with buckets of this shape.
template <sort_shape local, int bin_bits, sort_tuning tuning, class Problem>
void launch_hybrid_by(gpu& where, launch_step step, const Problem& problem, hybrid_zeros* zeros,
                      bool looked) {
    using bytes = hybrid_bytes<local, bin_bits, tuning, Problem>;
    const std::uint64_t items = problem.count.at_most;
    const int bits = bucket_bits(local, items);
    const sort_hybrid by{bits, static_cast<std::uint32_t>(local.items()), bin_bits,
                         static_cast<std::uint32_t>(bytes::tile.items()), looked};
    sort_sums* const sums = &zeros->sums;
    hybrid_sums* const counts = &zeros->hybrid;
    const auto* const known_sums = static_cast<const sort_sums*>(sums);
    {
        constexpr int threads = tuning.hybrid_count_threads;
        constexpr auto kernel = hybrid_count_kernel<Problem, threads>;
        const auto& known = access::facts<kernel>(where, threads, bytes::count);
        start_in<kernel>(step, where, known,
                         access::blocks(where, tiles_for(items, tuning.hybrid_count_items), known),
                         threads, bucket_counters::bytes(bits), problem, sums, counts, by);
    }
    {
        constexpr auto kernel = hybrid_starts_kernel<Problem>;
        const auto& known = access::facts<kernel>(where, digit_values, 0);
        start_in<kernel>(step, where, known, digit_values, digit_values, 0, problem, sums, counts,
                         by);
    }
    launch_hybrid_moves<tuning>(where, step, problem, known_sums, by, bytes::moves);
    const std::uint64_t buckets = std::uint64_t{1} << bits;
    {
        constexpr auto kernel =
            hybrid_local_kernel<Problem, local.warps, local.rows, local.blocks, bin_bits>;
        const auto& known = access::facts<kernel>(where, local.threads(), bytes::buckets);
        start_in<kernel>(step, where, known, std::min(buckets, most_local_blocks), local.threads(),
                         bytes::buckets, problem, known_sums, by);
    }
    constexpr auto kernel = hybrid_crowded_kernel<Problem, local.warps, local.rows, 1>;
    const auto& known = access::facts<kernel>(where, local.threads(), bytes::crowded);
    start_in<kernel>(step, where, known, access::blocks(where, buckets, known), local.threads(),
                     bytes::crowded, problem, known_sums, by);
}

/// Launches all kernels of a hybrid sort.
template <sort_tuning tuning, class Problem>
void launch_hybrid(gpu& where, launch_step step, const Problem& problem, hybrid_zeros* zeros,
                   bool looked, hybrid_buckets buckets) {
    if (buckets == hybrid_buckets::few_keys) {
        launch_hybrid_by<tuning.few_in_local, tuning.few_bin_bits, tuning>(where, step, problem,
                                                                           zeros, looked);
    } else if constexpr (!Problem::has_values &&
                         hybrid_bytes<tuning.many_in_local, tuning.many_bin_bits, tuning,
                                      Problem>::most <= hopper_shared_bytes) {
        launch_hybrid_by<tuning.many_in_local, tuning.many_bin_bits, tuning>(where, step, problem,
                                                                             zeros, looked);
    }
}

}  // namespace lookback::detail::device
