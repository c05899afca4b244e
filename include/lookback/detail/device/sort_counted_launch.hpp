/// \file
/// The launches of a sort that counts its keys and then writes as many of each
/// (sort_all_counts.hpp, sort_fill.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_all_counts.hpp"
#include "lookback/detail/device/sort_fill.hpp"
#include "lookback/detail/device/sort_launch_step.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// Writes keys that were counted: the keys with each word from its place in `starts` on. Clears the
/// sums `to_clear`, if it is not null.
template <class Problem>
void launch_sort_fill(gpu& where, launch_step step, const Problem& problem,
                      const std::uint64_t* starts, all_sums* to_clear) {
    constexpr int keys =
        fill_threads * fill_vectors * 16 / static_cast<int>(sizeof(*problem.key_room[0]));
    constexpr auto kernel = sort_fill_kernel<Problem>;
    const auto& known = access::facts<kernel>(where, fill_threads, 0);
    start_in<kernel>(step, where, known,
                     access::blocks(where, tiles_for(problem.count.at_most, keys), known),
                     fill_threads, 0, problem, starts, to_clear);
}

/// Whether the keys of a problem can be counted, provided that all of their bits are sorted by.
template <class Problem>
inline constexpr bool counts_bytes =
    sizeof(typename Problem::word_type) == 1 && !Problem::has_values;
template <class Problem>
inline constexpr bool counts_all =
    sizeof(typename Problem::word_type) <= 2 && !Problem::has_values &&
    std::is_pointer_v<decltype(Problem::keys)>;

/// Counts all words, and writes the keys. Returns false, and does nothing, where there are too few
/// keys or there is too little shared memory.
template <sort_tuning tuning, class Problem>
bool launch_sort_by_counts(gpu& where, const Problem& problem) {
    using Word = typename Problem::word_type;
    constexpr int threads = tuning.count_all_threads;
    constexpr std::size_t bytes = sizeof(typename unit_counters<threads>::memory);
    const std::uint64_t items = problem.count.at_most;
    if (items < tuning.count_all_from || bytes > access::most_shared_bytes(where)) return false;
    auto* const sums = static_cast<all_sums*>(access::zeros(where, sizeof(all_sums)));
    using starts = word_starts<Word>;
    auto* const to = static_cast<starts*>(access::scratch(where, sizeof(starts)));
    for (const launch_step step : {launch_step::ask, launch_step::start}) {
        {
            constexpr auto kernel = sort_count_all_kernel<Problem, threads>;
            const auto& known = access::facts<kernel>(where, threads, bytes);
            start_in<kernel>(step, where, known,
                             access::blocks(where, tiles_for(items, tuning.count_all_items), known),
                             threads, bytes, problem, sums);
        }
        constexpr auto kernel = sort_starts_kernel<Problem>;
        const auto& known = access::facts<kernel>(where, starts_threads, 0);
        start_in<kernel>(step, where, known, starts_blocks<Word>, starts_threads, 0, problem, sums,
                         to);
        launch_sort_fill(where, step, problem, to->start, sums);
    }
    return true;
}

}  // namespace lookback::detail::device
