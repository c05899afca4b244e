/// \file
/// Loops over items that ask a function of the user's, compiled twice: for the instruction set that
/// the program is compiled for, and for AVX2, which is used where the machine has it.
///
/// A predicate is compiled with the program, mostly for any x86-64, whose vectors have no
/// comparison of integers of 8 bytes, and little to narrow what was compared. Not AVX-512: code for
/// it may fuse a product and a sum, so a predicate's answers would depend on the machine.
#pragma once

#include "lookback/detail/cpu/simd_compaction.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX2__) && !defined(__CUDACC__)
#define LOOKBACK_AVX2_TWIN 1
#else
#define LOOKBACK_AVX2_TWIN 0
#endif

namespace lookback::detail {

#if LOOKBACK_AVX2_TWIN
template <class Body>
[[gnu::target("avx2"), gnu::noinline]] void for_avx2(const Body& body) {
    body();
}
#endif

/// Calls `body`, a lambda that is always inlined; what it calls by itself has to be, too, to gain.
template <class Body>
void with_avx2([[maybe_unused]] const simd_compaction& kernels, const Body& body) {
#if LOOKBACK_AVX2_TWIN
    if (kernels.avx2) return detail::for_avx2(body);
#endif
    body();
}

}  // namespace lookback::detail
