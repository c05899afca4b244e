/// \file
/// The SIMD kernels of scans of segments, which also fold runs (detail/cpu/run_folds.hpp), beside
/// those of plain scans (detail/cpu/simd.hpp), compiled and picked in the same way
/// (src/simd_segments.cpp), for the same operators and types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/cpu/simd.hpp"

namespace lookback::detail {

/// Where to read on; nothing is read where `at` is null.
struct memory_ahead {
    const void* at = nullptr;
    std::size_t item_bytes = 0;
};

/// One tile, or some whole rows of one, or its last.
template <class T>
struct segments_tile {
    const T* in;
    T* out;  ///< may be in
    std::size_t items;
    const std::uint64_t* heads;  ///< bits: item i begins a segment where bit i % 64 of word i / 64
                                 ///< is set; behind the last item none is
    const T* prefix;   ///< the fold of the open segment before the tile; null where there is none
    const T* carry;    ///< the fold of the open segment's part in rows before these, of the same
                       ///< tile; null where there are none
    const T* init;     ///< what comes before each segment; null where nothing does
    const T* next_in;  ///< is asked for as results are written, as many items
    memory_ahead next_heads;  ///< likewise: what says where segments begin
    bool exclusive;           ///< needs an init, and a prefix or a first item that is a head
    bool stream;              ///< write around the caches; in and out must not overlap
};

template <class T>
struct segments_kernel {
    /// The fold of items from `begin` on, which is in the first row of 64 bytes at `in`, to
    /// `items`.
    T (*fold)(const T* in, std::size_t begin, std::size_t items);
    /// Returns the fold of the segment that is open at the tile's end, with what comes before.
    T (*scan)(const segments_tile<T>& tile);
    T (*combine)(T a, T b);  ///< the operator
};

/// The kernels for this machine, of a type as those of plain scans.
template <class T>
[[gnu::visibility("default")]] const simd_family<segments_kernel, T>& segments_kernels();

template <simd_op Op, class T>  // T = simd_type<Op, T>
const segments_kernel<T>& segments_kernel_of() {
    return kernel_in<Op>(segments_kernels<T>());
}

}  // namespace lookback::detail
