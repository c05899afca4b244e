/// \file
/// The driver for large arrays on GPUs of compute capability 9.0 and later.
///
/// Blocks stay for the whole launch, with a ring of stages in shared memory and warps with roles:
///
/// - loaders claim tiles, in order, and bring each into a free stage;
/// - most warps compute: they reduce a tile and publish its aggregate, then, some tiles behind,
/// scan;
/// - one looks back: it folds the aggregates of all earlier tiles to a tile's prefix;
/// - storers bring each scanned stage to the output, and free the stage;
///
/// so that reads and writes are always in flight together. Aggregates are published some tiles (the
/// lead) ahead of the scan, so that the look-back of a tile hides behind work on others, also where
/// blocks are not in step.
///
/// It finishes: tiles are claimed in order by blocks that run (section 4.4), and a block's tiles
/// wait for earlier tiles only.
///
/// movers.hpp has the two ways in and out of a stage: bulk copies of whole tiles by one thread
/// each, or items one by one. Both give the same bits.
///
/// Cost: each item is read and written once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/look_back.hpp"
#include "lookback/cuda/movers.hpp"
#include "lookback/cuda/tile_scan.hpp"
#include "lookback/cuda/tile_status.hpp"
#include "lookback/cuda/workspace.hpp"

namespace lookback::detail::gpu {

template <class Problem, template <class, int> class Mover_, int warps_, int stages_, int lead_>
struct pipeline {
    using problem_type = Problem;
    using value_type = typename Problem::value_type;
    static constexpr int warps = warps_;
    static constexpr int stages = stages_;
    static constexpr int lead = lead_;
    static_assert(stages > lead);
    static constexpr int tile_items = warps * warp_lanes * chunk_items<sizeof(value_type)>;
    static constexpr int tile_bytes = tile_items * static_cast<int>(sizeof(value_type));
    static constexpr int shared_bytes = stages * tile_bytes;
    using mover = Mover_<Problem, tile_items>;
    static constexpr int load_warps = (mover::load_threads + warp_lanes - 1) / warp_lanes;
    static constexpr int store_warps = (mover::store_threads + warp_lanes - 1) / warp_lanes;
    static constexpr int threads = (warps + 1 + load_warps + store_warps) * warp_lanes;
};

template <class A, int stages>
struct pipeline_state {
    phase_barrier loaded[stages];    // a tile is in its stage, or there is none any more
    phase_barrier prefixed[stages];  // its prefix is known
    phase_barrier scanned[stages];   // its results are in the stage
    phase_barrier freed[stages];     // the stage has been copied out
    std::uint32_t tile[stages];
    claim claims[2];  // of the loaders, in turns
    std::uint32_t epoch;
    maybe<A> prefix[stages];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Pipeline>
class pipelined_block {
    using Problem = typename Pipeline::problem_type;
    using A = typename Pipeline::value_type;
    using Mover = typename Pipeline::mover;
    using items_of_thread = chunk<A, typename Mover::In, Mover::backward>;
    static constexpr int stages = Pipeline::stages;
    static constexpr std::uint32_t none = 0xffffffffU;

 public:
    __device__ pipelined_block(const Problem& problem, const workspace_view<A>& workspace,
                               unsigned char* ring, pipeline_state<A, stages>& state, A* totals)
        : problem_(problem),
          mover_{problem},
          workspace_(workspace),
          ring_(ring),
          state_(state),
          totals_(totals) {}

    __device__ void run() {
        if (threadIdx.x == 0) {
            for (int s = 0; s < stages; ++s) {
                state_.loaded[s].init(Mover::load_arrivals);
                state_.prefixed[s].init(1);
                state_.scanned[s].init(Pipeline::warps);
                state_.freed[s].init(Mover::store_arrivals);
            }
            publish_barriers();
        }
        wait_for_previous_kernel();
        items_ = problem_.count.get();
        tiles_ =
            static_cast<std::uint32_t>((items_ + Pipeline::tile_items - 1) / Pipeline::tile_items);
        sync_block();
        constexpr int first_to_look_back = Pipeline::warps * warp_lanes;
        constexpr int first_to_load = first_to_look_back + warp_lanes;
        constexpr int first_to_store = first_to_load + Pipeline::load_warps * warp_lanes;
        const int thread = static_cast<int>(threadIdx.x);
        if (thread < first_to_look_back) {
            compute();
        } else if (thread < first_to_load) {
            look_back_for_all();
        } else if (thread < first_to_store) {
            if (thread - first_to_load < Mover::load_threads) load(thread - first_to_load);
        } else if (thread - first_to_store < Mover::store_threads) {
            store(thread - first_to_store);
        }
    }

 private:
    // Position k of the block's work: the stage, and the phase of its barriers.
    __device__ static int stage(std::uint32_t k) { return static_cast<int>(k % stages); }
    __device__ static std::uint32_t phase(std::uint32_t k) { return k / stages; }
    __device__ unsigned char* ring_at(std::uint32_t k) const {
        return ring_ + stage(k) * Pipeline::tile_bytes;
    }
    __device__ static std::uint64_t first_in(std::uint32_t tile) {
        return std::uint64_t{tile} * Pipeline::tile_items;
    }
    __device__ int items_in(std::uint32_t tile) const {
        const std::uint64_t left = items_ - first_in(tile);
        return left < Pipeline::tile_items ? static_cast<int>(left) : Pipeline::tile_items;
    }

    __device__ void load(int thread) {
        for (std::uint32_t k = 0;; ++k) {
            // 1. Claimed before there is room: the answer takes as long as a read of memory.
            claim& mine = state_.claims[k % 2];
            if (thread == 0) {
                mine = claim_next(workspace_.counter);
                if (k == 0) state_.epoch = mine.epoch;
            }
            if constexpr (Mover::load_threads > 1) sync_threads<2, Mover::load_threads>();
            if (k >= stages) state_.freed[stage(k)].wait(phase(k) - 1);
            phase_barrier& loaded = state_.loaded[stage(k)];
            const bool more = mine.ticket < tiles_;
            if (thread == 0) state_.tile[stage(k)] = more ? mine.ticket : none;
            if (!more) {
                if (thread == 0) workspace_.end_claims(mine, tiles_);
                if (thread % warp_lanes == 0) loaded.arrive();
                return;
            }
            mover_.load(ring_at(k), first_in(mine.ticket), items_in(mine.ticket), thread, loaded);
        }
    }

    __device__ void look_back_for_all() {
        if (lane() == 0) workspace_.enter();
        state_.loaded[0].wait(0);
        const std::uint32_t epoch = state_.epoch;
        look_back<A, decltype(Problem::op)> fold(workspace_.statuses(), epoch, problem_.init.get(),
                                                 problem_.op);
        std::uint32_t k = 0;
        for (;; ++k) {
            state_.loaded[stage(k)].wait(phase(k));
            const std::uint32_t tile = state_.tile[stage(k)];
            if (tile == none) break;
            const maybe<A> prefix = fold.before(tile);
            if (lane() == 0) {
                state_.prefix[stage(k)] = prefix;
                state_.prefixed[stage(k)].arrive();
            }
        }
        if (k > 0) state_.scanned[stage(k - 1)].wait(phase(k - 1));  // all is published
        workspace_.finish(epoch);
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
        return ring_at(k) + (Mover::backward ? Pipeline::warps * warp_lanes - 1 - mine : mine) *
                                items_of_thread::bytes;
    }

    // 2. and 3. Folds tile k, publishes its aggregate; returns the fold of the tile before this
    // thread.
    __device__ maybe<A> reduce(std::uint32_t k) {
        const std::uint32_t tile = state_.tile[stage(k)];
        const int items = items_in(tile);
        items_of_thread chunk;
        A total{};
        if (items == Pipeline::tile_items) {
            chunk.load(chunk_of_mine(k));
            total = chunk.template fold<true>(items_of_thread::items, problem_.op);
        } else if (const int left = left_at_mine(items); left > 0) {
            chunk.load(chunk_of_mine(k));
            total = chunk.template fold<false>(left, problem_.op);
        }
        constexpr int items_of_warp = warp_lanes * items_of_thread::items;
        const auto at = place_thread<Pipeline::warps>(
            total, lanes_in_use(items - warp() * items_of_warp, items_of_thread::items),
            (items + items_of_warp - 1) / items_of_warp, totals_ + (k % 2) * Pipeline::warps,
            problem_.op, [] { sync_threads<1, Pipeline::warps * warp_lanes>(); });
        if (threadIdx.x == 0) {
            workspace_.statuses().publish(tile, state_.epoch, at.aggregate);
        }
        return at.before;
    }

    // 5. Scans tile k, whose prefix the look-back has found.
    __device__ void scan(std::uint32_t k, const maybe<A>& before_in_tile) {
        state_.prefixed[stage(k)].wait(phase(k));
        const maybe<A> before = combine(state_.prefix[stage(k)], before_in_tile, problem_.op);
        const int items = items_in(state_.tile[stage(k)]);
        items_of_thread chunk;
        chunk.load(chunk_of_mine(k));
        if (items == Pipeline::tile_items) {
            chunk.template scan<Problem::is_exclusive, true>(before, items_of_thread::items,
                                                             problem_.op);
        } else {
            chunk.template scan<Problem::is_exclusive, false>(before, left_at_mine(items),
                                                              problem_.op);
        }
        chunk.template store<typename Mover::Out>(chunk_of_mine(k));
        show_to_bulk_copies();
        sync_warp();
        if (lane() == 0) state_.scanned[stage(k)].arrive();
    }

    __device__ void store(int thread) {
        for (std::uint32_t k = 0;; ++k) {
            state_.loaded[stage(k)].wait(phase(k));
            const std::uint32_t tile = state_.tile[stage(k)];
            if (tile == none) break;
            state_.scanned[stage(k)].wait(phase(k));
            mover_.store(ring_at(k), first_in(tile), items_in(tile), thread,
                         state_.freed[stage(k)]);
        }
        mover_.finish();
    }

    const Problem& problem_;
    Mover mover_;
    workspace_view<A> workspace_;
    unsigned char* ring_;
    pipeline_state<A, stages>& state_;
    A* totals_;
    std::uint64_t items_ = 0;
    std::uint32_t tiles_ = 0;
};

#endif

template <class Pipeline>
__global__ __launch_bounds__(Pipeline::threads) void pipelined_kernel(
    const __grid_constant__ typename Pipeline::problem_type problem,
    workspace_view<typename Pipeline::value_type> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    using A = typename Pipeline::value_type;
    extern __shared__ __align__(128) unsigned char ring[];
    __shared__ alignas(16) unsigned char state[sizeof(pipeline_state<A, Pipeline::stages>)];
    __shared__ alignas(16) unsigned char totals[2 * Pipeline::warps * sizeof(A)];
    pipelined_block<Pipeline>(problem, workspace, ring,
                              reinterpret_cast<pipeline_state<A, Pipeline::stages>&>(state),
                              reinterpret_cast<A*>(totals))
        .run();
#endif
}

}  // namespace lookback::detail::gpu
