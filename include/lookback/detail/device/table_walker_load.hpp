/// \file
/// Those who load, of a block that makes summed-area tables walk by walk (table_walker.hpp): they
/// claim walks, and bring their tiles into the stages.
#pragma once

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
    static constexpr std::uint32_t ends = Shape::look_turns;  // those who look take turns
    static_assert(Shape::stages >= ends);
    static constexpr int load_warps = Shape::load_threads / warp_lanes;
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
        claim mine, next;
        if (thread == 0) {
            workspace_.enter();
            next = claim_next(workspace_.counter);
            shared_.epoch = next.epoch;
        }
        for (std::uint32_t walk = 0;; ++walk) {
            claim& claimed = shared_.claims[walk % 2];
            if (thread == 0) claimed = next;
            sync_threads<1, Shape::load_threads>();
            mine = claimed;
            if (mine.ticket >= walks_.count) break;
            const table_walk way = walks_.at(mine.ticket);
            table_step step(way);
            for (bool last = false; !last; ++k) {
                const table_tile here = problem_.tiles.tile(step.image, step.down, step.across);
                walked_tile tile{here, step.across == way.across && step.across > 0, false};
                last = step.next();
                tile.ends_part = last && step.across < walks_.across;
                // The answer takes as long as a read of memory.
                if (last && thread == 0) next = claim_next(workspace_.counter);
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
                shared_.tile[k % stages].at.rows = 0;
                shared_.claimed[k % stages].arrive();
            }
            arrive_loaded(shared_.loaded[k % stages]);
        }
        if (thread == 0) workspace_.end_claims(mine, walks_.count);
        if (thread >= warp_lanes) return;
        shared_.folded.wait(0);
        workspace_.finish(mine.epoch);
        if (thread == 0) workspace_.leave();
    }

 private:
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
    // What it copies has landed then, too.
    __device__ static void arrive_loaded(phase_barrier& loaded) {
        arrive(loaded);
        if constexpr (Shape::in_words) loaded.arrive_after_copies();
    }
};

#endif

}  // namespace lookback::detail::device
