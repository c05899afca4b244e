/// \file
/// Scans in one pass: every block takes a tile, and learns from the other tiles what lies before it
/// (Merrill & Garland 2016, sections 3.2 and 4). About 2n: n items read, n written.
#pragma once

#include "block/thread_tile.cuh"
#include "look_backs.cuh"
#include "machine.cuh"

namespace lookback::strategies {

template <class LookBack, class Tile, class T, class Op>
__global__ void __launch_bounds__(Tile::threads)
    single_pass_kernel(const T* in, T* out, std::uint64_t n, tile_states<T> tiles, Op op) {
    using namespace detail::device;
    auto& of_tile = shared_memory<typename Tile::storage>();
    auto& of_look_back = shared_memory<typename LookBack::template storage<T>>();
    auto& found = shared_memory<prefix<T>>();
    auto& claimed = shared_memory<std::uint64_t>();
    if (thread_in_block() == 0) claimed = tiles.claim();
    sync_block();
    const std::uint64_t t = claimed;
    const std::uint64_t first = t * Tile::tile_items;
    const int count = n - first < Tile::tile_items ? static_cast<int>(n - first) : Tile::tile_items;

    Tile tile(of_tile);
    tile.load(in + first, count);
    // If the last tile is not full its total is wrong, but no tile asks for it.
    const T total = tile.scan(op);
    if (warp() == 0) {
        prefix<T> before{};
        if (t > 0) {
            if (LookBack::publishes_aggregates && lane() == 0) {
                tiles.publish(t, tile_state::A, total);
            }
            before = {true, LookBack::find(tiles, t, of_look_back, op)};
        }
        if (lane() == 0) {
            tiles.publish(t, tile_state::P, before.then(total, op));
            found = before;
        }
    }
    sync_block();
    tile.store(out + first, count, found, op);
}

template <class LookBack, template <class> class Tile = usual_tile>
struct single_pass {
    template <class T>
    static constexpr int tile_items = Tile<T>::tile_items;

    /// Sets out[i] = in[0] · ... · in[i]. The arrays are the same or do not overlap.
    template <class T, class Op>
    static void run(device& gpu, const T* in, T* out, std::uint64_t n, Op op) {
        using tile = Tile<T>;
        if (n == 0) return;
        const std::uint64_t blocks = ceil_div(n, tile::tile_items);
        carver plan;
        tile_states<T>(plan, blocks);
        std::byte* const memory = gpu.memory(plan.bytes());
        // All tiles say X before any block starts.
        check(cudaMemsetAsync(memory, 0, plan.bytes(), gpu.stream()), "clearing the tiles' states");
        carver cut(memory);
        const tile_states<T> tiles(cut, blocks);
        start(gpu, single_pass_kernel<LookBack, tile, T, Op>, blocks, tile::threads, in, out, n,
              tiles, op);
    }
};

}  // namespace lookback::strategies
