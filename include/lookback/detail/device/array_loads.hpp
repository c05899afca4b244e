/// \file
/// How threads load one of the arrays of a paired tile: item by item, in rounds; or, for a small
/// tile, all items at once, as whole vectors where the array allows that. All loads of a round come
/// before their items are stored: the compiler does not know that shared memory does not overlap
/// the array.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/movers.hpp"

namespace lookback::detail::device {

/// An array whose items threads load into a stage as type T: item by item, or as vectors of 16
/// bytes and a few items after the last one.
template <class In, class T>
struct array_to_load {
    static constexpr bool in_vectors = is_bulk_array<In> && std::is_same_v<item_of<In>, T>;
    In in;

    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t first, int count, int thread) const {
        load_each<by>(reinterpret_cast<T*>(stage), count, thread,
                      [&](int i) -> T { return in[static_cast<std::int64_t>(first) + i]; });
    }

    template <int by, int most, bool vectors>
    struct in_flight {
        items_in_flight<by, most, T> all;
        __device__ void start(const array_to_load& from, std::uint64_t first, int count,
                              int thread) {
            if constexpr (std::is_pointer_v<In>) {
                all.start_all(from.in + first, count, thread);
            } else {
                all.start(count, thread, [&](int i) -> T {
                    return from.in[static_cast<std::int64_t>(first) + i];
                });
            }
        }
        __device__ void land(unsigned char* stage, int count, int thread) const {
            all.land(reinterpret_cast<T*>(stage), count, thread);
        }
    };
    template <int by, int most>
    struct in_flight<by, most, true> {
        static constexpr int per_vector = 16 / sizeof(T);
        items_in_flight<by, most / per_vector, vector16<T>> all;
        items_in_flight<by, per_vector, T> rest;
        __device__ static int in_whole_vectors(int count) { return count - count % per_vector; }
        __device__ void start(const array_to_load& from, std::uint64_t first, int count,
                              int thread) {
            const auto* const at = from.in + first;
            all.start(count / per_vector, thread,
                      [&](int i) { return load_vector16<T>(at + i * per_vector); });
            const int whole = in_whole_vectors(count);
            rest.start(count - whole, thread, [&](int i) -> T { return at[whole + i]; });
        }
        __device__ void land(unsigned char* stage, int count, int thread) const {
            const int whole = in_whole_vectors(count);
            all.land(reinterpret_cast<vector16<T>*>(stage), count / per_vector, thread);
            rest.land(reinterpret_cast<T*>(stage) + whole, count - whole, thread);
        }
    };
};
/// For a call without such an array.
template <>
struct array_to_load<no_array, no_array> {
    static constexpr bool in_vectors = true;
    no_array in;
    template <int>
    __device__ void load(unsigned char*, std::uint64_t, int, int) const {}
    template <int, int, bool>
    struct in_flight {
        __device__ void start(const array_to_load&, std::uint64_t, int, int) {}
        __device__ void land(unsigned char*, int, int) const {}
    };
};

}  // namespace lookback::detail::device
