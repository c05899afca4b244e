/// \file
/// How a problem becomes one kernel launch: which driver runs it, by its type and number of items,
/// with which tiles, and with how many blocks.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lookback/detail/device/find_facts.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/light.hpp"
#include "lookback/detail/device/pipelined.hpp"
#include "lookback/detail/device/scan_agent.hpp"
#include "lookback/detail/device/staged.hpp"
#include "lookback/detail/device/tuning.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// What launches, and tests, may know of an execution.
struct access {
    template <class A>
    static workspace_view<A> region(gpu& where, std::uint64_t tiles) {
        return where.region<A>(tiles);
    }

    /// A place in device memory for two counts, valid until the next call.
    static std::uint64_t* totals(gpu& where) {
        return where.region<std::uint32_t>(1).counter->totals;
    }

    /// A place in device memory for a count of flags, valid until the next call.
    static std::uint64_t* flags_set(gpu& where) {
        return &where.region<std::uint32_t>(1).counter->flags_set;
    }

    /// See gpu::scratch.
    static void* scratch(gpu& where, std::size_t bytes) { return where.scratch(bytes); }

    /// See gpu::zeros.
    static void* zeros(gpu& where, std::size_t bytes) { return where.zeros(bytes); }

    /// The most bytes of shared memory that a block may have.
    static std::size_t most_shared_bytes(const gpu& where) {
        return static_cast<std::size_t>(where.most_shared_bytes_);
    }

    static std::uint64_t multiprocessors(const gpu& where) {
        return static_cast<std::uint64_t>(where.multiprocessors_);
    }

    /// See gpu::begin_call.
    [[nodiscard]] static auto begin_call(gpu& where) { return where.begin_call(); }

    static void refuse_in_capture(const gpu& where, const char* what) {
        where.refuse_in_capture(what);
    }

    /// What is known of a kernel. `most_cluster`: the most blocks that a cluster of it should have.
    /// `by_cache`: its speed depends on the L1 cache.
    template <auto kernel, int most_cluster = 1, bool by_cache = false>
    static const kernel_facts& facts(gpu& where, int threads, int shared_bytes) {
        const auto* const key = reinterpret_cast<const void*>(kernel);
        const auto known = where.facts_.find(key);
        if (known != where.facts_.end()) return known->second;
        return where.facts_
            .emplace(key, find_facts<kernel, most_cluster, by_cache>(threads, shared_bytes))
            .first->second;
    }

    /// The number of blocks to launch: as many as there are tiles, at most as many as fit on the
    /// GPU, at least one.
    static std::uint64_t blocks(const gpu& where, std::uint64_t tiles, const kernel_facts& kernel) {
        std::uint64_t most = static_cast<std::uint64_t>(kernel.resident_blocks) *
                             static_cast<std::uint64_t>(where.multiprocessors_);
        if (where.most_blocks_ > 0) most = std::min<std::uint64_t>(most, where.most_blocks_);
        return std::max<std::uint64_t>(1, std::min(tiles, most));
    }

    static bool pipelines(const gpu& where, std::size_t shared_bytes) {
        return where.pipelines_ &&
               shared_bytes <= static_cast<std::size_t>(where.most_shared_bytes_);
    }
    static bool copies_in_bulk(const gpu& where) { return where.copies_in_bulk_; }
    static bool last_block_first(const gpu& where) { return where.last_block_first_; }
    static bool starts_together(const gpu& where) { return where.starts_together_; }
    static bool uses_small(const gpu& where) { return where.small_; }

    // For tests.
    static void use_pipeline(gpu& where, bool yes) { where.pipelines_ = yes; }
    static void copy_in_bulk(gpu& where, bool yes) { where.copies_in_bulk_ = yes; }
    static void use_small(gpu& where, bool yes) { where.small_ = yes; }
    static void limit_blocks(gpu& where, unsigned most) { where.most_blocks_ = most; }
    static void start_last_block_first(gpu& where, bool yes) { where.last_block_first_ = yes; }
    template <class A>
    static void set_epoch(gpu& where, std::uint32_t epoch) {
        const std::uint64_t word = std::uint64_t{epoch} << 32;
        device::check(cudaMemcpyAsync(where.region<A>(1).counter, &word, sizeof(word),
                                      cudaMemcpyHostToDevice, where.stream()),
                      "setting the epoch");
        device::check(cudaStreamSynchronize(where.stream()), "setting the epoch");
    }
};

inline std::uint64_t tiles_for(std::uint64_t items, std::uint64_t tile_items) {
    return items / tile_items + (items % tile_items != 0);
}

/// Starts a kernel that calls wait_for_previous_kernel, in clusters of `cluster` blocks. It may
/// begin before the previous kernel has ended if it was compiled for compute capability 9.0 or
/// later.
template <auto kernel, class... Arguments>
void start_clusters(gpu& where, const kernel_facts& known, unsigned cluster, std::uint64_t blocks,
                    int threads, int shared_bytes, const Arguments&... arguments) {
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(static_cast<unsigned>(blocks));
    how.blockDim = dim3(static_cast<unsigned>(threads));
    how.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
    how.stream = where.stream();
    how.attrs = attributes;
    how.numAttrs = known.architecture < 90 ? 0 : cluster == 1 ? 1 : 2;
    device::check(cudaLaunchKernelEx(&how, kernel, arguments...), "launching a kernel");
}
/// The same, without clusters.
template <auto kernel, class... Arguments>
void start(gpu& where, const kernel_facts& known, std::uint64_t blocks, int threads,
           int shared_bytes, const Arguments&... arguments) {
    start_clusters<kernel>(where, known, 1, blocks, threads, shared_bytes, arguments...);
}

/// The same. If `together`, the GPU starts all blocks at once or none. Returns whether the kernel
/// was started.
template <auto kernel, class... Arguments>
bool start_together(gpu& where, const kernel_facts& known, bool together, std::uint64_t blocks,
                    int threads, const Arguments&... arguments) {
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = together ? 1 : 0;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(static_cast<unsigned>(blocks));
    how.blockDim = dim3(static_cast<unsigned>(threads));
    how.stream = where.stream();
    how.attrs = attributes;
    how.numAttrs = known.architecture < 90 ? 1 : 2;
    const cudaError_t code = cudaLaunchKernelEx(&how, kernel, arguments...);
    if (together && code == cudaErrorCooperativeLaunchTooLarge) {
        static_cast<void>(cudaGetLastError());  // the stream cannot use all multiprocessors
        return false;
    }
    device::check(code, "launching a kernel");
    return true;
}

/// Starts the pipelined driver, unless it cannot run here. Returns whether it did.
template <class Pipeline, class Problem, class Workspace>
bool launch_pipelined(gpu& where, const Problem& problem, const Workspace& workspace,
                      std::uint64_t tiles) {
    constexpr auto kernel = pipelined_kernel<Pipeline>;
    if (!access::pipelines(where, Pipeline::shared_bytes + sizeof(pipelined_memory<Pipeline>))) {
        return false;
    }
    const auto& known = access::facts<kernel>(where, Pipeline::threads, Pipeline::shared_bytes);
    if (known.architecture < 90) return false;
    start<kernel>(where, known, access::blocks(where, tiles, known), Pipeline::threads,
                  Pipeline::shared_bytes, problem, workspace);
    return true;
}

/// The same shape with as many stages as fit: stages for arrays that begin anywhere, or of columns
/// that change size, are longer.
template <class Agent, large_shape shape>
constexpr large_shape fitted() {
    static_assert(shape.stages > 1);
    constexpr std::size_t other_bytes = sizeof(pipelined_memory<pipeline<Agent, shape>>);
    if constexpr (shape.stages * Agent::stage_bytes + other_bytes <= hopper_shared_bytes) {
        return shape;
    } else {
        constexpr int stages = shape.stages - 1;
        constexpr int lead = shape.lead < stages / 2 ? shape.lead : stages / 2;
        return fitted<Agent,
                      large_shape{shape.warps, stages, lead, shape.look_back_warps, shape.teams}>();
    }
}

/// Whether an agent for arrays on boundaries has a counterpart, `anywhere`, for other arrays.
template <class Agent>
concept loads_anywhere = requires { typename Agent::anywhere; };

/// Runs a problem of `tiles` tiles with its agent, on tiles of shape.warps warps, by the pipelined
/// driver where it can run, otherwise by the staged driver. The pipelined driver copies in bulk
/// where the type and the arrays allow it: Agent<..., true>. `at_any_place`: that agent serves
/// wherever arrays begin, and the staged driver too. `words`: the number of status words.
template <template <class, int, bool> class Agent, large_shape shape, bool at_any_place = false,
          class Problem>
void launch_tiles(gpu& where, const Problem& problem, std::uint64_t tiles, std::uint64_t words) {
    using by_items = Agent<Problem, shape.warps, false>;
    const auto workspace = access::region<typename by_items::value_type>(where, words);
    if constexpr (at_any_place || Problem::can_be_aligned) {
        using in_bulk = Agent<Problem, shape.warps, true>;
        static_assert(in_bulk::tile_items == by_items::tile_items, "one tree for both");
        if ((at_any_place || problem.aligned) && access::copies_in_bulk(where) &&
            launch_pipelined<pipeline<in_bulk, fitted<in_bulk, shape>()>>(where, problem, workspace,
                                                                          tiles)) {
            return;
        }
        if constexpr (loads_anywhere<in_bulk>) {
            using anywhere = typename in_bulk::anywhere;
            static_assert(anywhere::tile_items == by_items::tile_items, "one tree for all");
            if (access::copies_in_bulk(where) &&
                launch_pipelined<pipeline<anywhere, fitted<anywhere, shape>()>>(where, problem,
                                                                                workspace, tiles)) {
                return;
            }
        } else if constexpr (!at_any_place) {
            if (launch_pipelined<pipeline<by_items, shape>>(where, problem, workspace, tiles))
                return;
        }
    } else {
        if (launch_pipelined<pipeline<by_items, shape>>(where, problem, workspace, tiles)) return;
    }
    using staged = Agent<Problem, shape.warps, at_any_place>;
    constexpr auto kernel = staged_kernel<staged>;
    const auto& known = access::facts<kernel>(where, staged::threads, 0);
    start<kernel>(where, known, access::blocks(where, tiles, known), staged::threads, 0, problem,
                  workspace);
}

[[noreturn]] inline void refuse_items(std::uint64_t items, std::uint64_t most) {
    throw std::invalid_argument("lookback: " + std::to_string(items) +
                                " items are more than one call can take; expected at most " +
                                std::to_string(most));
}

/// The same for tiles of a fixed number of items, with one status word each. Where results lie over
/// items of the same numbers, a tile may have one more word.
template <template <class, int, bool> class Agent, large_shape shape, bool at_any_place = false,
          class Problem>
void launch_large(gpu& where, const Problem& problem) {
    constexpr int tile_items = Agent<Problem, shape.warps, false>::tile_items;
    const std::uint64_t tiles =
        std::max<std::uint64_t>(1, tiles_for(problem.count.at_most, tile_items));
    if (tiles > most_claimed_tiles) {
        refuse_items(problem.count.at_most, most_claimed_tiles * tile_items);
    }
    std::uint64_t words = tiles;
    if constexpr (Agent<Problem, shape.warps, false>::tells_of_reads) {
        if (problem.in_place && problem.item_over_item) words = 2 * tiles;  // tiles_read.hpp
    }
    launch_tiles<Agent, shape, at_any_place>(where, problem, tiles, words);
}

template <int which, class Problem>
void launch_light(gpu& where, const Problem& problem) {
    using A = typename Problem::value_type;
    constexpr light_shape shape = light<A>[which];
    constexpr std::uint64_t tile_items = static_cast<std::uint64_t>(shape.warps) *
                                         warp_items<Problem, shape.warps, shape.rows>::items;
    constexpr bool many = shape.most_items > tile_items;
    const std::uint64_t tiles = tiles_for(problem.count.at_most, tile_items);
    constexpr auto kernel = light_kernel<Problem, shape.warps, shape.rows, many>;
    constexpr int threads = shape.warps * warp_lanes;
    start<kernel>(where, access::facts<kernel>(where, threads, 0), tiles, threads, 0, problem,
                  access::region<A>(where, many ? tiles : 0), access::last_block_first(where));
}

template <int which = 0, class Problem>
void launch_scan(gpu& where, const Problem& problem) {
    using A = typename Problem::value_type;
    if constexpr (which < static_cast<int>(std::size(light<A>))) {
        if (problem.count.at_most > light<A>[which].most_items) {
            return launch_scan<which + 1>(where, problem);
        }
        launch_light<which>(where, problem);
    } else {
        constexpr large_shape shape = large<sizeof(A)>;
        launch_large<scan_agent, shape, Problem::in_arrays>(where, problem);
    }
}

}  // namespace lookback::detail::device
