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
#include "simd_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stores those lanes of a block's vectors, vector(d, i) being the one from item i on.
template <class T, class Vector>
HWY_INLINE std::size_t compress_vectors(std::uint64_t wanted, T* out, const Vector& vector) {
    const hn::CappedTag<T, 64 / sizeof(T)> d;
    T* to = out;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < class_block; i += lanes) {
        const std::uint64_t here = (wanted >> i) & ((std::uint64_t{1} << lanes) - 1);
        std::uint8_t bits[8];  // LoadMaskBits may read so many
        std::memcpy(bits, &here, sizeof(bits));
        // All lanes are stored: the next vector overwrites those that are too many.
        hn::StoreU(hn::CompressBits(vector(d, i), bits), d, to);
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
    return {&compress<std::uint32_t>,
            &compress<std::uint64_t>,
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

const simd_compaction& simd_compaction_kernels() {
    static const simd_compaction chosen = LOOKBACK_SIMD_VERSION(kernels)();
    return chosen;
}

}  // namespace lookback::detail
#endif
