/// \file
/// Wide values of many keys: their positions are sorted with the keys, and then each value is
/// fetched from its position. So values are moved once, or twice in place, and not once for each
/// digit; and keys may be sorted by a hybrid sort, whose blocks have no room for wide values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/device/sort_launch_step.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_room.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/sort_values.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

using sorted_position = std::uint32_t;

template <class Word>
inline constexpr sort_tuning positions_tuning =
    sort_tuning_of<Word, moved_value<sorted_position>>();

inline constexpr std::uint64_t most_positions = std::uint64_t{1} << word_bits<sorted_position>;

/// Whether so many items with wide values go by their positions. Fewer are moved once or twice if
/// they are even, and values move as often by two digits.
template <sort_tuning tuning>
constexpr bool goes_by_positions(std::uint64_t items, const digit_range& digits) {
    return items > tuning.by_positions_from && items <= most_positions && digits.digits() > 2;
}

/// What a fetch reads as positions where values only move from one array to another.
struct own_positions {
    __device__ std::uint64_t operator[](std::uint64_t i) const { return i; }
};

/// to[i] = from[positions[i]]. (One type for a kernel: nvcc spells a kernel's own pointers to
/// values by way of the caller's type, which may have no name outside of a function.)
template <class From, class To, class Positions>
struct value_fetch {
    item_count count;
    From from;
    To to;
    Positions positions;
};

inline constexpr int fetch_threads = 256;

template <class Fetch>
__global__ __launch_bounds__(fetch_threads) void fetch_values_kernel(
    const __grid_constant__ Fetch fetch) {
    wait_for_previous_kernel();
    const std::uint64_t items = fetch.count.get();
    const std::uint64_t step = std::uint64_t{blocks_in_grid()} * fetch_threads;
    for (std::uint64_t first = std::uint64_t{block_in_grid()} * fetch_threads + warp() * warp_lanes;
         first < items; first += step) {
        const auto row = static_cast<int>(items - first < warp_lanes ? items - first : warp_lanes);
        const std::uint64_t at = first + lane();
        move_values(fetch.from, fetch.to, row,
                    lane() < row ? std::uint64_t{fetch.positions[at]} : 0, at);
    }
}

template <class From, class To, class Positions>
void launch_fetch(gpu& where, launch_step step, const item_count& count, const From& from,
                  const To& to, const Positions& positions) {
    using fetch = value_fetch<From, To, Positions>;
    constexpr auto kernel = fetch_values_kernel<fetch>;
    const auto& known = access::facts<kernel>(where, fetch_threads, 0);
    start_in<kernel>(step, where, known,
                     access::blocks(where, tiles_for(count.at_most, fetch_threads), known),
                     fetch_threads, 0, fetch{count, from, to, positions});
}

/// The scratch memory of a sort of positions. Before it come the sorted positions and, if values
/// are fetched to where they are, room for them.
template <class Word, class Value>
struct position_room : sort_room<Word, moved_value<sorted_position>> {
    using sorts = sort_room<Word, moved_value<sorted_position>>;
    bool in_place;
    Value* fetched = nullptr;

    position_room(const sorts& of, bool same) : sorts(of), in_place(same) {}

    std::size_t position_bytes() const { return room_for(this->items, sizeof(sorted_position)); }
    std::size_t fetched_bytes() const {
        return room_for(in_place ? this->items : 0, sizeof(Value));
    }
    std::size_t bytes() const { return position_bytes() + fetched_bytes() + sorts::bytes(); }

    /// Also remembers where values are fetched to.
    template <class Problem>
    void place(Problem& problem, void* memory) {
        auto* const at = static_cast<unsigned char*>(memory);
        problem.values_out = reinterpret_cast<moved_value<sorted_position>*>(at);
        problem.value_room[1] = problem.values_out;
        fetched = reinterpret_cast<Value*>(at + position_bytes());
        sorts::place(problem, at + position_bytes() + fetched_bytes());
    }
};

}  // namespace lookback::detail::device
