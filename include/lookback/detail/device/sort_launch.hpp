/// \file
/// From a sort's problem to its launches.
///
/// Small arrays: one kernel. It compares all keys with each other, or it is one block or one
/// cluster of blocks. Other arrays: if there are many keys, a kernel that copies as long as the
/// keys are sorted; a kernel that counts; and a kernel for each digit. Keys of one byte without
/// values, and many keys of two bytes, have a kernel that writes what was counted instead of the
/// kernels for the digits. Arrays of a medium size have two more kernels before the one that
/// counts: one deals the items out to buckets, the other sorts each bucket in a block. Larger ones
/// have six more (sort_hybrid_launch.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_buckets_launch.hpp"
#include "lookback/detail/device/sort_cluster.hpp"
#include "lookback/detail/device/sort_copy.hpp"
#include "lookback/detail/device/sort_counted_launch.hpp"
#include "lookback/detail/device/sort_counts.hpp"
#include "lookback/detail/device/sort_enumeration.hpp"
#include "lookback/detail/device/sort_hybrid_launch.hpp"
#include "lookback/detail/device/sort_launch_step.hpp"
#include "lookback/detail/device/sort_pass_launch.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_room.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/sort_small.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// The most keys that are compared with each other, of a word's `digits` digits.
template <sort_tuning tuning, class Word>
constexpr std::uint64_t enumerated_until(int digits) {
    return std::min<std::uint64_t>(most_enumerated<Word>,
                                   static_cast<unsigned>(digits) * tuning.enumerated_for_digit);
}

/// The most keys that any GPU sorts in one launch.
template <sort_tuning tuning, class Word>
inline constexpr std::uint64_t most_in_one_launch = [] {
    const auto of_cluster = [](const sort_shape& shape) {
        const auto items = static_cast<std::uint64_t>(shape.blocks * shape.items());
        return items > tuning.alone_until ? items : 0;
    };
    return std::max({enumerated_until<tuning, Word>(sizeof(Word)),
                     static_cast<std::uint64_t>(tuning.few.items()),
                     static_cast<std::uint64_t>(tuning.many.items()),
                     of_cluster(tuning.few_in_cluster), of_cluster(tuning.many_in_cluster)});
}();

/// Sorts few keys by comparing all of them; returns whether it does.
template <sort_tuning tuning, class Problem>
bool launch_enumeration_sort(gpu& where, const Problem& problem) {
    using Word = typename Problem::word_type;
    const std::uint64_t most = problem.count.at_most;
    if (most > enumerated_until<tuning, Word>(problem.digits.digits()) || !problem.layout.apart) {
        return false;
    }
    const auto rows = static_cast<int>(tiles_for(most, warp_lanes));
    const int rows_of_warp = (rows - 1) / enumerating_warps + 1;
    const int warps = (rows - 1) / rows_of_warp + 1;
    constexpr auto kernel = enumeration_sort_kernel<Problem>;
    const auto& known = access::facts<kernel>(where, enumerating_warps * warp_lanes, 0);
    start<kernel>(where, known, static_cast<unsigned>(rows), warps * warp_lanes, 0, problem,
                  rows_of_warp);
    return true;
}

/// Sorts in one block, if one can hold so many keys on this GPU; returns whether it does.
template <sort_shape shape, class Problem>
bool launch_small_sort(gpu& where, Problem& problem) {
    constexpr std::size_t bytes = sizeof(sort_small_memory<Problem, shape>);
    const std::uint64_t most = problem.count.at_most;
    if (most > static_cast<std::uint64_t>(shape.items()) ||
        bytes > access::most_shared_bytes(where)) {
        return false;
    }
    place_second_values(where, problem);
    constexpr auto kernel = sort_small_kernel<Problem, shape.warps, shape.rows>;
    const auto& known = access::facts<kernel>(where, shape.threads(), bytes);
    start<kernel>(where, known, 1, shape.threads(), bytes, problem);
    return true;
}

/// Sorts in one cluster of blocks, if one can hold so many keys on this GPU; returns whether it
/// does. `dealt`: the sums of the dealing, if kernels of sort_buckets.hpp run before and may have
/// sorted the keys; otherwise null.
template <sort_shape shape, sort_tuning tuning, class Problem>
bool launch_cluster_sort(gpu& where, launch_step step, Problem& problem, sort_sums* dealt) {
    constexpr std::size_t bytes = sizeof(sort_cluster_memory<Problem, shape>);
    const std::uint64_t most = problem.count.at_most;
    if (most <= tuning.alone_until ||
        most > static_cast<std::uint64_t>(shape.blocks * shape.items()) ||
        !access::pipelines(where, bytes)) {
        return false;
    }
    constexpr auto kernel = sort_cluster_kernel<Problem, shape.warps, shape.rows, shape.blocks>;
    const auto& known = access::facts<kernel, shape.blocks>(where, shape.threads(), bytes);
    const auto room = static_cast<unsigned>(known.cluster_blocks);
    unsigned blocks = 2;
    while (blocks < room && blocks * tuning.cluster_items < most) blocks *= 2;
    if (room == 1 || most > blocks * static_cast<std::uint64_t>(shape.items())) return false;
    if (step == launch_step::ask) return true;
    if (dealt == nullptr) place_second_values(where, problem);
    start_clusters<kernel>(where, known, blocks, blocks, shape.threads(), bytes, problem, dealt);
    return true;
}

/// Launches the kernel that copies many keys as long as they are sorted; returns whether it does.
template <sort_tuning tuning, class Problem>
bool launch_sort_copy(gpu& where, launch_step step, const Problem& problem, sort_sums* sums) {
    constexpr sort_shape shape = tuning.tile;
    const std::uint64_t items = problem.count.at_most;
    const sort_layout& lies = problem.layout;
    if (items < tuning.looks_from || !(lies.same || lies.apart || lies.keys_stay)) return false;
    constexpr auto kernel = sort_copy_kernel<Problem, shape.warps, shape.rows>;
    const auto& known = access::facts<kernel>(where, shape.threads(), 0);
    start_in<kernel>(step, where, known,
                     access::blocks(where, tiles_for(items, shape.items()), known), shape.threads(),
                     0, problem, sums);
    return true;
}

/// Counts digits, and plans the passes.
template <sort_tuning tuning, class Problem>
void launch_sort_counts(gpu& where, launch_step step, const Problem& problem, sort_sums* sums,
                        bool looked, bool dealt) {
    constexpr int threads = tuning.count_threads;
    constexpr auto kernel = sort_count_kernel<Problem, threads>;
    const auto& known = access::facts<kernel>(where, threads, 0);
    start_in<kernel>(
        step, where, known,
        access::blocks(where, tiles_for(problem.count.at_most, tuning.count_items), known), threads,
        0, problem, sums, looked, dealt);
}

/// All kernels of a sort of many items but its passes; returns whether passes are to follow.
template <sort_tuning tuning, class Problem>
bool launch_before_passes(gpu& where, launch_step step, Problem& problem, hybrid_zeros* zeros,
                          hybrid_buckets hybrid, std::uint64_t tiles, bool by_all_bits) {
    sort_sums* const sums = &zeros->sums;
    if constexpr (counts_bytes<Problem>) {
        if (by_all_bits) {
            launch_sort_counts<tuning>(where, step, problem, sums, false, false);
            launch_sort_fill(where, step, problem, problem.state->starts[0][0], nullptr);
            return false;
        }
    }
    const bool looked = launch_sort_copy<tuning>(where, step, problem, sums);
    bool dealt = false;
    if constexpr (may_be_hybrid<tuning, Problem>) {
        if (hybrid != hybrid_buckets::none) {
            launch_hybrid<tuning>(where, step, problem, zeros, looked, hybrid);
            dealt = true;
        }
    }
    if constexpr (sizeof(typename Problem::word_type) > 2) {
        dealt = dealt ||
                launch_sort_in_buckets<tuning.few_in_bucket, tuning>(where, step, problem, sums,
                                                                     looked, tiles) ||
                launch_sort_in_buckets<tuning.many_in_bucket, tuning>(where, step, problem, sums,
                                                                      looked, tiles);
        if (dealt &&
            launch_cluster_sort<tuning.many_in_cluster, tuning>(where, step, problem, sums)) {
            return false;
        }
    }
    launch_sort_counts<tuning>(where, step, problem, sums, looked, dealt);
    return true;
}

/// Sorts a problem. Gives it its places in scratch memory, if it is not sorted in one kernel.
template <sort_tuning tuning, class Problem, class Room>
void launch_sort(gpu& where, Problem& problem, Room& room) {
    using Word = typename Problem::word_type;
    const int bits = problem.digits.last - problem.digits.first;
    const bool by_all_bits = bits == word_bits<Word>;
    const hybrid_buckets hybrid =
        buckets_of_hybrid<tuning, Problem>(where, problem.count.at_most, by_all_bits);
    const bool is_hybrid = hybrid != hybrid_buckets::none;
    // Sorting by two digits in passes takes no longer than in buckets.
    const std::uint64_t tiles =
        bits > 2 * digit_bits && !is_hybrid ? dealt_tiles<tuning, Word>(problem.count.at_most) : 0;
    constexpr launch_step now = launch_step::start;  // these are one kernel each
    if (launch_enumeration_sort<tuning>(where, problem) ||
        launch_cluster_sort<tuning.few_in_cluster, tuning>(where, now, problem, nullptr) ||
        (tiles == 0 &&
         launch_cluster_sort<tuning.many_in_cluster, tuning>(where, now, problem, nullptr)) ||
        launch_small_sort<tuning.few>(where, problem) ||
        launch_small_sort<tuning.many>(where, problem)) {
        return;
    }
    if constexpr (counts_all<Problem>) {
        if (by_all_bits && launch_sort_by_counts<tuning>(where, problem)) return;
    }
    room.dealt_tiles = tiles;
    room.hybrid = is_hybrid;
    room.place(problem, access::scratch(where, room.bytes()));
    auto* const zeros = static_cast<hybrid_zeros*>(
        access::zeros(where, is_hybrid ? sizeof(hybrid_zeros) : sizeof(sort_sums)));
    bool by_passes = true;
    for (const launch_step step : {launch_step::ask, launch_step::start}) {
        by_passes =
            launch_before_passes<tuning>(where, step, problem, zeros, hybrid, tiles, by_all_bits);
    }
    if (!by_passes) return;
    switch (tile_of_passes<tuning, Problem>(where, problem.count.at_most)) {
        case pass_tile::small: return launch_sort_passes<tuning.small_tile, tuning>(where, problem);
        case pass_tile::middle:
            return launch_sort_passes<tuning.middle_tile, tuning>(where, problem);
        case pass_tile::large: return launch_sort_passes<tuning.tile, tuning>(where, problem);
    }
}

}  // namespace lookback::detail::device
