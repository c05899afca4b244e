/// \file
/// The classes of a block of items: for each class a mask, with a bit for each item.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "lookback/cpu/simd_compaction.hpp"

namespace lookback::detail {

using block_classes = std::array<std::uint8_t, class_block>;

/// Bit i is set where classes[i] is `wanted`, for i < count.
inline std::uint64_t class_mask(const block_classes& classes, std::size_t count,
                                std::uint8_t wanted) {
    std::uint64_t mask = 0;
#if defined(__SSE2__)  // compilers do not find this instruction
    for (std::size_t i = 0; i < class_block; i += 16) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes.data() + i));
        const __m128i same = _mm_cmpeq_epi8(some, _mm_set1_epi8(static_cast<char>(wanted)));
        mask |= std::uint64_t(static_cast<std::uint32_t>(_mm_movemask_epi8(same))) << i;
    }
#else
    for (std::size_t i = 0; i < class_block; ++i) {
        mask |= std::uint64_t{classes[i] == wanted} << i;
    }
#endif
    return count < class_block ? mask & ((std::uint64_t{1} << count) - 1) : mask;
}

/// The masks of the classes 0, 1, ... of `count` items, of class class_of(i) each, from item
/// `begin` on; those before it are of class 0. By way of an array that nothing else can refer to,
/// so the compiler may work out many at a time.
template <std::size_t classes, class ClassOf>
std::array<std::uint64_t, classes> class_masks(std::size_t begin, std::size_t count,
                                               const ClassOf& class_of) {
    block_classes all{};
    if (begin == 0 && count == class_block) {  // nearly always: a number that compilers know
        for (std::size_t i = 0; i < class_block; ++i) all[i] = class_of(i);
    } else {
        for (std::size_t i = begin; i < count; ++i) all[i] = class_of(i);
    }
    std::array<std::uint64_t, classes> masks;
    for (std::size_t k = 0; k < classes; ++k) {
        masks[k] = class_mask(all, count, static_cast<std::uint8_t>(k));
    }
    return masks;
}

}  // namespace lookback::detail
