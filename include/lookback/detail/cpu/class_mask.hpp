/// \file
/// The classes of a block of items: one mask for each class, with one bit for each item.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__AVX512BW__)
#include <immintrin.h>
#elif defined(__SSE2__)
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

/// Bit i of the mask is set if classes[i] is `wanted`. (Compilers do not find the instructions for
/// masks by themselves.)
#if defined(__AVX512BW__)
inline std::uint64_t equal_mask(const block_classes<std::uint8_t>& classes, std::uint8_t wanted) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(classes.data()),
                                  _mm512_set1_epi8(static_cast<char>(wanted)));
}
inline std::uint64_t equal_mask(const block_classes<std::uint32_t>& classes, std::uint8_t wanted) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < class_block; i += 16) {
        const __mmask16 same = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(classes.data() + i),
                                                       _mm512_set1_epi32(wanted));
        mask |= std::uint64_t{same} << i;
    }
    return mask;
}
#elif defined(__SSE2__)
// Sixteen classes as bytes.
inline __m128i class_bytes(const std::uint8_t* classes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes));
}
inline __m128i class_bytes(const std::uint32_t* classes) {
    const auto* const four = reinterpret_cast<const __m128i*>(classes);
    return _mm_packs_epi16(_mm_packs_epi32(_mm_loadu_si128(four), _mm_loadu_si128(four + 1)),
                           _mm_packs_epi32(_mm_loadu_si128(four + 2), _mm_loadu_si128(four + 3)));
}
template <class Word>
[[gnu::always_inline]] inline std::uint64_t equal_mask(const block_classes<Word>& classes,
                                                       std::uint8_t wanted) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < class_block; i += 16) {
        const __m128i same = _mm_cmpeq_epi8(class_bytes(classes.data() + i),
                                            _mm_set1_epi8(static_cast<char>(wanted)));
        mask |= std::uint64_t(static_cast<std::uint32_t>(_mm_movemask_epi8(same))) << i;
    }
    return mask;
}
#else
template <class Word>
std::uint64_t equal_mask(const block_classes<Word>& classes, std::uint8_t wanted) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < class_block; ++i) {
        mask |= std::uint64_t{classes[i] == wanted} << i;
    }
    return mask;
}
#endif

/// The masks of the classes 0, 1, ... of `count` items, 1 to class_block. Item i has class
/// class_of(i) from item `begin` on, and class 0 before it. The classes first go to an array that
/// nothing else can refer to, so that the compiler may vectorise the loop.
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
    const std::uint64_t items = ~std::uint64_t{0} >> (class_block - count);
    std::array<std::uint64_t, classes> masks;
    for (std::size_t k = 0; k < classes; ++k) {
        masks[k] = detail::equal_mask(all, static_cast<std::uint8_t>(k)) & items;
    }
    return masks;
}

}  // namespace lookback::detail
