#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {
namespace {

// Floats of 16 bits are folded in 32: such kernels take half the time to compile, or less.
template <class T, class Folded = T>
constexpr axis_loop maxima_of = scan_along<T, T, maximum<Folded>>;

}  // namespace

axis_loop find_maxima(item_type type) {
    using enum item_type;
    switch (type) {
        case uint8: return maxima_of<std::uint8_t>;
        case int32: return maxima_of<std::int32_t>;
        case int64: return maxima_of<std::int64_t>;
        case float16: return maxima_of<__half, float>;
        case bfloat16: return maxima_of<__nv_bfloat16, float>;
        case float32: return maxima_of<float>;
        case float64: return maxima_of<double>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
