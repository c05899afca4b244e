/// \file
/// This library as one of the implementations that are measured, in all forms of its call; and the
/// copies.
///
/// Calls are qualified with lookback::, because std::reverse_iterator would bring in
/// std::inclusive_scan.
///
/// `does` says what the output must be. Without this member, it is an inclusive scan.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "lookback/scan.hpp"
#include "memory.hpp"
#include "nontemporal_copy.hpp"

namespace lookback::bench {

enum class job { inclusive, exclusive, backward, in_place, copy };

template <class Implementation>
constexpr job job_of() {
    if constexpr (requires { Implementation::does; }) return Implementation::does;
    return job::inclusive;
}

/// Additions that an item may go through: the rows of half a tile, one after the other; the tiles,
/// one after the other; and the tree within a row (docs/design.md, "The tree").
template <class T>
double our_depth(std::size_t items) {
    constexpr std::size_t tile = scan_tile_items<T>;
    return static_cast<double>(detail::half_tile_bytes / detail::row_bytes + items / tile + 16);
}

template <int threads>
struct ours_on {
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        lookback::inclusive_scan(cpu{threads}, in, in + items, out, typename W::our_op{});
    }
};
struct ours : ours_on<0> {
    static constexpr const char* name = "ours";
};
struct ours_1_thread : ours_on<1> {
    static constexpr const char* name = "ours_1_thread";
};
struct ours_16_threads : ours_on<16> {
    static constexpr const char* name = "ours_16_threads";
};
struct ours_in_place : ours_on<0> {
    static constexpr const char* name = "ours_in_place";
    static constexpr job does = job::in_place;
};

struct ours_exclusive {
    static constexpr const char* name = "ours_exclusive";
    static constexpr job does = job::exclusive;
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        lookback::exclusive_scan(in, in + items, out, W::identity, typename W::our_op{});
    }
};

struct ours_backward {
    static constexpr const char* name = "ours_backward";
    static constexpr job does = job::backward;
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        lookback::inclusive_scan(std::reverse_iterator(in + items), std::reverse_iterator(in),
                                 std::reverse_iterator(out + items), typename W::our_op{});
    }
};

template <void (*copy)(const void* in, void* out, std::size_t bytes)>
struct copy_by {
    static constexpr job does = job::copy;
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        copy(in, out, items * sizeof(T));
    }
};
struct nontemporal_copy : copy_by<nontemporal_copy_all_threads> {
    static constexpr const char* name = "nontemporal_copy";
};
struct memcpy_all : copy_by<memcpy_all_threads> {
    static constexpr const char* name = "memcpy_all";
};
struct memcpy_one : copy_by<memcpy_one_thread> {
    static constexpr const char* name = "memcpy_one";
};

}  // namespace lookback::bench
