/// \file
/// The status word: what a tile publishes for the tiles after it (Merrill & Garland 2016, section
/// 4.1: "partition descriptor"; section 4.4: fence-free updates).
///
/// A tile's state only moves forward: X (nothing yet), A (the fold of the tile itself is known), P
/// (the fold of everything up to its end is known). Once a value is readable it never changes, so a
/// reader may act on whatever it has seen.
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

/// What a reader has seen: `value` is the aggregate in state A, and the inclusive prefix in state
/// P.
template <class T>
struct tile_view {
    tile_state state;
    std::optional<T> value;
};

// Value and state side by side in one machine word, with the word's alignment.
template <class T>
struct alignas(std::max(alignof(T), std::size_t{sizeof(T) <= 4 ? 8 : 16})) packed_word {
    alignas(T) std::array<std::byte, sizeof(T)> value;
    tile_state state;
};

// This depends on the size alone. Whether 16 bytes are lock-free depends on compiler flags, which
// may differ between the library and a program; both must have the same tile_status.
template <class T>
concept fits_in_a_word =
    std::is_trivially_copyable_v<T> && sizeof(packed_word<T>) <= 8 &&
    std::has_single_bit(sizeof(packed_word<T>)) && std::atomic<packed_word<T>>::is_always_lock_free;

/// State and value apart, for values of any copyable type. A value is written before the release
/// store of the state that announces it, and read after an acquire load of that state, so the
/// reader sees the whole value. A and P have a slot each, because a reader may still be copying the
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

/// State and value in one word: one store publishes both, and one load sees both or neither, so
/// there is no second location to order (section 4.4). Release and acquire are needed all the same
/// for values that are handles: they make what an operator has written behind a handle visible to
/// the reader of the handle.
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
