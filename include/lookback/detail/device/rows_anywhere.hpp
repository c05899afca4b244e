/// \file
/// Stores of a row, a vector of 16 bytes of each lane of a warp, that does not begin on a boundary
/// of 16 bytes. Lanes give each other what they lack of whole words or vectors. Single lanes write
/// the ends of the row. Here "first", "last" and "behind" mean by address; backward, that is the
/// reverse of the order of the scan.
#pragma once

#include <cstdint>
#include <cstring>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

/// The word of the lane behind this one.
template <bool backward>
__device__ std::uint32_t from_lane_behind(std::uint32_t word) {
    return backward ? shuffle_up(word, 1) : shuffle_down(word, 1);
}

/// Stores the bytes from number `begin` to `end` of a word, by units of `unit` bytes.
template <int unit>
__device__ void store_bytes(unsigned char* to, std::uint32_t word, int begin, int end) {
#pragma unroll
    for (int b = 0; b < 4; b += unit) {
        if (b >= begin && b < end)
            *reinterpret_cast<unsigned_word<unit>*>(to + b) =
                static_cast<unsigned_word<unit>>(word >> (8 * b));
    }
}

/// A row of items that may begin at any byte, or any two bytes, by words of 4 bytes. (Structs of
/// bytes may, so the alignment counts, not the size.)
template <bool backward, class T>
__device__ void store_row_by_words(T* at, const std::uint32_t (&word)[4]) {
    const auto byte = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 4);
    auto* const to = reinterpret_cast<unsigned char*>(at) - byte;
    const std::uint32_t behind = from_lane_behind<backward>(word[0]);
    const bool is_last = is_last_lane<backward>();
    if (byte == 0) {
        *reinterpret_cast<std::uint32_t*>(to) = word[0];
    } else if (is_first_lane<backward>()) {
        store_bytes<alignof(T)>(to, word[0] << (8 * byte), byte, 4);
    }
#pragma unroll
    for (int i = 1; i < 4; ++i) {
        reinterpret_cast<std::uint32_t*>(to)[i] =
            word_between(word[i - 1], word[i], static_cast<unsigned>(4 - byte));
    }
    const std::uint32_t last =
        word_between(word[3], is_last ? 0 : behind, static_cast<unsigned>(4 - byte));
    if (!is_last && byte != 0) {
        reinterpret_cast<std::uint32_t*>(to)[4] = last;
    } else {
        store_bytes<alignof(T)>(to + 16, last, 0, byte);
    }
}

/// A row of items that begin at a multiple of 4 bytes, by whole vectors. A lane stores the vector
/// that begins within its items. Off a boundary of 16 bytes that vector ends in the items of the
/// lane behind it.
template <bool backward>
__device__ void store_row_by_vectors(std::uint32_t* at, const std::uint32_t (&word)[4]) {
    std::uint32_t mine_and_next[7];
#pragma unroll
    for (int i = 0; i < 7; ++i) {
        mine_and_next[i] = i < 4 ? word[i] : from_lane_behind<backward>(word[i - 4]);
    }
    const auto begin = static_cast<int>((0 - reinterpret_cast<std::uintptr_t>(at) / 4) % 4);
    const bool is_first = is_first_lane<backward>(), is_last = is_last_lane<backward>();
    std::uint32_t by_two[5];
#pragma unroll
    for (int i = 0; i < 5; ++i)
        by_two[i] = (begin & 2) != 0 ? mine_and_next[i + 2] : mine_and_next[i];
    vector16<std::uint32_t> vector;
#pragma unroll
    for (int i = 0; i < 4; ++i) vector.item[i] = (begin & 1) != 0 ? by_two[i + 1] : by_two[i];
    if (begin == 0 || !is_last) store_vector16(at + begin, vector);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (i < begin ? is_first : begin != 0 && is_last) at[i] = word[i];
    }
}

/// Stores a row: `at` is where this lane's vector begins. All lanes of the warp take part.
template <bool backward, class T>
__device__ void store_row_anywhere(T* at, const vector16<T>& vector) {
    std::uint32_t word[4];
    std::memcpy(word, &vector, 16);
    if constexpr (alignof(T) < 4) {
        store_row_by_words<backward>(at, word);
    } else {
        store_row_by_vectors<backward>(reinterpret_cast<std::uint32_t*>(at), word);
    }
}

}  // namespace lookback::detail::device
