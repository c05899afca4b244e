// The choice of the kernels' instruction set: the best of this machine, or the one that the
// environment names, which shows what the others would do.

#include "simd_target.hpp"

#define HWY_WANT_AVX3_DL  // some kernels are compiled for it
#include <hwy/highway.h>

#include <cstdlib>
#include <cstring>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

#include "lookback/detail/cpu/simd.hpp"

namespace lookback::detail {
namespace {

#if HWY_ARCH_X86

// Reads a CPUID bit of LZCNT, F16C or VAES: the compilers' own functions, which also check that the
// operating system saves the registers, do not all have names for these.
bool has_bit(unsigned leaf, unsigned bit) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(leaf, 0, &a, &b, &c, &d) != 0 && (c >> bit & 1U) != 0;
}

// The instructions that Highway's names stand for (hwy/targets.cc).
bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           has_bit(0x80000001U, 5) && has_bit(1, 29);
}
bool has_avx3() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}
bool has_avx3_dl() {
    return has_avx3() && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("gfni") &&
           has_bit(7, 9);
}

// The instruction sets of this machine for which there are kernels, and the one that the compiler
// may assume anyway.
std::int64_t machine_targets() {
    return HWY_STATIC_TARGET | (has_avx2() ? HWY_AVX2 : 0) | (has_avx3() ? HWY_AVX3 : 0) |
           (has_avx3_dl() ? HWY_AVX3_DL : 0);
}

#else

std::int64_t machine_targets() { return HWY_STATIC_TARGET; }

#endif

std::int64_t choose_target() {
    const char* const wanted = std::getenv("LOOKBACK_SIMD_TARGET");
    const std::int64_t all = machine_targets() & HWY_TARGETS;
    for (std::int64_t left = all; wanted != nullptr && left != 0; left &= left - 1) {
        if (std::strcmp(hwy::TargetName(left & -left), wanted) == 0) return left & -left;
    }
    return all & -all;  // a lower bit is a newer instruction set
}

}  // namespace

std::int64_t simd_target_number() {
    static const std::int64_t target = choose_target();
    return target;
}

const char* simd_target() { return hwy::TargetName(simd_target_number()); }

}  // namespace lookback::detail
