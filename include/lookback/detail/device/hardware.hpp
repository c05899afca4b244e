/// \file
/// What kernels build from the machine's instructions: vectors of 16 bytes, and values of any type
/// that move between the lanes of a warp.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/run_summary.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

/// The most shared memory that a block may have on a Hopper, for which tiles and stages are sized.
inline constexpr int hopper_shared_bytes = 227 * 1024;

/// 16 bytes of an array, which one instruction moves.
template <class T>
struct alignas(16) vector16 {
    static constexpr int items = 16 / sizeof(T);
    T item[items];
};
template <class T>
__device__ vector16<T> load_vector16(const void* at) {
    vector16<T> v;
    const uint4 bits = *static_cast<const uint4*>(at);
    std::memcpy(&v, &bits, 16);
    return v;
}
template <class T>
__device__ void store_vector16(void* at, const vector16<T>& v) {
    uint4 bits;
    std::memcpy(&bits, &v, 16);
    *static_cast<uint4*>(at) = bits;
}
/// The same for global memory, by one instruction in any case (see store_global16).
template <class T>
__device__ void store_global_vector16(T* at, const vector16<T>& v) {
    uint4 bits;
    std::memcpy(&bits, &v, 16);
    store_global16(at, bits);
}

/// Whether items of an array become accumulators of the same size by casts alone, and back.
template <class A, class Item>
inline constexpr bool moves_as =
    std::is_same_v<A, Item> ||
    (std::is_arithmetic_v<A> && std::is_arithmetic_v<Item> && sizeof(A) == sizeof(Item));

/// Returns `number` in a way that hides from the compiler which of its bits are 0. A compiler that
/// knows them turns additions into `or`, and then computes an address for each access, where one
/// address and offsets would do.
__device__ inline std::uint64_t same_number(std::uint64_t number) {
    const std::uint64_t high = same_word(static_cast<std::uint32_t>(number >> 32));
    return high << 32 | same_word(static_cast<std::uint32_t>(number));
}

// ---- between the lanes of a warp

/// Whether this lane's items are the warp's first, or last, by address. Backward, the items of the
/// lane above lie before this lane's.
template <bool backward>
__device__ bool is_first_lane() {
    return lane() == (backward ? warp_lanes - 1 : 0);
}
template <bool backward>
__device__ bool is_last_lane() {
    return lane() == (backward ? 0 : warp_lanes - 1);
}

// Values of any size are moved word by word.
template <class T, class MoveWord>
__device__ T move_words(const T& value, MoveWord move_word) {
    std::uint32_t words[(sizeof(T) + 3) / 4] = {};
    std::memcpy(words, &value, sizeof(T));
#pragma unroll
    for (auto& word : words) word = move_word(word);
    T moved = value;
    std::memcpy(&moved, words, sizeof(T));
    return moved;
}

// Pairs of which one member has 8 bytes, member by member: where there is padding, they would go
// through local memory as words.
template <class T, class MoveWord>
    requires(sizeof(T) == 8)
__device__ segment_value<T> move_words(const segment_value<T>& value, MoveWord move_word) {
    return {move_words(value.value, move_word), move_words(value.head, move_word)};
}
template <class N, class V, class MoveWord>
    requires(sizeof(V) == 8)
__device__ run_summary<N, V> move_words(const run_summary<N, V>& value, MoveWord move_word) {
    return {move_words(value.heads, move_word), move_words(value.open, move_word)};
}

/// The value of the lane `distance` below; this lane's own value where there is no such lane.
template <class T>
__device__ T from_lane_below(const T& value, int distance) {
    return move_words(value, [=](std::uint32_t w) { return shuffle_up(w, distance); });
}
/// The value of the lane `distance` above; this lane's own value where there is no such lane.
template <class T>
__device__ T from_lane_above(const T& value, int distance) {
    return move_words(value, [=](std::uint32_t w) { return shuffle_down(w, distance); });
}
/// The value of the lane whose number differs in the bit `distance`.
template <class T>
__device__ T from_lane_across(const T& value, int distance) {
    return move_words(value, [=](std::uint32_t w) { return shuffle_xor(w, distance); });
}
template <class T>
__device__ T from_lane(const T& value, int source) {
    return move_words(value, [=](std::uint32_t w) { return shuffle(w, source); });
}
/// The lowest lane where `x` holds. It must hold in at least one lane.
__device__ inline int first_lane_where(bool x) { return lowest_bit(ballot(x)); }
/// The lanes up to this one, and the lanes from this one on, one bit for each; both include this
/// lane.
__device__ inline unsigned lane_mask_le() { return ~lane_mask_gt(); }
__device__ inline unsigned lane_mask_ge() { return ~lane_mask_lt(); }

}  // namespace lookback::detail::device
