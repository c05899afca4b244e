/// \file
/// The choice among a function's versions: kernels are compiled once for each instruction set.
///
/// Highway's own choice lies in a library that measures the machine's clock for some milliseconds
/// whenever a program starts, even if nothing needs it. So only Highway's headers are used.
#pragma once

#include <hwy/detect_compiler_arch.h>

#include <cstdint>
#include <initializer_list>

namespace lookback::detail {

/// The instruction set, by Highway's number: the best one of this machine for which kernels were
/// compiled, or the one that the environment names (LOOKBACK_SIMD_TARGET).
std::int64_t simd_target_number();

template <class Function>
struct simd_version {
    std::int64_t target;
    Function function;  // null if it was not compiled for `target`
};

template <class Function>
Function version_for_this_machine(Function otherwise,
                                  std::initializer_list<simd_version<Function>> versions) {
    for (const auto& v : versions) {  // newest first; a lower number is newer
        if (v.target >= simd_target_number() && v.function != nullptr) return v.function;
    }
    return otherwise;
}

}  // namespace lookback::detail

// The version of `function`, a member of HWY_NAMESPACE, for this machine. It is a macro because
// Highway's names of the versions are macros. Use it after HWY_ONCE.
#if HWY_ARCH_X86
#define LOOKBACK_SIMD_VERSION(function)                                                      \
    lookback::detail::version_for_this_machine(&HWY_STATIC_DISPATCH(function),               \
                                               {{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(function)}, \
                                                {HWY_AVX3, HWY_CHOOSE_AVX3(function)},       \
                                                {HWY_AVX2, HWY_CHOOSE_AVX2(function)},       \
                                                {HWY_SSE4, HWY_CHOOSE_SSE4(function)}})
#else
#define LOOKBACK_SIMD_VERSION(function) &HWY_STATIC_DISPATCH(function)
#endif
