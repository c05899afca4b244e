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

/// The largest buckets. With values there is only one shape of them.
template <sort_tuning tuning, class Value>
inline constexpr sort_shape largest_local =
    is_absent<Value> ? tuning.many_in_local : tuning.few_in_local;

/// Whether so many keys are sorted so, if they are even.
template <sort_tuning tuning, class Value>
constexpr bool sorts_hybrid(std::uint64_t items) {
    return items > tuning.hybrid_from && bucket_bits(largest_local<tuning, Value>, items) > 0;
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

/// Launches all kernels, with buckets of this shape. Returns false, and launches none, if there are
/// too many keys for it, or too little shared memory.
template <sort_shape local, int bin_bits, sort_tuning tuning, class Problem>
bool launch_hybrid_by(gpu& where, launch_step step, const Problem& problem, sort_sums* sums,
                      hybrid_sums* counts, bool looked) {
    using Value = typename Problem::value_type;
    constexpr sort_shape tile = hybrid_tile<tuning, Value>;
    using moves_memory =
        std::conditional_t<Problem::has_values, sort_pass_memory<Problem, tile>,
                           hybrid_scatter_memory<typename Problem::word_type, tile>>;
    constexpr std::size_t count_bytes = bucket_counters::bytes(most_bucket_bits);
    constexpr std::size_t local_bytes = sizeof(hybrid_local_memory<Problem, local, bin_bits>);
    constexpr sort_shape crowded = largest_local<tuning, Value>;
    constexpr std::size_t crowded_bytes =
        sizeof(sort_block_memory<Problem, crowded, Problem::has_values>);
    // The counting kernel has some shared memory beside its counters.
    constexpr std::size_t most_bytes =
        std::max({count_bytes + 4096, sizeof(moves_memory), local_bytes, crowded_bytes});
    const std::uint64_t items = problem.count.at_most;
    const int bits = bucket_bits(local, items);
    const std::uint64_t tiles = part_tiles<tuning, Value>(items);
    if (bits == 0 || !access::pipelines(where, most_bytes) || tiles > most_part_tiles ||
        (Problem::has_values && tiles > tuning.portion_tiles)) {
        return false;
    }
    const sort_hybrid by{bits, static_cast<std::uint32_t>(local.items()), bin_bits,
                         static_cast<std::uint32_t>(tile.items()), looked};
    const auto* const known_sums = static_cast<const sort_sums*>(sums);
    {
        constexpr int threads = tuning.hybrid_count_threads;
        constexpr auto kernel = hybrid_count_kernel<Problem, threads>;
        const auto& known = access::facts<kernel>(where, threads, count_bytes);
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
    launch_hybrid_moves<tuning>(where, step, problem, known_sums, by, sizeof(moves_memory));
    const std::uint64_t buckets = std::uint64_t{1} << bits;
    {
        constexpr auto kernel =
            hybrid_local_kernel<Problem, local.warps, local.rows, local.blocks, bin_bits>;
        const auto& known = access::facts<kernel>(where, local.threads(), local_bytes);
        start_in<kernel>(step, where, known, std::min(buckets, most_local_blocks), local.threads(),
                         local_bytes, problem, known_sums, by);
    }
    constexpr auto kernel = hybrid_crowded_kernel<Problem, crowded.warps, crowded.rows, 1>;
    const auto& known = access::facts<kernel>(where, crowded.threads(), crowded_bytes);
    start_in<kernel>(step, where, known, access::blocks(where, buckets, known), crowded.threads(),
                     crowded_bytes, problem, known_sums, by);
    return true;
}

/// Launches all kernels of a hybrid sort; returns whether it has.
template <sort_tuning tuning, class Problem>
bool launch_hybrid(gpu& where, launch_step step, const Problem& problem, sort_sums* sums,
                   hybrid_sums* counts, bool looked) {
    if (launch_hybrid_by<tuning.few_in_local, tuning.few_bin_bits, tuning>(where, step, problem,
                                                                           sums, counts, looked)) {
        return true;
    }
    if constexpr (Problem::has_values) {
        return false;
    } else {
        return launch_hybrid_by<tuning.many_in_local, tuning.many_bin_bits, tuning>(
            where, step, problem, sums, counts, looked);
    }
}

}  // namespace lookback::detail::device
