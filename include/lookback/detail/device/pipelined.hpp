/// \file
/// The driver for large arrays on GPUs of compute capability 9.0 and later.
///
/// Blocks stay for the whole launch. Each has a ring of stages in shared memory, and warps with
/// roles:
///
/// - loaders claim tiles, in order, and bring each into a free stage;
/// - most warps compute: they reduce a tile, publish its aggregate, and scan it some tiles later;
/// - some warps look back (pipeline_look_back.hpp): they fold the aggregates of all earlier tiles
///   to a tile's prefix;
/// - where results may overwrite items, one thread may tell which tiles have been read;
/// - storers bring each scanned stage to the output, if the scan has not done so, and free it.
///
/// So reads and writes are always in flight together. Aggregates are published some tiles (the
/// lead) ahead of the scan. So the look-back of a tile is hidden behind work on other tiles, even
/// where blocks are not in step.
///
/// It finishes: tiles are claimed in order by running blocks (Merrill & Garland 2016, section 4.4),
/// and a block's tiles wait for earlier tiles only.
///
/// The agent says what is done with a tile (tile_agent.hpp). There are two ways into a stage and
/// out of it: bulk copies of whole tiles, started by one thread each (skewed_row.hpp, movers.hpp),
/// or items one by one (movers.hpp). Both give the same bits.
///
/// Every thread arrives at the barriers for itself. So each thread's own reads and writes are
/// ordered, without regard to its warp, and compute-sanitizer's racecheck can follow.
///
/// Cost: each item is read and written once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/pipeline_look_back.hpp"
#include "lookback/detail/device/pipeline_ring.hpp"
#include "lookback/detail/device/pipeline_shape.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/tiles_read.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Pipeline>
class pipelined_block {
    using Agent = typename Pipeline::Agent;
    using Problem = typename Agent::problem_type;
    using A = typename Agent::value_type;
    using state_type = pipeline_state<Pipeline>;
    static constexpr std::uint32_t none = state_type::none;

 public:
    __device__ pipelined_block(const Problem& problem, const workspace_view<A>& workspace,
                               unsigned char* ring, state_type& state, A* totals)
        : problem_(problem),
          agent_(problem),
          workspace_(workspace),
          ring_(ring),
          state_(state),
          totals_(totals) {}

    __device__ void run() {
        if (thread_in_block() == 0) state_.init(tells_by_words(agent_) ? 1 : 0);
        wait_for_previous_kernel();
        // 1. The first claim; its answer arrives while the block initialises.
        claim first{};
        if (thread_in_block() == Pipeline::first_to_load) first = claim_next(workspace_.counter);
        items_ = problem_.count.get();
        tiles_ = static_cast<std::uint32_t>((items_ + Agent::tile_items - 1) / Agent::tile_items);
        sync_block();
        const int thread = thread_in_block();
        if (thread < Pipeline::first_to_look_back) {
            compute(static_cast<std::uint32_t>(thread / Agent::threads));
        } else if (thread < Pipeline::first_to_tell) {
            pipeline_look_back<Pipeline>(agent_, workspace_, ring_, state_, tiles_)
                .run(static_cast<std::uint32_t>(thread - Pipeline::first_to_look_back) /
                     warp_lanes);
        } else if (thread < Pipeline::first_to_load) {
            if constexpr (Agent::tells_of_reads) {
                if (tells_by_words(agent_) && thread == Pipeline::first_to_tell) {
                    tell_tiles_read(state_, workspace_.statuses(), tiles_);
                }
            }
        } else if (thread < Pipeline::first_to_store) {
            const int loader = thread - Pipeline::first_to_load;
            if (loader < Pipeline::load_threads) load(loader, first);
        } else {
            const int storer = thread - Pipeline::first_to_store;
            if (storer < Pipeline::store_threads) store(storer);
        }
    }

 private:
    // Position k of the block's work: its stage and phase.
    __device__ static int stage(std::uint32_t k) { return state_type::stage(k); }
    __device__ static std::uint32_t phase(std::uint32_t k) { return state_type::phase(k); }
    __device__ unsigned char* ring_at(std::uint32_t k) const {
        return ring_ + stage(k) * Agent::stage_bytes;
    }
    __device__ static std::uint64_t first_in(std::uint32_t tile) {
        return std::uint64_t{tile} * Agent::tile_items;
    }
    __device__ int items_in(std::uint32_t tile) const {
        const std::uint64_t left = items_ - first_in(tile);
        return left < Agent::tile_items ? static_cast<int>(left) : Agent::tile_items;
    }

    __device__ void load(int thread, const claim& first) {
        std::uint32_t k = 0;
        claim mine, next = first;
        // Tiles are claimed before their stage is free, because the answer takes as long as a read
        // of memory.
        const auto claim_another = [&] {
            if (thread == 0) next = claim_next(workspace_.counter);
        };
        for (;; ++k) {
            claim& claimed = state_.claims[k % 2];
            if (thread == 0) {
                claimed = next;
                if (k == 0) state_.epoch = claimed.epoch;
            }
            if constexpr (Pipeline::load_threads > 1) sync_threads<1, Pipeline::load_threads>();
            mine = claimed;
            if (mine.ticket >= tiles_) break;
            phase_barrier& loaded = state_.loaded[stage(k)];
            const auto wait_for_room = [&] {
                state_.wait_until_free(k);
                // More loads at once would only queue up, and reads of status words behind them.
                if (Agent::loads_one_by_one && k > 0) {
                    state_.loaded[stage(k - 1)].wait(phase(k - 1));
                }
                if (thread == 0) state_.tile[stage(k)] = mine.ticket;
            };
            if constexpr (Agent::copies_later) {
                wait_for_room();
                claim_another();  // starting the copies takes longer than the answer
                agent_.template start_load<Pipeline::load_threads>(
                    ring_at(k), first_in(mine.ticket), loaded, thread);
                arrive(loaded);
            } else if constexpr (Agent::loads_in_bulk) {
                agent_.start_load(ring_at(k), first_in(mine.ticket), items_in(mine.ticket), loaded,
                                  wait_for_room);
                claim_another();
            } else {
                wait_for_room();
                agent_.template load<Pipeline::load_threads>(ring_at(k), first_in(mine.ticket),
                                                             items_in(mine.ticket), thread);
                loaded.arrive();
                claim_another();
            }
        }
        // Each team, and each look-back warp, gets an end of its own.
        for (const std::uint32_t end = k + Pipeline::ends; k < end; ++k) {
            state_.wait_until_free(k);
            if (thread == 0) state_.tile[stage(k)] = none;
            arrive(state_.loaded[stage(k)]);
        }
        if (thread == 0) workspace_.end_claims(mine, tiles_);
    }

    // A loader arrives for what it has written, and for its copies once they have landed.
    __device__ static void arrive(phase_barrier& loaded) {
        loaded.arrive();
        if constexpr (Agent::copies_later) loaded.arrive_after_copies();
    }

    // Team 0, of `teams`, computes this block's tiles 0, teams, 2 * teams, ..., and so on. It
    // reduces `lead` more tiles before it emits one.
    __device__ void compute(std::uint32_t team) {
        // What is kept of the tiles that are reduced but not yet emitted; the last element is for
        // the tile that is reduced next.
        typename Agent::memory memory[Pipeline::lead + 1];
        std::uint32_t k = team, reduced = team;
        bool more = true;
        for (int ahead = 0;; ahead += ahead < Pipeline::lead) {
            if (more) {
                state_.template wait_until_loaded<(Pipeline::teams > 1)>(reduced);
                more = state_.tile[stage(reduced)] != none;
            }
            if (more) {
                reduce(reduced, team, memory[Pipeline::lead]);
                reduced += Pipeline::teams;
            }
            if (ahead == Pipeline::lead) {
                if (k == reduced) break;
                if constexpr (Agent::emits) emit(k, memory[0]);
                state_.scanned[stage(k)].arrive();
                k += Pipeline::teams;
            }
            if constexpr (Agent::emits) {
#pragma unroll
                for (int i = 0; i < Pipeline::lead; ++i) memory[i] = memory[i + 1];
            }
        }
        state_.folded.arrive();
    }

    // 2. and 3. Folds tile k, and publishes its aggregate.
    __device__ void reduce(std::uint32_t k, std::uint32_t team, typename Agent::memory& mine) {
        const std::uint32_t tile = state_.tile[stage(k)];
        A* const totals = totals_ + (2 * team + k / Pipeline::teams % 2) * Agent::totals;
        const auto barrier = [team] {
            if (Pipeline::teams == 1 || team == 0) {
                sync_threads<2, Agent::threads>();
            } else {
                sync_threads<3, Agent::threads>();
            }
        };
        const auto publish = [&](const auto& aggregate) {
            if (agent_.in_place() && !tells_by_words(agent_) &&
                static_cast<unsigned>(thread_in_block()) % Agent::threads == 0) {
                fence();  // its items were read before the publication
            }
            agent_.publish(workspace_.statuses(), tile, state_.epoch, aggregate);
        };
        agent_.reduce(ring_at(k), first_in(tile), items_in(tile), mine, totals, barrier, publish);
    }

    // 5. Emits tile k, whose prefix the look-back warp has found.
    __device__ void emit(std::uint32_t k, const typename Agent::memory& mine) {
        state_.prefixed[stage(k)].wait(phase(k));
        agent_.emit(ring_at(k), items_in(state_.tile[stage(k)]), state_.prefix[stage(k)], mine);
        if constexpr (Agent::stores_in_bulk) show_to_bulk_copies();
    }

    __device__ void store(int thread) {
        for (std::uint32_t k = 0;; ++k) {
            state_.loaded[stage(k)].wait(phase(k));
            const std::uint32_t tile = state_.tile[stage(k)];
            if (tile == none) break;
            const auto wait_for_results = [&] { state_.scanned[stage(k)].wait(phase(k)); };
            if constexpr (Agent::stores_in_bulk) {
                agent_.start_store(ring_at(k), first_in(tile), items_in(tile), wait_for_results);
                wait_bulk_stores_read();
            } else {
                wait_for_results();
                state_.prefixed[stage(k)].wait(phase(k));
                agent_.template store<Pipeline::store_threads>(
                    ring_at(k), first_in(tile), items_in(tile), state_.prefix[stage(k)],
                    tile + 1 == tiles_, thread);
                // The next bulk copies to the stage come after these reads.
                if constexpr (Agent::loads_in_bulk) show_to_bulk_copies();
            }
            state_.freed[stage(k)].arrive();
        }
        if constexpr (Agent::stores_in_bulk) wait_bulk_stores();
    }

    const Problem& problem_;
    Agent agent_;
    workspace_view<A> workspace_;
    unsigned char* ring_;
    state_type& state_;
    A* totals_;
    std::uint64_t items_ = 0;
    std::uint32_t tiles_ = 0;
};

#endif

template <class Pipeline>
__global__ __launch_bounds__(Pipeline::threads, 1) void pipelined_kernel(
    const __grid_constant__ typename Pipeline::Agent::problem_type problem,
    workspace_view<typename Pipeline::Agent::value_type> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    using Agent = typename Pipeline::Agent;
    using A = typename Agent::value_type;
    auto& shared = shared_memory<pipelined_memory<Pipeline>>();
    pipelined_block<Pipeline>(problem, workspace, dynamic_shared_memory(),
                              reinterpret_cast<pipeline_state<Pipeline>&>(shared.state),
                              reinterpret_cast<A*>(shared.totals))
        .run();
#endif
}

}  // namespace lookback::detail::device
