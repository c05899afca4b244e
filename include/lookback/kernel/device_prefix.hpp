/// \file
/// The look-back as a component for your own kernels: the blocks of one launch claim tiles, and
/// each block learns the fold of the aggregates of all tiles before its own. So a kernel that makes
/// a variable number of results for each input can find the places of its results in the same
/// launch ("in-situ allocation", Merrill & Garland 2016, sections 1 and 5).
///
///     lookback::prefix_workspace<unsigned> places(gpu, tiles);            // on the host
///     expand<<<places.blocks(expand, 256), 256, 0, gpu.stream()>>>(places, ...);
///
///     using prefix = lookback::device_prefix<unsigned>;                   // in the kernel
///     __shared__ prefix::memory memory;
///     prefix before(places, memory, 0U);
///     while (before.claim()) {
///         ... work out how many results tile before.tile() has ...
///         const unsigned first = before.exclusive_prefix(results);
///         ... write them, from `first` on ...
///     }
///
/// The operator is any associative function, commutative or not. A prefix is folded in the order of
/// the tiles, and its grouping is always the same (look_back.hpp): floats have the same bits in
/// every run, with any number of blocks.
///
/// Rules for every block of the launch:
///
/// - the block and the grid are one-dimensional, and the block consists of whole warps;
/// - the block makes one device_prefix, over the one prefix_workspace of the launch (all workspaces
///   of one `gpu` may be the same memory);
/// - all its threads call together;
/// - it claims until there are no more tiles, and asks once for the prefix of each tile that it has
///   claimed. Until then the later tiles wait for it, so in between it must not wait for another
///   block by other means.
///
/// Debug builds (no NDEBUG) stop a kernel that breaks these rules, where it can be detected.
///
/// Nothing has to be cleared between launches, and a captured launch may be replayed as a graph.
///
/// Cost: one atomic addition and one status word for each tile. A status word has 8 bytes for
/// values of up to 4 bytes, 16 for up to 12, and 68 for up to 64. Each block reads the words of all
/// tiles, from L2, so launch no more blocks than run at once. One barrier for a block, and one more
/// for each of its tiles.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"
#include "lookback/gpu.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// The memory that the blocks of a launch share, for up to `tiles` tiles whose aggregates have type
/// A; passed to the kernel by value. It is part of the workspace of `gpu`, whose rules apply:
/// kernels with it run on the stream of `gpu`, one after another, among the library's own kernels.
/// The workspace grows by itself. While a graph is captured growing is an error (cuda_error), so
/// make a prefix_workspace before the capture. It may be used for any number of launches, as long
/// as `gpu` lives. Errors: std::invalid_argument for more than 2^31 tiles, or if another device is
/// current.
template <class A>
class prefix_workspace {
    static_assert(std::is_trivially_copyable_v<A> && sizeof(A) <= 64 && alignof(A) <= 16,
                  "tiles hand in trivially copyable values of at most 64 bytes");

 public:
    prefix_workspace(gpu& where, std::uint64_t tiles)
        : region_(region(where, tiles)),
          tiles_(static_cast<std::uint32_t>(tiles)),
          multiprocessors_(where.multiprocessors_) {}

    __host__ __device__ std::uint32_t tiles() const { return tiles_; }

    /// The number of blocks of this kernel to launch: as many as run at once, at most one for each
    /// tile, at least one.
    template <class... Parameters>
    unsigned blocks(void (*kernel)(Parameters...), int threads,
                    std::size_t shared_bytes = 0) const {
        int at_once = 0;
        detail::device::check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, threads, shared_bytes),
            "asking how many blocks a multiprocessor holds");
        const auto most = static_cast<std::uint32_t>(at_once * multiprocessors_);
        return std::max(1U, std::min(most, tiles_));
    }

 private:
    template <class, class, class>
    friend class device_prefix;

    static detail::device::workspace_view<A> region(gpu& where, std::uint64_t tiles) {
        if (tiles > detail::device::most_claimed_tiles) {
            throw std::invalid_argument("lookback: prefix_workspace has " + std::to_string(tiles) +
                                        " tiles; at most " +
                                        std::to_string(detail::device::most_claimed_tiles) +
                                        " are possible: make tiles larger");
        }
        const auto whole = where.begin_call();
        return where.region<A>(std::max<std::uint64_t>(1, tiles));
    }

    detail::device::workspace_view<A> region_;
    std::uint32_t tiles_;
    int multiprocessors_;
};

/// A block's access to the tiles of a launch. `Prefix` may be wider than a tile's aggregate, for
/// example for counts of more than 2^32 results. Then op must also accept a Prefix and an A. The
/// aggregates of up to 32 neighbouring tiles are first folded as an A, so that fold has to fit in
/// an A.
template <class A, class Op = plus<>, class Prefix = A>
class device_prefix {
    static_assert(std::is_trivially_copyable_v<Prefix>);

 public:
    /// Shared memory, used by this object alone.
    struct memory {
        detail::device::claim next[2];
        alignas(Prefix) unsigned char prefix[2][sizeof(Prefix)];
    };

    /// `init` comes before the first tile.
    __device__ device_prefix(const prefix_workspace<A>& workspace, memory& shared,
                             const Prefix& init, const Op& op = {})
        : device_prefix(workspace, shared, init, op, workspace.tiles()) {}

    /// For fewer tiles than the workspace has room for, for example a number that only the device
    /// knows. It is the same in all blocks.
    __device__ device_prefix(const prefix_workspace<A>& workspace, memory& shared,
                             const Prefix& init, const Op& op, std::uint32_t tiles)
        : region_(workspace.region_),
          shared_(shared),
          tiles_(tiles),
          next_(first_claim()),
          look_back_(region_.statuses(), next_.epoch, {init, true}, op) {
        assert(tiles <= workspace.tiles() && "more tiles than the prefix_workspace was made for");
    }
    device_prefix(const device_prefix&) = delete;
    device_prefix& operator=(const device_prefix&) = delete;

    /// Claims the next tile for the whole block. Returns false if there are no more tiles; it must
    /// not be called again then.
    __device__ bool claim() {
        assert(!waited_for_ && "a block has claimed a tile and not asked for its prefix");
        mine_ = next_;
        waited_for_ = mine_.ticket < tiles_;
        if (waited_for_) return true;
        if (detail::device::thread_in_block() == 0) region_.end_claims(mine_, tiles_);
        if (detail::device::warp() == 0) region_.finish(mine_.epoch);
        if (detail::device::thread_in_block() == 0) region_.leave();
        return false;
    }

    /// The number of the last claimed tile, from 0 on. Tiles are claimed in order, but blocks work
    /// on many at the same time.
    __device__ std::uint32_t tile() const { return mine_.ticket; }

    /// Publishes the tile's aggregate, as passed by thread 0, and returns to all threads the fold
    /// of `init` and the aggregates of all tiles before. One barrier of the block.
    __device__ Prefix exclusive_prefix(const A& aggregate) { return prefix<false>(aggregate); }

    /// The same where blocks access the same memory, for example if results overwrite the input.
    /// All reads and writes that the blocks of earlier tiles have made, up to a barrier before
    /// their own call, happen before everything that this block does after its call. Two more
    /// fences for each tile.
    __device__ Prefix ordered_exclusive_prefix(const A& aggregate) {
        return prefix<true>(aggregate);
    }

 private:
    __device__ detail::device::claim first_claim() {
        assert(detail::device::in_rows_of_whole_warps() &&
               "blocks and grid are one-dimensional, blocks of whole warps");
        if (detail::device::thread_in_block() == 0) {
            region_.enter();
            shared_.next[0] = detail::device::claim_next(region_.counter);
        }
        detail::device::sync_block();
        return shared_.next[0];
    }

    template <bool ordered>
    __device__ Prefix prefix(const A& aggregate) {
        assert(waited_for_ && "the prefix of a tile is asked for once, after it has been claimed");
        waited_for_ = false;
        // Two places, used in turn: a slow warp may still read one while the other is being
        // written.
        turn_ ^= 1;
        Prefix& shared_prefix = reinterpret_cast<Prefix&>(shared_.prefix[turn_]);
        if (detail::device::warp() == 0) {
            if (detail::device::lane() == 0) {
                if constexpr (ordered) detail::device::fence();
                region_.statuses().publish(mine_.ticket, mine_.epoch, aggregate);
                shared_.next[turn_] = detail::device::claim_next(region_.counter);
            }
            const auto before = look_back_.before(mine_.ticket);
            if constexpr (ordered) detail::device::fence();  // pairs with each publisher's fence
            if (detail::device::lane() == 0) shared_prefix = before.value;
        }
        detail::device::sync_block();
        next_ = shared_.next[turn_];
        return shared_prefix;
    }

    detail::device::workspace_view<A> region_;
    memory& shared_;
    std::uint32_t tiles_;
    detail::device::claim next_;
    detail::device::claim mine_{};
    detail::device::look_back<A, Op, Prefix, detail::device::few_waits, Op> look_back_;
    int turn_ = 0;
    bool waited_for_ = false;
};

}  // namespace lookback
