// The kernels of compaction, for every instruction set: see
// include/lookback/detail/cpu/simd_compaction.hpp.

#define HWY_WANT_AVX3_DL  // it has instructions that compact items of 1 and 2 bytes
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_compaction.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "simd_set_bits.hpp"
#include "simd_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The lanes of `v` with these numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V looked_up(D d, V v, const std::uint8_t* numbers) {
    using T = hn::TFromD<D>;
    const hn::Repartition<std::uint8_t, D> d8;
    if constexpr (sizeof(V) > 16) {
        static_assert(sizeof(V) == 32 && sizeof(T) == 4);
        const auto lane = hn::PromoteTo(d, hn::LoadU(hn::CappedTag<std::uint8_t, 8>(), numbers));
        return hn::TableLookupLanes(v, hn::IndicesFromVec(d, lane));
    } else if constexpr (sizeof(T) == 1) {
        return hn::TableLookupBytes(v, hn::LoadU(d8, numbers));
    } else {  // by the numbers of the lanes' bytes
        alignas(16) static constexpr std::uint8_t lane_of_byte[2][16] = {
            {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7},
            {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}};
        alignas(16) static constexpr std::uint8_t byte_of_lane[2][16] = {
            {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
            {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}};
        constexpr int log_size = sizeof(T) == 2 ? 1 : 2;
        const hn::Repartition<std::uint16_t, D> d16;
        const auto lane =
            hn::TableLookupBytes(hn::LoadU(d8, numbers), hn::Load(d8, lane_of_byte[log_size - 1]));
        const auto first = hn::BitCast(d8, hn::ShiftLeft<log_size>(hn::BitCast(d16, lane)));
        const auto bytes = hn::Or(first, hn::Load(d8, byte_of_lane[log_size - 1]));
        return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), bytes));
    }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Those items of a row of 64 bytes whose bit is set, by one instruction. (For items of 4 bytes it
// takes 1.1 times as long as table look-ups if a loop does nothing else. But it needs half of their
// instructions, so that the loads of the next block begin earlier: runs are found in .8 of the
// time. For items of 8 bytes it does not pay.)
template <class T>
HWY_INLINE __m512i compressed(std::uint64_t wanted, __m512i row) {
    if constexpr (sizeof(T) == 4) {
        return _mm512_maskz_compress_epi32(static_cast<__mmask16>(wanted), row);
    }
#if HWY_TARGET <= HWY_AVX3_DL
    if constexpr (sizeof(T) == 2) {
        return _mm512_maskz_compress_epi16(static_cast<__mmask32>(wanted), row);
    }
    if constexpr (sizeof(T) == 1) return _mm512_maskz_compress_epi8(wanted, row);
#endif
}

// Stores the items of a block whose bit is set; row(i) is the row from item i on.
template <class T, class Row>
HWY_INLINE std::size_t compress_rows(std::uint64_t wanted, T* out, const Row& row) {
    constexpr std::size_t items = 64 / sizeof(T);
    T* to = out;
    for (std::size_t i = 0; i < class_block; i += items) {
        const std::uint64_t here = (wanted >> i) & (~std::uint64_t{0} >> (64 - items));
        // All lanes are stored; the next row overwrites the surplus ones.
        _mm512_storeu_si512(to, compressed<T>(here, row(i)));
        to += std::popcount(here);
    }
    return static_cast<std::size_t>(to - out);
}
#endif

// Stores the items of a block whose bit is set. An item is `parts` lanes, and load(d, i) is the
// vector from item i on. Returns the number of items stored.
template <class T, std::size_t parts, class Load>
HWY_INLINE std::size_t compress_block(std::uint64_t wanted, T* out, const Load& load) {
    const hn::CappedTag<T, 8> d;
    T* to = out;
    const std::size_t items = hn::Lanes(d) / parts;
    for (std::size_t i = 0; i < class_block; i += items) {
        const std::uint64_t here = (wanted >> i) & ((std::uint64_t{1} << items) - 1);
        const auto& numbers = parts == 1 ? set_bits.of[here] : set_bits.pairs_of[here];
        // All lanes are stored; the next vector overwrites the surplus ones.
        hn::StoreU(looked_up(d, load(d, i), numbers.data()), d, to);
        to += parts * static_cast<std::size_t>(std::popcount(here));
    }
    return static_cast<std::size_t>(to - out) / parts;
}

template <class T, std::size_t parts>
std::size_t compress(const void* in, std::uint64_t wanted, void* out) {
    if (wanted == ~std::uint64_t{0}) {
        std::memcpy(out, in, class_block * parts * sizeof(T));
        return class_block;
    }
    const T* from = static_cast<const T*>(in);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    constexpr std::size_t least_size = HWY_TARGET <= HWY_AVX3_DL ? 1 : 4;
    if constexpr (parts == 1 && sizeof(T) >= least_size) {
        return compress_rows(wanted, static_cast<T*>(out), [from](std::size_t i) HWY_ATTR {
            return _mm512_loadu_si512(from + i);
        });
    }
#endif
    return compress_block<T, parts>(wanted, static_cast<T*>(out),
                                    [from](auto d, std::size_t i)
                                        HWY_ATTR { return hn::LoadU(d, from + parts * i); });
}

std::size_t positions(std::uint32_t first, std::uint64_t wanted, std::uint32_t* out) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    const hn::CappedTag<std::uint32_t, 16> d16;
    return compress_rows(wanted, out, [=](std::size_t i) HWY_ATTR {
        return hn::Add(hn::Set(d16, first), hn::Iota(d16, static_cast<std::uint32_t>(i))).raw;
    });
#else
    return compress_block<std::uint32_t, 1>(wanted, out, [first](auto d, std::size_t i) HWY_ATTR {
        // A compiler would make Iota(d, first) lane by lane.
        return hn::Add(hn::Set(d, first), hn::Iota(d, static_cast<std::uint32_t>(i)));
    });
#endif
}

template <class T>
std::uint64_t differ(const void* keys) {
    const hn::CappedTag<T, 64 / sizeof(T)> d;
    const std::size_t lanes = hn::Lanes(d);
    const T* at = static_cast<const T*>(keys);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < class_block; i += lanes) {
        const auto equal = hn::Eq(hn::LoadU(d, at + i), hn::LoadU(d, at + i - 1));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
        const std::uint64_t here = equal.raw;  // a word with a bit for each lane already
#else
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, equal, bits);
        std::uint64_t here;
        std::memcpy(&here, bits, sizeof(here));
#endif
        mask |= here << i;
    }
    return ~mask;  // Ne of NaN is true in some instruction sets, false in others
}

void stream_line(const void* from, void* to) {
    const hn::CappedTag<std::uint8_t, row_bytes> d;
    const auto* in = static_cast<const std::uint8_t*>(from);
    auto* out = static_cast<std::uint8_t*>(to);
    for (std::size_t k = 0; k < row_bytes; k += hn::Lanes(d)) {
        hn::Stream(hn::LoadU(d, in + k), d, out + k);
    }
}

void stream(const void* from, void* to, std::size_t bytes) {
    const auto* in = static_cast<const std::uint8_t*>(from);
    auto* out = static_cast<std::uint8_t*>(to);
    const std::size_t before_a_line =
        std::min<std::size_t>(bytes, (0 - reinterpret_cast<std::uintptr_t>(to)) % row_bytes);
    std::memcpy(out, in, before_a_line);
    std::size_t i = before_a_line;
    for (; i + row_bytes <= bytes; i += row_bytes) stream_line(in + i, out + i);
    std::memcpy(out + i, in + i, bytes - i);
}

void flush() { hwy::FlushStream(); }

simd_compaction kernels() {
    return {&compress<std::uint8_t, 1>,
            &compress<std::uint16_t, 1>,
            &compress<std::uint32_t, 1>,
            &compress<std::uint32_t, 2>,
            &positions,
            &differ<std::uint8_t>,
            &differ<std::uint16_t>,
            &differ<std::uint32_t>,
            &differ<std::uint64_t>,
            &differ<float>,
            &differ<double>,
            &stream,
            &flush,
            HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2};
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

const simd_compaction& simd_compaction_kernels() {
    static const simd_compaction chosen = LOOKBACK_SIMD_VERSION(kernels)();
    return chosen;
}

}  // namespace lookback::detail
#endif
