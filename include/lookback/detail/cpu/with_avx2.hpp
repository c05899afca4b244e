/// \file
/// Loops that call a function of the user's for each item, compiled twice: for the instruction set
/// of the program, and for AVX2, which is used if the machine has it.
///
/// A predicate is compiled with the program, in most cases for any x86-64. The vectors of that
/// instruction set cannot compare integers of 8 bytes, and have few instructions to narrow the
/// results of comparisons. AVX-512 is not used: code for it may fuse a product and a sum, so that a
/// predicate's answers would depend on the machine.
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

/// Calls `body`, an always-inlined lambda. Only the functions that are inlined into it gain from
/// AVX2.
template <class Body>
void with_avx2([[maybe_unused]] const simd_compaction& kernels, const Body& body) {
#if LOOKBACK_AVX2_TWIN
    if (kernels.avx2) return detail::for_avx2(body);
#endif
    body();
}

}  // namespace lookback::detail
