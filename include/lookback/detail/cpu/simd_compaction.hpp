/// \file
/// The SIMD kernels of compaction: the wanted items of a block or their numbers, the heads of
/// runs, and results written around the caches.
///
/// As those of scans (detail/cpu/simd.hpp) they are compiled into the library for several
/// instruction sets (src/simd_compaction.cpp) and picked at run time. They know items by their bits
/// only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::detail {

/// Items are classified so many at a time, one bit of a mask for each.
inline constexpr std::size_t class_block = 64;

/// Writes the items at `in`, class_block of them, whose bit in `wanted` is set to `out`, one after
/// the other, and returns how many they are. What lies behind them may be overwritten, up to out +
/// class_block.
using compress_kernel = std::size_t (*)(const void* in, std::uint64_t wanted, void* out);

/// Writes first + i for each bit i that is set in `wanted` to `out`, likewise.
using positions_kernel = std::size_t (*)(std::uint32_t first, std::uint64_t wanted,
                                         std::uint32_t* out);

/// Returns a mask with bit i set where keys[i] and keys[i - 1] differ, for class_block keys.
using differ_kernel = std::uint64_t (*)(const void* keys);

struct simd_compaction {
    compress_kernel one_byte;  ///< items of one byte
    compress_kernel two_bytes;
    compress_kernel four_bytes;
    compress_kernel eight_bytes;
    positions_kernel positions;
    differ_kernel differ_one_byte;  ///< keys that are equal where their bits are
    differ_kernel differ_two_bytes;
    differ_kernel differ_four_bytes;
    differ_kernel differ_eight_bytes;
    differ_kernel differ_float;  ///< as == of floats says
    differ_kernel differ_double;
    /// Copies `bytes` bytes, whole cache lines of them with non-temporal stores.
    void (*stream)(const void* from, void* to, std::size_t bytes);
    /// Orders what was streamed before what the thread releases next.
    void (*flush)();
    bool avx2;  ///< whether the machine has it, and these are kernels for no less
};

/// The kernels for this machine.
[[gnu::visibility("default")]] const simd_compaction& simd_compaction_kernels();

}  // namespace lookback::detail
