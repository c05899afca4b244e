/// \file
/// What the agents of compactions and runs have in common. They load their tiles as paired_tile.hpp
/// says; results need the prefix for their place only.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/tile_agent.hpp"

namespace lookback::detail::device {

/// What a thread keeps from reduce to store: nothing.
struct nothing_kept {};

/// `how`: how the tiles are loaded.
template <class Problem, class Tile, loads how>
class paired_agent : public one_value_agent<Problem, typename Problem::prefix_type, Tile::warps> {
    using base = one_value_agent<Problem, typename Problem::prefix_type, Tile::warps>;

 public:
    using base::base;
    static constexpr int tile_items = Tile::items;
    static constexpr int stage_bytes = Tile::bytes;
    static constexpr bool loads_in_bulk = how != loads::by_items;
    static constexpr bool stores_in_bulk = false;
    static constexpr bool emits = false;
    static constexpr look_back_way way_of_few_tiles = {4, rereading::of_all};
    static constexpr std::uint32_t few_tiles = way_of_few_tiles.batches * warp_lanes;
    // Aggregates of 8 bytes leave no registers for more batches.
    static constexpr look_back_way way_of_many_tiles = {
        sizeof(typename Problem::value_type) > 4 ? 4 : 8, rereading::of_all};
    // While one looks back, the other works. With three, registers would be spilled.
    static constexpr int staged_blocks = 2;
    using memory = nothing_kept;

    template <class Wait>
    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded, const Wait& wait_for_room) const {
        Tile{stage}.template start_load<Problem::items_before>(
            problem_.in, problem_.paired, problem_.count, first, items, loaded, wait_for_room);
    }
    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread) const {
        Tile{stage}.template load<by, Problem::items_before>(problem_.in, problem_.paired, first,
                                                             items, thread, problem_.aligned);
    }

    /// Whether results may overwrite the items of other tiles; and if so, whether only items of the
    /// same numbers.
    __device__ bool in_place() const { return problem_.in_place; }
    __device__ bool item_over_item() const { return problem_.item_over_item; }

 protected:
    using base::problem_;
};

}  // namespace lookback::detail::device
