/// \file
/// The status word on the GPU: what a tile tells the tiles after it, and the counter that tiles are
/// claimed from.
///
/// Here a tile publishes its aggregate only (state A of detail/cpu/tile_status.hpp); "nothing yet"
/// (X) is any word of another launch, because each word carries the number of the launch that wrote
/// it, its epoch. So nothing is ever cleared, and no launch before the scan is needed. The epoch
/// lives in device memory, where a captured graph finds the right one at each replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"

namespace lookback::detail::device {

/// The head of a workspace: one word that hands out tickets and tells the epoch at once.
///
/// A launch of B blocks and t tiles claims until each block has had one ticket >= t. So the last
/// ticket is t + B - 1, and the block that gets it starts the next epoch: no block claims after it,
/// and all know the epoch of this launch already. The counter orders nothing else: relaxed.
struct alignas(128) claim_counter {
    std::uint64_t word;       ///< epoch << 32 | tickets given in this launch
    std::uint32_t finished;   ///< blocks that have left the last launch of the last epoch
    std::uint32_t users;      ///< debug builds: blocks inside
    std::uint64_t owner;      ///< debug builds: the launch that is inside
    std::uint64_t totals[2];  ///< of calls that return how many items they kept
};

/// A ticket has 32 bits, and each block draws one beyond the last tile.
inline constexpr std::uint64_t most_claimed_tiles = std::uint64_t{1} << 31;

inline constexpr std::uint32_t first_epoch = 1;
inline constexpr std::uint32_t last_epoch = 0xffffffffU;

struct claim {
    std::uint32_t epoch;
    std::uint32_t ticket;
};

__device__ inline claim claim_next(claim_counter* counter) {
    const std::uint64_t word = fetch_add(&counter->word, 1);
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
}

__device__ inline void start_epoch(claim_counter* counter, std::uint32_t epoch) {
    store_relaxed(&counter->word, std::uint64_t{epoch} << 32);
}

/// For blocks that need no ticket: reads the epoch, and tells that this block knows it. All blocks
/// together add 2^32 to the word, so that the next epoch begins once each has read this one; no
/// block waits for the answer of an atomic operation.
__device__ inline std::uint32_t read_epoch(claim_counter* counter) {
    const auto epoch = static_cast<std::uint32_t>(load_relaxed(&counter->word) >> 32);
    if (epoch != last_epoch) {
        add(&counter->word,
            block_in_grid() == 0 ? (std::uint64_t{1} << 32) - (blocks_in_grid() - 1) : 1);
    }
    return epoch;
}

/// What the words of a workspace look like. Each has a region and a counter of its own: a word of
/// one format, read as another, could carry any epoch.
enum class status_format { word8, word16, split };

template <class A>
inline constexpr status_format format_of = sizeof(A) <= 4    ? status_format::word8
                                           : sizeof(A) <= 12 ? status_format::word16
                                                             : status_format::split;

/// Bytes that one tile takes.
template <class A>
inline constexpr std::size_t status_bytes = format_of<A> == status_format::word8    ? 8
                                            : format_of<A> == status_format::word16 ? 16
                                                                                    : 64 + 4;

/// The status words of up to `capacity` tiles. Value and epoch share one word that is written and
/// read as a whole: there is no second location to order, so relaxed is enough (section 4.4).
template <class A, status_format = format_of<A>>
class tile_statuses {
 public:
    __device__ tile_statuses(void* words, std::size_t /*capacity*/)
        : words_(static_cast<std::uint64_t*>(words)) {}

    __device__ void publish(std::uint64_t tile, std::uint32_t epoch, const A& aggregate) const {
        std::uint32_t value = 0;
        std::memcpy(&value, &aggregate, sizeof(A));
        store_relaxed(words_ + tile, std::uint64_t{epoch} << 32 | value);
    }
    /// Whether `tile` has published in this epoch, and what.
    __device__ bool read(std::uint64_t tile, std::uint32_t epoch, A& aggregate) const {
        const std::uint64_t word = load_relaxed(words_ + tile);
        const auto value = static_cast<std::uint32_t>(word);
        std::memcpy(&aggregate, &value, sizeof(A));
        return static_cast<std::uint32_t>(word >> 32) == epoch;
    }
    /// Where the epoch of a tile's word lies, for a tile that tells nothing else in a launch.
    __device__ std::uint32_t* epoch_of(std::uint64_t tile) const {
        return reinterpret_cast<std::uint32_t*>(words_ + tile) + 1;
    }

 private:
    std::uint64_t* words_;
};

template <class A>
class tile_statuses<A, status_format::word16> {
 public:
    __device__ tile_statuses(void* words, std::size_t /*capacity*/)
        : words_(static_cast<word16*>(words)) {}

    __device__ void publish(std::uint64_t tile, std::uint32_t epoch, const A& aggregate) const {
        word16 word = {0, std::uint64_t{epoch} << 32};
        std::memcpy(&word, &aggregate, sizeof(A));
        store_relaxed(words_ + tile, word);
    }
    __device__ bool read(std::uint64_t tile, std::uint32_t epoch, A& aggregate) const {
        const word16 word = load_relaxed(words_ + tile);
        std::memcpy(&aggregate, &word, sizeof(A));
        return static_cast<std::uint32_t>(word.high >> 32) == epoch;
    }
    __device__ std::uint32_t* epoch_of(std::uint64_t tile) const {
        return reinterpret_cast<std::uint32_t*>(words_ + tile) + 3;
    }

 private:
    word16* words_;
};

/// Values too wide for a word: written before the epoch that announces them, by a release store,
/// and read after an acquire load of that epoch. Atomic word by word, because a tile's owner and
/// who helps it may both write the same value, the one while somebody reads the other's.
template <class A>
class tile_statuses<A, status_format::split> {
    static_assert(sizeof(A) <= 64, "accumulators on the GPU have at most 64 bytes");

 public:
    __device__ tile_statuses(void* words, std::size_t capacity)
        : values_(static_cast<slot*>(words)),
          epochs_(reinterpret_cast<std::uint32_t*>(values_ + capacity)) {}

    __device__ void publish(std::uint64_t tile, std::uint32_t epoch, const A& aggregate) const {
        word16 word[words] = {};
        std::memcpy(word, &aggregate, sizeof(A));
#pragma unroll
        for (int i = 0; i < words; ++i) store_relaxed(values_[tile].word + i, word[i]);
        store_release(epochs_ + tile, epoch);
    }
    __device__ bool read(std::uint64_t tile, std::uint32_t epoch, A& aggregate) const {
        if (load_acquire(epochs_ + tile) != epoch) return false;
        word16 word[words];
#pragma unroll
        for (int i = 0; i < words; ++i) word[i] = load_relaxed(values_[tile].word + i);
        std::memcpy(&aggregate, word, sizeof(A));
        return true;
    }
    __device__ std::uint32_t* epoch_of(std::uint64_t tile) const { return epochs_ + tile; }

 private:
    static constexpr int words = (sizeof(A) + sizeof(word16) - 1) / sizeof(word16);
    struct slot {
        word16 word[4];
    };
    slot* values_;
    std::uint32_t* epochs_;
};

}  // namespace lookback::detail::device
