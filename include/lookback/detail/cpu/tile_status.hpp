/// \file
/// The status word: what a tile tells the tiles after it (Merrill & Garland 2016, section 4.1:
/// "partition descriptor"; section 4.4: fence-free updates).
///
/// A tile's status only moves forward: X (nothing yet), A (the fold of the tile itself is known), P
/// (the fold of everything up to its end is known). Both values, once readable, never change, so a
/// reader may act on whatever it saw.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace lookback::detail {

enum class tile_state : std::uint32_t { X = 0, A = 1, P = 2 };

/// What a reader saw: `value` is the aggregate in state A, the inclusive prefix in state P.
template <class T>
struct tile_view {
    tile_state state;
    std::optional<T> value;
};

// Value and state side by side in one machine word, aligned as one.
template <class T>
struct alignas(std::max(alignof(T), std::size_t{sizeof(T) <= 4 ? 8 : 16})) packed_word {
    alignas(T) std::array<std::byte, sizeof(T)> value;
    tile_state state;
};

// By the size alone: whether 16 bytes are lock-free depends on a compiler's flags, which are others
// in the library and in a program, and both have the same tile_status.
template <class T>
concept fits_in_a_word =
    std::is_trivially_copyable_v<T> && sizeof(packed_word<T>) <= 8 &&
    std::has_single_bit(sizeof(packed_word<T>)) && std::atomic<packed_word<T>>::is_always_lock_free;

/// State and value apart, for values of any copyable type. Each value is written before the state
/// that announces it, by a release store, and read after an acquire load of that state: the reader
/// sees the value whole. A and P have a slot each, because a reader may still be copying the
/// aggregate while the prefix is written.
template <class T>
class alignas(64) tile_status {
 public:
    void publish_aggregate(const T& value) {
        aggregate_.emplace(value);
        state_.store(tile_state::A, std::memory_order_release);
    }
    void publish_prefix(const T& value) {
        prefix_.emplace(value);
        state_.store(tile_state::P, std::memory_order_release);
    }
    tile_view<T> read() const {
        switch (state_.load(std::memory_order_acquire)) {
            case tile_state::A: return {tile_state::A, aggregate_};
            case tile_state::P: return {tile_state::P, prefix_};
            case tile_state::X: break;
        }
        return {tile_state::X, std::nullopt};
    }

 private:
    std::atomic<tile_state> state_{tile_state::X};
    std::optional<T> aggregate_;
    std::optional<T> prefix_;
};

/// State and value in one word: one store publishes both, one load sees both or neither, so that
/// there is no second location to order (section 4.4). Release and acquire all the same, for the
/// sake of values that are handles: what an operator has written behind one is visible to who reads
/// it.
template <fits_in_a_word T>
class alignas(64) tile_status<T> {
 public:
    void publish_aggregate(const T& value) { publish(tile_state::A, value); }
    void publish_prefix(const T& value) { publish(tile_state::P, value); }
    tile_view<T> read() const {
        const packed_word<T> word = word_.load(std::memory_order_acquire);
        if (word.state == tile_state::X) return {tile_state::X, std::nullopt};
        return {word.state, std::bit_cast<T>(word.value)};
    }

 private:
    void publish(tile_state state, const T& value) {
        word_.store({std::bit_cast<std::array<std::byte, sizeof(T)>>(value), state},
                    std::memory_order_release);
    }
    std::atomic<packed_word<T>> word_{packed_word<T>{{}, tile_state::X}};
};

}  // namespace lookback::detail
