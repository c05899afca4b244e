/// \file
/// The driver for large arrays on GPUs with bulk copies (compute capability 9.0 and later).
///
/// Blocks stay for the whole launch, with a ring of stages in shared memory and warps with roles:
///
///   loader      claims tiles, in order, and starts a bulk copy of each into a free stage
///   compute     (most warps) reduce a tile and publish its aggregate; then, some tiles behind,
///   scan look-back   folds the aggregates of all earlier tiles to a tile's prefix storer starts a
///   bulk copy of each scanned stage to the output, and frees the stage
///
/// so that reads and writes are always in flight together. Aggregates are published some tiles (the
/// lead) ahead of the scan, so that the look-back of a tile hides behind work on others, also where
/// blocks are not in step.
///
/// It finishes: tiles are claimed in order by blocks that run (section 4.4), and a block's tiles
/// wait for earlier tiles only.
///
/// Cost: each item is read and written once, in copies of whole tiles.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/look_back.hpp"
#include "lookback/cuda/tile_scan.hpp"
#include "lookback/cuda/tile_status.hpp"
#include "lookback/cuda/workspace.hpp"

namespace lookback::detail::gpu {

template <class A, int warps_, int stages_, int lead_>
struct pipeline {
    static constexpr int warps = warps_;
    static constexpr int stages = stages_;
    static constexpr int lead = lead_;
    static_assert(stages > lead);
    static constexpr int threads = (warps + 3) * warp_lanes;
    static constexpr int tile_items = warps * warp_lanes * chunk_items<sizeof(A)>;
    static constexpr int tile_bytes = tile_items * static_cast<int>(sizeof(A));
    static constexpr int shared_bytes = stages * tile_bytes;
};

template <class A, int stages>
struct pipeline_state {
    phase_barrier loaded[stages];    // a tile is in its stage, or there is none any more
    phase_barrier prefixed[stages];  // its prefix is known
    phase_barrier scanned[stages];   // its results are in the stage
    phase_barrier freed[stages];     // the stage has been copied out
    std::uint32_t tile[stages];
    std::uint32_t epoch;
    maybe<A> prefix[stages];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Problem, class Pipeline>
class pipelined_block {
    using A = typename Problem::value_type;
    static constexpr int stages = Pipeline::stages;
    static constexpr std::uint32_t none = 0xffffffffU;
    static constexpr bool backward = Problem::step < 0;
    using In = std::remove_cvref_t<decltype(*Problem::in)>;
    using Out = std::remove_cvref_t<decltype(*Problem::out)>;
    using items_of_thread = chunk<A, In, backward>;

 public:
    __device__ pipelined_block(const Problem& problem, const workspace_view<A>& workspace,
                               unsigned char* ring, pipeline_state<A, stages>& state, A* totals)
        : problem_(problem), workspace_(workspace), ring_(ring), state_(state), totals_(totals) {}

    __device__ void run() {
        if (threadIdx.x == 0) {
            for (int s = 0; s < stages; ++s) {
                state_.loaded[s].init(1);
                state_.prefixed[s].init(1);
                state_.scanned[s].init(Pipeline::warps);
                state_.freed[s].init(1);
            }
            publish_barriers();
        }
        wait_for_previous_kernel();
        items_ = problem_.count.get();
        tiles_ =
            static_cast<std::uint32_t>((items_ + Pipeline::tile_items - 1) / Pipeline::tile_items);
        sync_block();
        const int role = warp() - Pipeline::warps;
        if (role < 0) {
            compute();
        } else if (role == 0) {
            if (lane() == 0) load();
        } else if (role == 1) {
            look_back_for_all();
        } else if (lane() == 0) {
            store();
        }
    }

 private:
    // Position k of the block's work: the stage, and the phase of its barriers.
    __device__ static int stage(std::uint32_t k) { return static_cast<int>(k % stages); }
    __device__ static std::uint32_t phase(std::uint32_t k) { return k / stages; }

    __device__ int items_in(std::uint32_t tile) const {
        const std::uint64_t left = items_ - std::uint64_t{tile} * Pipeline::tile_items;
        return left < Pipeline::tile_items ? static_cast<int>(left) : Pipeline::tile_items;
    }
    // Bulk copies move multiples of 16 bytes; the few items after them go one by one.
    __device__ static int items_copied(int items) {
        return items - items % static_cast<int>(16 / sizeof(A));
    }
    __device__ unsigned char* ring_at(std::uint32_t k) const {
        return ring_ + stage(k) * Pipeline::tile_bytes;
    }
    // Where the first `items` items of a stage begin, and those of an array from item `first` on.
    __device__ unsigned char* lowest_in_stage(std::uint32_t k, int items) const {
        return ring_at(k) +
               (backward ? (Pipeline::tile_items - items) * static_cast<int>(sizeof(A)) : 0);
    }
    template <class P>
    __device__ static P lowest(P array, std::uint64_t first, int items) {
        return backward ? array - (first + static_cast<std::uint64_t>(items) - 1) : array + first;
    }
    template <class T>
    __device__ T* in_stage(std::uint32_t k, int item) const {
        return reinterpret_cast<T*>(ring_at(k)) +
               (backward ? Pipeline::tile_items - 1 - item : item);
    }

    __device__ void load() {
        for (std::uint32_t k = 0;; ++k) {
            // Claimed before there is room: the answer takes as long as a read of memory.
            const claim mine = claim_next(workspace_.counter);
            if (k == 0) state_.epoch = mine.epoch;
            if (k >= stages) state_.freed[stage(k)].wait(phase(k) - 1);
            phase_barrier& loaded = state_.loaded[stage(k)];
            if (mine.ticket >= tiles_) {
                state_.tile[stage(k)] = none;
                loaded.arrive();
                workspace_.end_claims(mine, tiles_);
                return;
            }
            const std::uint64_t first = std::uint64_t{mine.ticket} * Pipeline::tile_items;
            const int items = items_copied(items_in(mine.ticket));
            const auto bytes = static_cast<std::uint32_t>(items) * sizeof(A);
            state_.tile[stage(k)] = mine.ticket;
            loaded.arrive_and_expect(bytes);
            if (bytes > 0) {
                bulk_load(lowest_in_stage(k, items), lowest(problem_.in, first, items), bytes,
                          loaded);
            }
        }
    }

    __device__ void look_back_for_all() {
        if (lane() == 0) workspace_.enter();
        state_.loaded[0].wait(0);
        look_back<A, decltype(Problem::op)> fold(workspace_.statuses(), state_.epoch,
                                                 problem_.init.get(), problem_.op);
        for (std::uint32_t k = 0;; ++k) {
            state_.loaded[stage(k)].wait(phase(k));
            const std::uint32_t tile = state_.tile[stage(k)];
            if (tile == none) break;
            const maybe<A> prefix = fold.before(tile);
            if (lane() == 0) {
                state_.prefix[stage(k)] = prefix;
                state_.prefixed[stage(k)].arrive();
            }
        }
        workspace_.finish(state_.epoch);
        if (lane() == 0) workspace_.leave();
    }

    __device__ void compute() {
        maybe<A> before[Pipeline::lead + 1];  // of the tiles that are reduced, and to be scanned
        std::uint32_t reduced = 0;
        bool more = true;
        const auto reduce_next = [&](maybe<A>& before_mine) {
            if (!more) return;
            state_.loaded[stage(reduced)].wait(phase(reduced));
            more = state_.tile[stage(reduced)] != none;
            if (more) before_mine = reduce(reduced++);
        };
#pragma unroll
        for (int ahead = 0; ahead < Pipeline::lead; ++ahead) reduce_next(before[ahead]);
        for (std::uint32_t k = 0;; ++k) {
            reduce_next(before[Pipeline::lead]);
            if (k == reduced) return;
            scan(k, before[0]);
#pragma unroll
            for (int ahead = 0; ahead < Pipeline::lead; ++ahead) before[ahead] = before[ahead + 1];
        }
    }

    // Items of the tile that are left at this thread's chunk: perhaps none, perhaps more than fit.
    __device__ static int left_at_mine(int items) {
        return items - static_cast<int>(threadIdx.x) * items_of_thread::items;
    }
    __device__ unsigned char* chunk_of_mine(std::uint32_t k) const {
        const int mine = static_cast<int>(threadIdx.x);
        return ring_at(k) +
               (backward ? Pipeline::warps * warp_lanes - 1 - mine : mine) * items_of_thread::bytes;
    }

    // Folds tile k, publishes its aggregate, returns the fold of the tile before this thread.
    __device__ maybe<A> reduce(std::uint32_t k) {
        const std::uint32_t tile = state_.tile[stage(k)];
        const int items = items_in(tile);
        items_of_thread chunk;
        A total{};
        if (items == Pipeline::tile_items) {
            chunk.load(chunk_of_mine(k));
            total = chunk.fold(items_of_thread::items, problem_.op);
        } else if (const int left = left_at_mine(items); left > 0) {
            const int begin = static_cast<int>(threadIdx.x) * items_of_thread::items;
            const std::uint64_t first = std::uint64_t{tile} * Pipeline::tile_items;
            for (int i = begin; i < items && i < begin + items_of_thread::items; ++i) {
                if (i < items_copied(items)) continue;
                *in_stage<In>(k, i) =
                    problem_.in[Problem::step * static_cast<std::int64_t>(first + i)];
            }
            chunk.load(chunk_of_mine(k));
            total = chunk.fold(left, problem_.op);
        }
        const int items_of_warps = warp_lanes * items_of_thread::items;
        const auto at = place_thread<Pipeline::warps>(
            total, lanes_in_use(items - warp() * items_of_warps, items_of_thread::items),
            (items + items_of_warps - 1) / items_of_warps, totals_ + (k % 2) * Pipeline::warps,
            problem_.op, [] { sync_first<Pipeline::warps * warp_lanes>(); });
        if (threadIdx.x == 0) workspace_.statuses().publish(tile, state_.epoch, at.aggregate);
        return at.before;
    }

    __device__ void scan(std::uint32_t k, const maybe<A>& before_in_tile) {
        state_.prefixed[stage(k)].wait(phase(k));
        const maybe<A> before = combine(state_.prefix[stage(k)], before_in_tile, problem_.op);
        const int items = items_in(state_.tile[stage(k)]);
        items_of_thread chunk;
        chunk.load(chunk_of_mine(k));
        if (items == Pipeline::tile_items) {
            chunk.template scan<Problem::is_exclusive>(before, items_of_thread::items, problem_.op);
        } else {
            chunk.template scan<Problem::is_exclusive>(before, left_at_mine(items), problem_.op);
        }
        chunk.template store<Out>(chunk_of_mine(k));
        show_to_bulk_copies();
        sync_warp();
        if (lane() == 0) state_.scanned[stage(k)].arrive();
    }

    __device__ void store() {
        for (std::uint32_t k = 0;; ++k) {
            state_.loaded[stage(k)].wait(phase(k));
            const std::uint32_t tile = state_.tile[stage(k)];
            if (tile == none) break;
            state_.scanned[stage(k)].wait(phase(k));
            const std::uint64_t first = std::uint64_t{tile} * Pipeline::tile_items;
            const int items = items_in(tile);
            const int copied = items_copied(items);
            if (copied > 0) {
                bulk_store(lowest(problem_.out, first, copied), lowest_in_stage(k, copied),
                           static_cast<std::uint32_t>(copied) * sizeof(A));
            }
            for (int i = copied; i < items; ++i) {
                problem_.out[Problem::step * static_cast<std::int64_t>(first + i)] =
                    *in_stage<Out>(k, i);
            }
            wait_bulk_stores_read();
            state_.freed[stage(k)].arrive();
        }
        wait_bulk_stores();
    }

    const Problem& problem_;
    workspace_view<A> workspace_;
    unsigned char* ring_;
    pipeline_state<A, stages>& state_;
    A* totals_;
    std::uint64_t items_ = 0;
    std::uint32_t tiles_ = 0;
};

#endif

template <class Problem, class Pipeline>
__global__ __launch_bounds__(Pipeline::threads) void pipelined_kernel(
    const __grid_constant__ Problem problem,
    workspace_view<typename Problem::value_type> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    using A = typename Problem::value_type;
    extern __shared__ __align__(128) unsigned char ring[];
    __shared__ alignas(16) unsigned char state[sizeof(pipeline_state<A, Pipeline::stages>)];
    __shared__ alignas(16) unsigned char totals[2 * Pipeline::warps * sizeof(A)];
    auto& shared = reinterpret_cast<pipeline_state<A, Pipeline::stages>&>(state);
    pipelined_block<Problem, Pipeline>(problem, workspace, ring, shared,
                                       reinterpret_cast<A*>(totals))
        .run();
#endif
}

}  // namespace lookback::detail::gpu
