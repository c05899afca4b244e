// The kernels of compaction, for every vector width: see
// include/lookback/detail/cpu/simd_compaction.hpp.

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
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

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The lanes of `v` whose bit is set in `bits`, first; then others.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V compacted(D d, V v, std::uint64_t bits) {
    using T = hn::TFromD<D>;
    if constexpr (HWY_TARGET <= HWY_AVX3 && sizeof(T) == 4) {  // one instruction
        std::uint8_t bytes[8];                                 // LoadMaskBits may read so many
        std::memcpy(bytes, &bits, sizeof(bytes));
        return hn::CompressBits(v, bytes);
    } else {
        const hn::Repartition<std::uint8_t, D> d8;
        const std::uint8_t* const numbers = set_bits.of[bits].data();
        if constexpr (sizeof(V) > 16) {
            static_assert(sizeof(V) == 32 && sizeof(T) == 4);
            const auto lane =
                hn::PromoteTo(d, hn::LoadU(hn::CappedTag<std::uint8_t, 8>(), numbers));
            return hn::TableLookupLanes(v, hn::IndicesFromVec(d, lane));
        } else if constexpr (sizeof(T) == 1) {
            return hn::TableLookupBytes(v, hn::LoadU(d8, numbers));
        } else {  // the number of each byte of a lane
            alignas(16) static constexpr std::uint8_t lane_of_byte[2][16] = {
                {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7},
                {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}};
            alignas(16) static constexpr std::uint8_t byte_of_lane[2][16] = {
                {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
                {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}};
            constexpr int log_size = sizeof(T) == 2 ? 1 : 2;
            const hn::Repartition<std::uint16_t, D> d16;
            const auto lane = hn::TableLookupBytes(hn::LoadU(d8, numbers),
                                                   hn::Load(d8, lane_of_byte[log_size - 1]));
            const auto first = hn::BitCast(d8, hn::ShiftLeft<log_size>(hn::BitCast(d16, lane)));
            const auto bytes = hn::Or(first, hn::Load(d8, byte_of_lane[log_size - 1]));
            return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), bytes));
        }
    }
}

// Of a table's bits there are eight; one instruction may take more.
template <class T>
using compacted_tag = hn::CappedTag<T, (HWY_TARGET <= HWY_AVX3 && sizeof(T) == 4 ? 16 : 8)>;

// Stores those lanes of a block's vectors, vector(d, i) being the one from item i on.
template <class T, class Vector>
HWY_INLINE std::size_t compress_vectors(std::uint64_t wanted, T* out, const Vector& vector) {
    const compacted_tag<T> d;
    T* to = out;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < class_block; i += lanes) {
        const std::uint64_t here = (wanted >> i) & ((std::uint64_t{1} << lanes) - 1);
        // All lanes are stored: the next vector overwrites those that are too many.
        hn::StoreU(compacted(d, vector(d, i), here), d, to);
        to += std::popcount(here);
    }
    return static_cast<std::size_t>(to - out);
}

template <class T>
std::size_t compress(const void* in, std::uint64_t wanted, void* out) {
    const T* from = static_cast<const T*>(in);
    return compress_vectors(wanted, static_cast<T*>(out), [from](auto d, std::size_t i) HWY_ATTR {
        return hn::LoadU(d, from + i);
    });
}

// Each bit of the lower half twice.
HWY_INLINE std::uint64_t twice(std::uint64_t bits) {
    bits &= 0xffffffff;
    bits = (bits | bits << 16) & 0x0000ffff0000ffff;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits << 2) & 0x3333333333333333;
    bits = (bits | bits << 1) & 0x5555555555555555;
    return bits | bits << 1;
}

// As pairs of halves.
std::size_t compress_eight_bytes(const void* in, std::uint64_t wanted, void* out) {
    const auto* from = static_cast<const std::uint32_t*>(in);
    auto* to = static_cast<std::uint32_t*>(out);
    const std::size_t first = compress<std::uint32_t>(from, twice(wanted), to);
    const std::size_t rest =
        compress<std::uint32_t>(from + class_block, twice(wanted >> 32), to + first);
    return (first + rest) / 2;
}

std::size_t positions(std::uint32_t first, std::uint64_t wanted, std::uint32_t* out) {
    return compress_vectors(wanted, out, [first](auto d, std::size_t i) HWY_ATTR {
        // A compiler makes Iota(d, first) lane by lane.
        return hn::Add(hn::Set(d, first), hn::Iota(d, static_cast<std::uint32_t>(i)));
    });
}

template <class T>
std::uint64_t differ(const void* keys) {
    const hn::CappedTag<T, 64 / sizeof(T)> d;
    const std::size_t lanes = hn::Lanes(d);
    const T* at = static_cast<const T*>(keys);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < class_block; i += lanes) {
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, at + i), hn::LoadU(d, at + i - 1)), bits);
        std::uint64_t here;
        std::memcpy(&here, bits, sizeof(here));
        mask |= here << i;
    }
    return mask;
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
    return {&compress<std::uint8_t>,
            &compress<std::uint16_t>,
            &compress<std::uint32_t>,
            &compress_eight_bytes,
            &positions,
            &differ<std::uint32_t>,
            &differ<std::uint64_t>,
            &stream,
            &stream_line,
            &flush};
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

HWY_EXPORT(kernels);

const simd_compaction& simd_compaction_kernels() {
    static const simd_compaction chosen = [] {
        (void)simd_target();  // chooses the instruction set
        return HWY_DYNAMIC_DISPATCH(kernels)();
    }();
    return chosen;
}

}  // namespace lookback::detail
#endif
