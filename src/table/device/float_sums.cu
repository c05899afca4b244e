#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

axis_loop find_float_sums(item_type in, item_type out) {
    using enum item_type;
    if (in != out) return nullptr;
    switch (in) {
        case float32: return scan_along<float, float, plus<float>>;
        case float64: return scan_along<double, double, plus<double>>;
        case float16: return scan_along<__half, __half, plus<float>>;
        case bfloat16: return scan_along<__nv_bfloat16, __nv_bfloat16, plus<float>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
