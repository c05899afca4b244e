// The copy in rows of 64 bytes, by the widest stores that the compiler may use.

#include "nontemporal_copy.hpp"

#include <immintrin.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "memory.hpp"

namespace lookback::bench {
namespace {

constexpr std::size_t row_bytes = 64;

// `out` is aligned to a row; `in` may lie anywhere.
void stream_row(const std::byte* in, std::byte* out) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out), _mm512_loadu_si512(in));
#elif defined(__AVX2__)
    for (std::size_t k = 0; k < row_bytes; k += sizeof(__m256i)) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(out + k),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + k)));
    }
#else
    for (std::size_t k = 0; k < row_bytes; k += sizeof(__m128i)) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(out + k),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + k)));
    }
#endif
}

// A copy, if the types are the same.
template <class T, class A>
void nontemporal_convert(const T* in, A* out, std::size_t items) {
    constexpr std::size_t row_items = row_bytes / sizeof(A);
    const std::size_t head =
        std::min(items, (0 - reinterpret_cast<std::uintptr_t>(out)) % row_bytes / sizeof(A));
    std::copy_n(in, head, out);
    std::size_t i = head;
    for (; i + row_items <= items; i += row_items) {
        // One page ahead, because the hardware's prefetcher stops at each page's end.
        _mm_prefetch(reinterpret_cast<const char*>(in + i) + 4096, _MM_HINT_T0);
        if constexpr (std::same_as<T, A>) {
            stream_row(reinterpret_cast<const std::byte*>(in + i),
                       reinterpret_cast<std::byte*>(out + i));
        } else {
            alignas(row_bytes) A row[row_items];
            std::copy_n(in + i, row_items, row);
            stream_row(reinterpret_cast<const std::byte*>(row),
                       reinterpret_cast<std::byte*>(out + i));
        }
    }
    std::copy_n(in + i, items - i, out + i);
    _mm_sfence();
}

template <class T, class A>
void nontemporal_convert_pieces(const T* in, A* out, std::size_t items) {
    in_pieces(items, (std::size_t{1} << 20) / sizeof(A), [&](std::size_t first, std::size_t count) {
        nontemporal_convert(in + first, out + first, count);
    });
}

}  // namespace

void nontemporal_convert_all_threads(const std::uint8_t* in, std::int32_t* out, std::size_t items) {
    nontemporal_convert_pieces(in, out, items);
}
void nontemporal_convert_all_threads(const float* in, double* out, std::size_t items) {
    nontemporal_convert_pieces(in, out, items);
}

void nontemporal_copy_all_threads(const void* in, void* out, std::size_t bytes) {
    nontemporal_convert_pieces(static_cast<const std::byte*>(in), static_cast<std::byte*>(out),
                               bytes);
}

}  // namespace lookback::bench
