/// \file
/// The status word on the GPU, by which a tile tells later tiles its aggregate; and the counter
/// from which tiles are claimed.
///
/// Here a tile publishes its aggregate only (state A of detail/cpu/tile_status.hpp). Each word
/// carries the epoch, which is the number of the launch that wrote it. A word of another launch
/// means "nothing yet" (X). So words need not be cleared, and no other kernel has to run before the
/// scan. The epoch lives in device memory, so a captured graph finds the right epoch at each
/// replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/run_summary.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

/// The head of a workspace. One word hands out tickets and tells the epoch, both by one operation.
///
/// A launch of B blocks and t tiles claims until each block has had one ticket >= t. So the last
/// ticket is t + B - 1. The block that gets it starts the next epoch: no block claims after it, and
/// all blocks already know the epoch of this launch. The counter orders nothing else, so relaxed
/// operations are enough.
struct alignas(128) claim_counter {
    std::uint64_t word;       ///< epoch << 32 | tickets given in this launch
    std::uint32_t finished;   ///< blocks that have finished, in the launch with last_epoch
    std::uint32_t users;      ///< debug builds: blocks that use the workspace
    std::uint64_t owner;      ///< debug builds: the launch that uses it
    std::uint64_t totals[2];  ///< for calls that return how many items they kept
    std::uint64_t flags_set;  ///< for calls that count flags before they move items
};

/// A ticket has 32 bits, and each block draws one ticket beyond the last tile.
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

/// For blocks that need no ticket: reads the epoch, and tells that this block knows it. Together,
/// all blocks add 2^32 to the word, so the next epoch begins when every block has read this one. No
/// block waits for the result of an atomic operation.
__device__ inline std::uint32_t read_epoch(claim_counter* counter) {
    const auto epoch = static_cast<std::uint32_t>(load_relaxed(&counter->word) >> 32);
    if (epoch != last_epoch) {
        add(&counter->word,
            block_in_grid() == 0 ? (std::uint64_t{1} << 32) - (blocks_in_grid() - 1) : 1);
    }
    return epoch;
}

/// How a value lies in a status word of 16 bytes: as it lies in memory. A value of 8 bytes, with a
/// count or a flag, lies there without padding, because with it the two are too wide for a word.
template <class A>
struct status_value {
    static constexpr std::size_t bytes = sizeof(A);
    template <class Word>
    __device__ static void put(Word& word, const A& value) {
        std::memcpy(&word, &value, sizeof(A));
    }
    template <class Word>
    __device__ static void get(const Word& word, A& value) {
        std::memcpy(&value, &word, sizeof(A));
    }
};
template <class V>
    requires(sizeof(V) == 8 && alignof(V) == 8)
struct status_value<run_summary<std::uint32_t, V>> {
    static constexpr std::size_t bytes = sizeof(V) + sizeof(std::uint32_t);
    __device__ static void put(word16& word, const run_summary<std::uint32_t, V>& runs) {
        std::memcpy(&word.low, &runs.open, sizeof(V));
        std::memcpy(&word.high, &runs.heads, sizeof(runs.heads));
    }
    __device__ static void get(const word16& word, run_summary<std::uint32_t, V>& runs) {
        std::memcpy(&runs.open, &word.low, sizeof(V));
        std::memcpy(&runs.heads, &word.high, sizeof(runs.heads));
    }
};
template <class T>
    requires(sizeof(T) == 8 && alignof(T) == 8)
struct status_value<segment_value<T>> {
    static constexpr std::size_t bytes = sizeof(T) + sizeof(bool);
    __device__ static void put(word16& word, const segment_value<T>& pair) {
        std::memcpy(&word.low, &pair.value, sizeof(T));
        std::memcpy(&word.high, &pair.head, sizeof(bool));
    }
    __device__ static void get(const word16& word, segment_value<T>& pair) {
        std::memcpy(&pair.value, &word.low, sizeof(T));
        std::memcpy(&pair.head, &word.high, sizeof(bool));
    }
};

/// The formats of status words. Each format has a region and a counter of its own: a word of one
/// format, read as another, could carry any epoch.
enum class status_format { word8, word16, split };

template <class A>
inline constexpr status_format format_of = status_value<A>::bytes <= 4    ? status_format::word8
                                           : status_value<A>::bytes <= 12 ? status_format::word16
                                                                          : status_format::split;

/// Bytes of status that one tile takes.
template <class A>
inline constexpr std::size_t status_bytes = format_of<A> == status_format::word8    ? 8
                                            : format_of<A> == status_format::word16 ? 16
                                                                                    : 64 + 4;

/// The status words of up to `capacity` tiles. Value and epoch share one word, which is written and
/// read as a whole. There is no second location to order, so relaxed accesses are enough (section
/// 4.4).
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
    /// Whether `tile` has published in this epoch; if so, `aggregate` is its aggregate.
    __device__ bool read(std::uint64_t tile, std::uint32_t epoch, A& aggregate) const {
        const std::uint64_t word = load_relaxed(words_ + tile);
        const auto value = static_cast<std::uint32_t>(word);
        std::memcpy(&aggregate, &value, sizeof(A));
        return static_cast<std::uint32_t>(word >> 32) == epoch;
    }
    /// The same again, if it was not `ready` yet.
    __device__ void read_missing(std::uint64_t tile, std::uint32_t epoch, A& aggregate,
                                 bool& ready) const {
        std::uint64_t word = std::uint64_t{epoch} << 32;
        word = load_relaxed_if(!ready, words_ + tile, word);
        const auto value = static_cast<std::uint32_t>(word);
        if (!ready) std::memcpy(&aggregate, &value, sizeof(A));
        ready = static_cast<std::uint32_t>(word >> 32) == epoch;
    }
    /// The place of the epoch of a tile's word, for a tile that tells nothing else in a launch.
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
        status_value<A>::put(word, aggregate);
        store_relaxed(words_ + tile, word);
    }
    __device__ bool read(std::uint64_t tile, std::uint32_t epoch, A& aggregate) const {
        const word16 word = load_relaxed(words_ + tile);
        status_value<A>::get(word, aggregate);
        return static_cast<std::uint32_t>(word.high >> 32) == epoch;
    }
    __device__ void read_missing(std::uint64_t tile, std::uint32_t epoch, A& aggregate,
                                 bool& ready) const {
        word16 word = {0, std::uint64_t{epoch} << 32};
        word = load_relaxed_if(!ready, words_ + tile, word);
        if (!ready) status_value<A>::get(word, aggregate);
        ready = static_cast<std::uint32_t>(word.high >> 32) == epoch;
    }
    __device__ std::uint32_t* epoch_of(std::uint64_t tile) const {
        return reinterpret_cast<std::uint32_t*>(words_ + tile) + 3;
    }

 private:
    word16* words_;
};

/// Values too wide for one word. They are written before the epoch that announces them, which is a
/// release store, and read after an acquire load of that epoch. Their words are atomic because a
/// tile's owner and a block that helps it may both write the same value, while another block reads
/// it.
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
    __device__ void read_missing(std::uint64_t tile, std::uint32_t epoch, A& aggregate,
                                 bool& ready) const {
        if (!ready) ready = read(tile, epoch, aggregate);
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
