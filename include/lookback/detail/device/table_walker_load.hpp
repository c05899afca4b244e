/// \file
/// The role of the loading warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp): they claim walks, and bring the walks' tiles into the stages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_walker_role.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_load : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    // Looking warps take turns, as teams of storing warps do, and each of them needs an end.
    static constexpr std::uint32_t ends = std::max(Shape::look_turns, Shape::store_teams);
    // A team comes to a stage's next phase only after the phase before: that of a tile at most so
    // many positions back.
    static_assert(Shape::stages >= ends && Shape::stages >= Shape::store_teams);
    static constexpr std::uint32_t claims_at_once = table_walker_memory<Shape>::claims_at_once;
    static constexpr int load_warps = Shape::load_threads / warp_lanes;
    using role::announce;
    using role::arrive;
    using role::columns;
    using role::problem_;
    using role::ring_;
    using role::shared_;
    using role::stages;
    using role::walks_;
    using role::workspace_;

 public:
    using role::role;

    // Position k of the block's work lies in stage k % stages, in that stage's phase k / stages.
    __device__ void run(int thread) {
        std::uint32_t k = 0;
        const bool claims = thread == 0 && block_in_cluster() == 0;
        claim mine, next;
        if (thread == 0) workspace_.enter();
        if (claims) next = claim_next(workspace_.counter);
        for (std::uint32_t walk = 0;; ++walk) {
            mine = hear(walk, next, thread);
            if (walk == 0 && thread == 0) shared_.epoch = mine.epoch;
            if (mine.ticket >= walks_.count) break;
            const table_walk way = walks_.at(mine.ticket, block_in_cluster());
            table_step step(way);
            for (bool last = false; !last; ++k) {
                const table_tile here = problem_.tiles.tile(step.image, step.down, step.across);
                walked_tile tile{here,
                                 here.rows > 0 && step.across == way.across && step.across > 0,
                                 false, false};
                last = step.next();
                tile.ends_part = here.rows > 0 && last && step.across < walks_.across;
                // Early, because the answer takes as long as a read of memory.
                if (last && claims) next = claim_next(workspace_.counter);
                wait_until_free(k);
                if (thread == 0) {
                    shared_.tile[k % stages] = tile;
                    shared_.claimed[k % stages].arrive();
                }
                load(here, k, thread);
            }
        }
        for (const std::uint32_t end = k + ends; k < end; ++k) {
            wait_until_free(k);
            if (thread == 0) {
                shared_.tile[k % stages].is_end = true;
                shared_.claimed[k % stages].arrive();
            }
            arrive_loaded(shared_.loaded[k % stages]);
        }
        if (claims) {
            workspace_.end_claims(mine, walks_.count, blocks_in_grid() / blocks_in_cluster());
        }
        if (thread >= warp_lanes) return;
        shared_.folded.wait(0);
        workspace_.finish(mine.epoch);
        if (thread == 0) workspace_.leave();
    }

 private:
    // Returns what the first block of the cluster has claimed. That block sends it to the others.
    // It may overwrite the claim that was in this place before: it could not have come this far
    // itself before the others had read it.
    __device__ claim hear(std::uint32_t walk, const claim& next, int thread) {
        const std::uint32_t place = walk % claims_at_once;
        claim& heard = shared_.claims[place];
        phase_barrier& told = shared_.claim_told[place];
        if (block_in_cluster() == 0) {
            if (thread == 0) {
                heard = next;
                for (unsigned b = 1; b < blocks_in_cluster(); ++b) {
                    send_to_block(&heard, b, next, told);
                }
            }
            sync_threads<1, Shape::load_threads>();
        } else {
            if (thread == 0) announce(told, sizeof(claim));
            told.wait_for_others(walk / claims_at_once);
        }
        return heard;
    }
    __device__ void wait_until_free(std::uint32_t k) {
        if (k >= stages) shared_.freed[k % stages].wait(k / stages - 1);
    }
    __device__ void load(const table_tile& here, std::uint32_t k, int thread) {
        unsigned char* const stage = ring_ + k % stages * Shape::stage_bytes;
        if constexpr (Shape::in_words) {
            start_table_rows<Shape::load_threads, columns>(stage, problem_, here, thread);
        } else {
            load_table_items<Shape::load_threads, columns>(reinterpret_cast<A*>(stage), problem_,
                                                           here, thread);
        }
        arrive_loaded(shared_.loaded[k % stages]);
    }
    // Arrives once for the warp. If it makes asynchronous copies, it arrives again for each thread
    // when the thread's copies have landed.
    __device__ static void arrive_loaded(phase_barrier& loaded) {
        arrive(loaded);
        if constexpr (Shape::in_words) loaded.arrive_after_copies();
    }
};

#endif

}  // namespace lookback::detail::device
