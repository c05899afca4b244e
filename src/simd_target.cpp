// Which instruction set the kernels use: the best of this machine, or the one that the environment
// asks for, a way to see what the others would do.

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/highway.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "lookback/detail/cpu/simd.hpp"

namespace lookback::detail {

static std::int64_t choose_target() {
    if (const char* wanted = std::getenv("LOOKBACK_SIMD_TARGET")) {
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            if (std::strcmp(hwy::TargetName(target), wanted) == 0) {
                hwy::SetSupportedTargetsForTest(target);
            }
        }
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) return target;
    return HWY_STATIC_TARGET;
}

const char* simd_target() {
    static const std::int64_t target = choose_target();
    return hwy::TargetName(target);
}

}  // namespace lookback::detail
