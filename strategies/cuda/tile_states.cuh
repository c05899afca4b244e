/// \file
/// What tiles tell each other in a single pass: X, A or P, and the fold that goes with it (Merrill
/// & Garland 2016, section 4.1).
///
/// A fold of up to 12 bytes shares a word of 8 or 16 bytes with its state. The word is stored and
/// loaded whole, so a reader that sees the state sees the fold. It reads no other memory because of
/// what it has seen, so relaxed accesses are enough (section 4.4, "fence-free descriptor updates").
///
/// A wider fold is written first, then its state with release. The reader loads the state with
/// acquire, then the fold, so it sees the whole fold. A and P have a place each: a reader that has
/// seen A may still be reading the aggregate while P is published.
#pragma once

#include <cstdint>
#include <cstring>

#include "device.cuh"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"

namespace lookback::strategies {

/// Cleared memory says X everywhere.
enum class tile_state : std::uint32_t { X = 0, A = 1, P = 2 };

template <class T>
struct tile_report {
    tile_state state;
    T fold;
};

/// State and fold in one word.
template <class T>
class packed_states {
    static constexpr bool is_narrow = sizeof(T) <= 4;
    using word = std::conditional_t<is_narrow, std::uint64_t, detail::device::word16>;
    static_assert(sizeof(T) <= sizeof(word) - 4);

 public:
    packed_states(carver& memory, std::uint64_t tiles) : words_(memory.take<word>(tiles)) {}

    __device__ void publish(std::uint64_t tile, tile_state state, const T& fold) const {
        unsigned char bytes[sizeof(word)] = {};
        std::memcpy(bytes, &fold, sizeof(T));
        std::memcpy(bytes + sizeof(word) - 4, &state, 4);
        word whole;
        std::memcpy(&whole, bytes, sizeof(word));
        detail::device::store_relaxed(words_ + tile, whole);
    }
    __device__ tile_report<T> read(std::uint64_t tile) const {
        const word whole = detail::device::load_relaxed(words_ + tile);
        unsigned char bytes[sizeof(word)];
        std::memcpy(bytes, &whole, sizeof(word));
        tile_report<T> seen{};
        std::memcpy(&seen.fold, bytes, sizeof(T));
        std::memcpy(&seen.state, bytes + sizeof(word) - 4, 4);
        return seen;
    }

 private:
    word* words_;
};

/// State and folds apart.
template <class T>
class split_states {
 public:
    split_states(carver& memory, std::uint64_t tiles)
        : states_(memory.take<std::uint32_t>(tiles)),
          aggregates_(memory.take<T>(tiles)),
          prefixes_(memory.take<T>(tiles)) {}

    __device__ void publish(std::uint64_t tile, tile_state state, const T& fold) const {
        (state == tile_state::A ? aggregates_ : prefixes_)[tile] = fold;
        detail::device::store_release(states_ + tile, static_cast<std::uint32_t>(state));
    }
    __device__ tile_report<T> read(std::uint64_t tile) const {
        tile_report<T> seen{};
        seen.state = static_cast<tile_state>(detail::device::load_acquire(states_ + tile));
        if (seen.state == tile_state::A) seen.fold = aggregates_[tile];
        if (seen.state == tile_state::P) seen.fold = prefixes_[tile];
        return seen;
    }

 private:
    std::uint32_t* states_;
    T* aggregates_;
    T* prefixes_;
};

template <class T>
using states_of = std::conditional_t<(sizeof(T) <= 12), packed_states<T>, split_states<T>>;

/// The tiles of one launch, and the counter that they are claimed from.
template <class T>
class tile_states {
 public:
    tile_states(carver& memory, std::uint64_t tiles)
        : next_(memory.take<std::uint64_t>(1)), states_(memory, tiles) {}

    /// Claims the next tile. Tiles are claimed in order, so all tiles before this one are held by
    /// blocks that run or have finished, and waiting for them ends. Orders nothing else.
    __device__ std::uint64_t claim() const { return detail::device::fetch_add(next_, 1); }

    __device__ void publish(std::uint64_t tile, tile_state state, const T& fold) const {
        states_.publish(tile, state, fold);
    }
    /// Waits until the tile says A or P.
    __device__ tile_report<T> wait(std::uint64_t tile) const {
        tile_report<T> seen = states_.read(tile);
        while (seen.state == tile_state::X) seen = states_.read(tile);
        return seen;
    }
    /// Waits for P, and returns the prefix.
    __device__ T wait_for_prefix(std::uint64_t tile) const {
        tile_report<T> seen = states_.read(tile);
        while (seen.state != tile_state::P) seen = states_.read(tile);
        return seen.fold;
    }

 private:
    std::uint64_t* next_;
    states_of<T> states_;
};

}  // namespace lookback::strategies
