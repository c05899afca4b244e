/// \file
/// Selections and partitions on a GPU: from the public functions to a launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/compaction_agent.hpp"
#include "lookback/detail/device/compaction_problem.hpp"
#include "lookback/detail/device/flag_count.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/small_launch.hpp"
#include "lookback/gpu.hpp"
#include "lookback/select.hpp"

namespace lookback::detail {
namespace device {

/// Reverses the items in [kept, items) of an array. Each warp swaps a piece of the lower half with
/// a piece of the upper half, row by row of 32 items. All rows but the first and the last of the
/// upper piece are whole cache lines. A lane of a row meets lanes of two rows of the other half,
/// one after the other; one shuffle gives each of them what it needs.
///
/// Few rows are under way in a warp, and a warp has few of them: blocks that end and begin keep
/// more loads under way than blocks that go on with the next piece.
inline constexpr int turning_threads = 512;
/// Rows that a warp reads before it writes them; how often it does so in a piece, at most.
template <class T>
inline constexpr int turning_rows = sizeof(T) <= 4    ? 8
                                    : sizeof(T) <= 8  ? 4
                                    : sizeof(T) <= 16 ? 2
                                                      : 1;
inline constexpr int turning_steps = 4;
/// Items of a block whose warps have pieces of `steps` steps.
template <class T>
constexpr int turning_items(int steps) {
    return 2 * turning_threads * turning_rows<T> * steps;
}

/// `at_once`: how many of the blocks run at once.
template <class Out, class N>
__global__ __launch_bounds__(turning_threads) void turn_rest_around(Out out, item_count count,
                                                                    const N* kept,
                                                                    std::uint32_t at_once) {
    using T = item_of<Out>;
    constexpr int rows = turning_rows<T>;
    wait_for_previous_kernel();
    const auto first = static_cast<std::int64_t>(*kept);
    const auto last = static_cast<std::int64_t>(count.get());
    const std::int64_t swaps = (last - first) / 2;
    if (swaps == 0) return;
    const int skew = skew_of(out, first);
    // Items of the first row that come before swap 0.
    const std::int64_t before = skew > 0 ? warp_lanes - skew : 0;
    // The lane of a row of the upper half that meets lane 0 of a row of the lower half. The lower
    // row begins `before` items ahead of swap 0.
    const int met = static_cast<int>((last - 1 - first + 2 * before) % warp_lanes);
    const int partner = (met - lane()) & (warp_lanes - 1);
    const bool in_one = lane() <= met;
    // A small rest is dealt out to the blocks that run at once, in pieces that are small enough
    // that each warp has one. Of a larger one a block has pieces that lie side by side, which
    // memory likes better.
    constexpr std::int64_t warps = turning_threads / warp_lanes;
    const std::int64_t blocks = blocks_in_grid(), block = block_in_grid();
    const std::int64_t of_step = at_once * warps * rows * warp_lanes;
    const std::int64_t steps_of_all = (swaps + before + of_step - 1) / of_step;
    const int steps = steps_of_all < turning_steps ? static_cast<int>(steps_of_all) : turning_steps;
    const std::int64_t piece = std::int64_t{steps} * rows * warp_lanes;
    const bool is_small = swaps < 256 * warps * turning_steps * rows * warp_lanes;
    const std::int64_t first_of_wave = block / at_once * at_once;
    const std::int64_t in_wave =
        blocks - first_of_wave < at_once ? blocks - first_of_wave : at_once;
    const std::int64_t number =
        is_small ? first_of_wave * warps + warp() * in_wave + block - first_of_wave
                 : block * warps + warp();
    for (std::int64_t begin = number * piece - before; begin < swaps;
         begin += blocks * warps * piece) {
        const auto is_mine = [&](std::int64_t swap) {
            return swap >= 0 && swap < swaps && swap >= begin && swap < begin + piece;
        };
        const auto lower_in = [](std::int64_t row) { return row + lane(); };
        const auto upper_in = [&](std::int64_t row) { return row + met - lane(); };
        // The last rows that were read before, and those that are read now.
        T low[1 + rows], high[1 + rows];
        if (is_mine(upper_in(begin))) high[0] = out[last - 1 - upper_in(begin)];
        std::int64_t row = begin;
#pragma unroll 1
        for (int i = 0; i < steps; ++i) {
#pragma unroll
            for (int k = 0; k < rows; ++k) {
                const std::int64_t lower = lower_in(row + k * warp_lanes);
                const std::int64_t upper = upper_in(row + (k + 1) * warp_lanes);
                if (is_mine(lower)) low[1 + k] = out[first + lower];
                if (is_mine(upper)) high[1 + k] = out[last - 1 - upper];
            }
#pragma unroll
            for (int k = 0; k < rows; ++k) {
                const std::int64_t lower = lower_in(row + k * warp_lanes);
                const std::int64_t upper = upper_in(row + k * warp_lanes);
                const T from_above = from_lane(in_one ? T(high[k]) : T(high[1 + k]), partner);
                const T from_below = from_lane(in_one ? T(low[1 + k]) : T(low[k]), partner);
                if (is_mine(lower)) out[first + lower] = from_above;
                if (is_mine(upper)) out[last - 1 - upper] = from_below;
            }
            low[0] = low[rows];
            high[0] = high[rows];
            row += rows * warp_lanes;
        }
        const T from_below = from_lane(T(low[0]), partner);
        if (is_mine(upper_in(row))) out[last - 1 - upper_in(row)] = from_below;
    }
}

template <class In, class Paired, class Classify, class Values, class... Outs>
auto make_compaction(const item_count& count, const In& in, const Paired& paired,
                     const Classify& classify, const total_place& total, const Values& values,
                     bool in_place, bool item_over_item, const Outs&... outs) {
    using problem = compaction_problem<In, Paired, Classify, Values, Outs...>;
    static_assert(
        device_item<typename problem::item_type> && device_item<typename problem::paired_type>,
        "items on the GPU are trivially copyable and default-constructible");
    return problem{in,
                   paired,
                   classify,
                   values,
                   output_list<Outs...>(outs...),
                   count,
                   total,
                   all_on_vector_boundaries(in, paired),
                   in_place,
                   item_over_item};
}

template <class Problem, int bytes_of_thread>
using small_compaction_agent =
    compaction_agent_of<Problem,
                        small_warps<typename Problem::item_type, typename Problem::paired_type>,
                        loads::by_items, bytes_of_thread>;

/// Runs few items by the small driver, and returns whether it did. Of single bytes, a thread
/// has fewer where there are few: otherwise most of the GPU would have none.
template <class Problem>
bool launch_few(gpu& where, const Problem& problem) {
    if constexpr (sizeof(typename Problem::item_type) == 1 &&
                  staged_size<typename Problem::paired_type> <= 1) {
        using smallest = small_compaction_agent<Problem, small_chunk_bytes / 3>;
        if (device::launch_small<smallest, false>(where, problem)) return true;
    }
    return device::launch_small<small_compaction_agent<Problem, small_chunk_bytes>, false>(where,
                                                                                           problem);
}

template <class Problem>
void launch_many(gpu& where, const Problem& problem) {
    constexpr large_shape shape =
        compaction_shape<typename Problem::item_type, typename Problem::paired_type>;
    launch_large<compaction_agent, shape>(where, problem);
}

}  // namespace device

template <>
struct compaction_on<gpu> {
    template <class In, class Paired, class Classes, class Values, class... Outs>
    static void run(gpu& where, const item_count& count, const In& first, const Paired& paired,
                    const Classes& classes, const total_place& total, const Values& values,
                    const Outs&... outs) {
        using namespace device;
        const auto problem = device::make_compaction(
            count, indexed(first), indexed(paired), classes.stored(), total, indexed(values),
            may_overlap(count.at_most, first, paired, values, outs...),
            device::item_over_item(count.at_most, first, paired, values, outs...),
            indexed(outs)...);
        if (device::launch_few(where, problem)) return;
        launch_many(where, problem);
    }

    /// Two classes into one output. If `reversed`, the rest is written from the output's end
    /// backward. Otherwise the rest lies behind the kept items; few items take one launch, more
    /// take two: flags that are narrower than items are counted first; else the rest is turned
    /// around.
    template <bool reversed, class In, class Paired, class Classes, class Out, class N>
    static void run_into_one(gpu& where, const item_count& count, const In& first,
                             const Paired& paired, const Classes& classes, const total_place& total,
                             const Out& out, count_to<N> kept) {
        using namespace device;
        static_assert(
            walk<Out>::step > 0,
            "one output of a partition on a GPU is written forward: reverse the input and negate "
            "the predicate instead, or pass an output for the rest");
        const auto end = out + static_cast<std::iter_difference_t<Out>>(count.at_most);
        const auto rest = std::make_reverse_iterator(end);
        if constexpr (reversed) {
            run(where, count, first, paired, classes, total, no_array{}, out, rest);
        } else {
            const bool in_place = may_overlap(count.at_most, first, paired, out);
            const auto make = [&](const auto& to_rest) {
                return device::make_compaction(count, indexed(first), indexed(paired),
                                               classes.stored(), total, no_array{}, in_place, false,
                                               indexed(out), to_rest);
            };
            const auto few = make(behind_kept<decltype(indexed(out))>{indexed(out)});
            if (device::launch_few(where, few)) return;
            const auto flags = indexed(paired);
            if constexpr (is_counted_first<Classes, In, std::remove_const_t<decltype(flags)>>) {
                const std::uint64_t* const set = count_flags(where, flags, count);
                launch_many(where, make(behind_counted<decltype(indexed(out))>{indexed(out), set}));
            } else {
                launch_many(where, make(indexed(rest)));
                turn_rest(where, count, indexed(out), kept);
            }
        }
    }

 private:
    // Whether it costs less to read the flags twice than to move the rest twice, if half is kept.
    // (The flags lie in memory, so nobody sees that a flag is read twice.)
    template <class Classes, class In, class Flags>
    static constexpr bool is_counted_first = [] {
        if constexpr (std::is_same_v<Classes, by_flag> && std::is_pointer_v<Flags>) {
            return sizeof(std::iter_value_t<Flags>) < sizeof(std::iter_value_t<In>);
        }
        return false;
    }();

    template <class Out, class N>
    static void turn_rest(gpu& where, const item_count& count, const Out& out, count_to<N> kept) {
        using namespace device;
        constexpr auto kernel = turn_rest_around<Out, N>;
        constexpr int threads = turning_threads;
        using T = item_of<Out>;
        const auto& known = access::facts<kernel>(where, threads, 0);
        // More blocks than run at once, but not so many that they take long if all items are kept.
        constexpr std::uint64_t most_blocks = std::uint64_t{1} << 13;
        const std::uint64_t at_once =
            access::blocks(where, tiles_for(count.at_most, turning_items<T>(1)), known);
        const std::uint64_t blocks =
            std::clamp(tiles_for(count.at_most, turning_items<T>(turning_steps)), at_once,
                       std::max(at_once, most_blocks));
        start<kernel>(where, known, blocks, threads, 0, out, count, static_cast<const N*>(kept.at),
                      static_cast<std::uint32_t>(at_once));
    }
};

}  // namespace lookback::detail
