/// \file
/// The look-back as a component of kernels of yours: the blocks of one launch claim tiles, and each
/// learns the fold of what all tiles before its own have handed in. So a kernel that makes a
/// variable number of results for each input finds their places in the launch that makes them
/// ("in-situ allocation", Merrill & Garland 2016, sections 1 and 5).
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
/// the tiles, always in the same way (look_back.hpp): floats have the same bits in every run, with
/// any number of blocks.
///
/// The rules, for every block of the launch: it is one-dimensional, of whole warps, and so is the
/// grid; it makes one device_prefix, over the one prefix_workspace of the launch (all of one `gpu`
/// may be the same memory); all its threads call together; it claims until there are no more tiles,
/// and asks once for the prefix of each tile that it has claimed. Until then later tiles wait for
/// it, so on the way it waits for no other block by other means. Debug builds (no NDEBUG) stop a
/// kernel that breaks them, where they can tell.
///
/// Nothing has to be cleared between launches, and a graph that has captured one may be replayed.
///
/// Cost: an atomic addition and a status word written for each tile (8 bytes for values of up to 4,
/// 16 up to 12, 68 up to 64); each block reads the words of all tiles, from L2, so launch no more
/// blocks than run at once. One barrier a block, and one a tile.
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
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"
#include "lookback/gpu.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// What the blocks of a launch share, for up to `tiles` tiles that hand in an A each; passed to the
/// kernel by value. It is part of the workspace of `gpu`, whose rules hold: kernels with it run on
/// the stream of `gpu`, one after the other, among the library's own; and it grows by itself, which
/// is an error (cuda_error) inside the capture of a graph: make one before. It may be used for any
/// number of launches, as long as `gpu` lives.
/// Errors: std::invalid_argument for more than 2^31 tiles, or with another device current.
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

    /// How many blocks of this kernel to launch: as many as run at once, or as there are tiles, one
    /// at least.
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

/// A block's hold on the tiles of a launch. `Prefix` may be wider than what a tile hands in, for
/// counts of more than 2^32 results, say: then op takes a Prefix and an A as well. What up to 32
/// neighbouring tiles hand in is folded as an A first, so that has to fit.
template <class A, class Op = plus<>, class Prefix = A>
class device_prefix {
    static_assert(std::is_trivially_copyable_v<Prefix>);

 public:
    /// Shared memory, for this object alone.
    struct memory {
        detail::device::claim next[2];
        alignas(Prefix) unsigned char prefix[2][sizeof(Prefix)];
    };

    /// `init` comes before the first tile.
    __device__ device_prefix(const prefix_workspace<A>& workspace, memory& shared,
                             const Prefix& init, const Op& op = {})
        : device_prefix(workspace, shared, init, op, workspace.tiles()) {}

    /// With fewer tiles than the workspace has room for: a number that only the device knows, say.
    /// It is the same in all blocks.
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

    /// Claims the next tile, for the whole block. After it has returned false there are no more,
    /// and it is not called again.
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

    /// The number of the tile claimed last, from 0 on. Tiles are claimed in order, but blocks work
    /// on many at a time.
    __device__ std::uint32_t tile() const { return mine_.ticket; }

    /// Hands in the tile's aggregate, that of thread 0, and returns the fold of `init` and the
    /// aggregates of all tiles before, in all threads. A barrier of the block.
    __device__ Prefix exclusive_prefix(const A& aggregate) { return prefix<false>(aggregate); }

    /// The same where blocks work on the same memory, as when results overwrite what was read: what
    /// the blocks of all tiles before have read and written up to a barrier before this call comes
    /// before whatever this block does after it. Two fences a tile more.
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
        // Two places in turns: a warp that is late still reads one while the other is written.
        turn_ ^= 1;
        Prefix& shared_prefix = reinterpret_cast<Prefix&>(shared_.prefix[turn_]);
        if (detail::device::warp() == 0) {
            if (detail::device::lane() == 0) {
                if constexpr (ordered) detail::device::fence();
                region_.statuses().publish(mine_.ticket, mine_.epoch, aggregate);
                shared_.next[turn_] = detail::device::claim_next(region_.counter);
            }
            const auto before = look_back_.before(mine_.ticket);
            if constexpr (ordered) detail::device::fence();  // with the one before each publication
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
    detail::device::look_back<A, Op, Prefix, true, Op> look_back_;
    int turn_ = 0;
    bool waited_for_ = false;
};

}  // namespace lookback
