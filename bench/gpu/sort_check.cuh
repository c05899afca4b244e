/// \file
/// Fills the arrays of a sort, and judges results, on the device.
///
/// Values hold the places that they come from. So results are right if keys do not fall, values of
/// equal keys rise, and each value's key is the input's key at its place. Then no value occurs
/// twice, and the order is stable. For keys without values, a sum of hashes must be that of the
/// input.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "lookback/sort.hpp"
#include "random_bits.cuh"
#include "sort.hpp"
#include "toolkit.cuh"
#include "verdict.cuh"

namespace lookback::bench {

using detail::no_array;

/// A value of 16 bytes.
struct alignas(16) wide_value {
    std::uint32_t place, rest[3];
};

template <class Value>
__device__ Value value_of(std::uint64_t i) {
    const auto place = static_cast<std::uint32_t>(i);
    if constexpr (std::is_same_v<Value, wide_value>) {
        return {place, {~place, place ^ 0x5a5a5a5aU, place * 2654435761U}};
    } else {
        return place;
    }
}
__device__ inline std::uint64_t place_in(std::uint32_t value) { return value; }
__device__ inline std::uint64_t place_in(const wide_value& value) { return value.place; }
__device__ inline bool is_whole(std::uint32_t) { return true; }
__device__ inline bool is_whole(const wide_value& value) {
    const auto made = value_of<wide_value>(value.place);
    return value.rest[0] == made.rest[0] && value.rest[1] == made.rest[1] &&
           value.rest[2] == made.rest[2];
}

/// Words below this number are words of keys; for floats, of those that are numbers. 0: all words
/// of 64 bits.
template <class Key>
inline constexpr std::uint64_t words_of = [] {
    if constexpr (std::is_floating_point_v<Key>) {
        return detail::word_of_key<Key>(std::numeric_limits<Key>::infinity()) + std::uint64_t{1};
    } else {
        return sizeof(Key) == 8 ? std::uint64_t{0} : std::uint64_t{1} << (8 * sizeof(Key) % 64);
    }
}();

template <class Key>
__device__ Key make_key(std::uint64_t i, std::uint64_t n, keys_are kind) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    constexpr unsigned bits = 8 * sizeof(Key);
    std::uint64_t share = random_bits(i);  // of all words, in the order of keys
    switch (kind) {
        case keys_are::random: break;
        case keys_are::all_equal: share = 0x6789abcdef012345; break;
        case keys_are::sorted: share = i * (all / n); break;
        case keys_are::reversed: share = (n - 1 - i) * (all / n); break;
        case keys_are::skewed: share >>= random_bits(~i) % bits; break;
        case keys_are::low_entropy: share &= random_bits(~i) & random_bits(i ^ all << 40); break;
    }
    constexpr std::uint64_t words = words_of<Key>;
    const std::uint64_t word = words == 0 ? share : __umul64hi(share, words);
    const auto key = detail::key_of_word<Key>(static_cast<detail::key_word<Key>>(word));
    if constexpr (std::is_floating_point_v<Key>) {
        return key + Key{0};  // no -0: for CUB it is equal to +0
    } else {
        return key;
    }
}

template <class Key, class Value>
__global__ void fill_kernel(Key* keys, Value* values, std::uint64_t n, keys_are kind) {
    for_each_item(n, [&](std::uint64_t i) {
        keys[i] = make_key<Key>(i, n, kind);
        if constexpr (!std::is_same_v<Value, no_array>) values[i] = value_of<Value>(i);
    });
}

template <class Key, class Value>
struct sorted_arrays {
    Key* keys;
    Value* values;
};

/// The bits by which keys are sorted.
template <class Key>
struct key_bits {
    detail::key_word<Key> mask;
    bool descending;
    __device__ detail::key_word<Key> operator()(Key key) const {
        return static_cast<detail::key_word<Key>>(detail::word_of_key<Key>(key, descending) & mask);
    }
};

/// Lowers *first_wrong to the first item that is out of order, or has the value of another item.
/// Adds to *difference the difference between the hashes of all keys and of the input's keys.
template <class Key, class Value>
__global__ void check_kernel(sorted_arrays<Key, Value> in, sorted_arrays<Key, Value> out,
                             std::uint64_t n, key_bits<Key> order, unsigned long long* first_wrong,
                             unsigned long long* difference) {
    unsigned long long differ = 0;
    for_each_item(n, [&](std::uint64_t i) {
        const Key key = out.keys[i];
        const auto here = order(key), before = i == 0 ? here : order(out.keys[i - 1]);
        bool right = before <= here;
        if constexpr (std::is_same_v<Value, no_array>) {
            differ += random_bits(detail::bits_of_key(key)) -
                      random_bits(detail::bits_of_key(in.keys[i]));
        } else {
            const Value value = out.values[i];
            const std::uint64_t place = place_in(value);
            right = right && is_whole(value) && place < n &&
                    detail::bits_of_key(in.keys[place]) == detail::bits_of_key(key) &&
                    (i == 0 || before != here || place_in(out.values[i - 1]) < place);
        }
        if (!right) atomicMin(first_wrong, i);
    });
    if (differ != 0) atomicAdd(difference, differ);
}

}  // namespace lookback::bench
