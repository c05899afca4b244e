/// \file
/// The classes of a block of items: one mask for each class, with one bit for each item.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "lookback/detail/cpu/simd_compaction.hpp"

namespace lookback::detail {

/// The class of each item of a block, as a number of type `Word`. Where `Word` has the items' own
/// size, the compiler need not narrow the results of comparisons.
template <class Word>
using block_classes = std::array<Word, class_block>;

template <class T>
using class_word = std::conditional_t<sizeof(T) < 4, std::uint8_t, std::uint32_t>;

#if defined(__SSE2__)
// Sixteen classes as bytes.
inline __m128i class_bytes(const std::uint8_t* classes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes));
}
inline __m128i class_bytes(const std::uint32_t* classes) {
    const auto* const four = reinterpret_cast<const __m128i*>(classes);
    return _mm_packs_epi16(_mm_packs_epi32(_mm_loadu_si128(four), _mm_loadu_si128(four + 1)),
                           _mm_packs_epi32(_mm_loadu_si128(four + 2), _mm_loadu_si128(four + 3)));
}
#endif

/// Bit i of the mask is set if classes[i] is `wanted`, for i < count.
template <class Word>
[[gnu::always_inline]] inline std::uint64_t class_mask(const block_classes<Word>& classes,
                                                       std::size_t count, std::uint8_t wanted) {
    std::uint64_t mask = 0;
#if defined(__SSE2__)  // compilers do not find this instruction by themselves
    for (std::size_t i = 0; i < class_block; i += 16) {
        const __m128i same = _mm_cmpeq_epi8(class_bytes(classes.data() + i),
                                            _mm_set1_epi8(static_cast<char>(wanted)));
        mask |= std::uint64_t(static_cast<std::uint32_t>(_mm_movemask_epi8(same))) << i;
    }
#else
    for (std::size_t i = 0; i < class_block; ++i) {
        mask |= std::uint64_t{classes[i] == wanted} << i;
    }
#endif
    return count < class_block ? mask & ((std::uint64_t{1} << count) - 1) : mask;
}

/// The masks of the classes 0, 1, ... of `count` items. Item i has class class_of(i) from item
/// `begin` on, and class 0 before it. The classes first go to an array that nothing else can refer
/// to, so that the compiler may vectorise the loop.
template <std::size_t classes, class Word = std::uint8_t, class ClassOf>
[[gnu::always_inline]] inline std::array<std::uint64_t, classes> class_masks(
    std::size_t begin, std::size_t count, const ClassOf& class_of) {
    block_classes<Word> all;
    if (begin == 0 && count == class_block) {  // nearly always: a constant count
        for (std::size_t i = 0; i < class_block; ++i) all[i] = class_of(i);
    } else {
        all.fill(0);
        for (std::size_t i = begin; i < count; ++i) all[i] = class_of(i);
    }
    std::array<std::uint64_t, classes> masks;
    for (std::size_t k = 0; k < classes; ++k) {
        masks[k] = class_mask(all, count, static_cast<std::uint8_t>(k));
    }
    return masks;
}

}  // namespace lookback::detail
