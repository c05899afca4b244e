#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "table/complex_number.hpp"
#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {
namespace {

template <class T>
constexpr axis_loop products_of = scan_along<T, T, multiplies<T>>;

}  // namespace

axis_loop find_products(item_type in, item_type out) {
    using enum item_type;
    if (out == int64 || out == uint64) {  // unsigned, and wrap around, as integer_sums.cu says
        switch (in) {
            case int64:
            case uint64: return products_of<std::uint64_t>;
            case int32: return scan_along<std::int32_t, std::int64_t, multiplies<std::int64_t>>;
            case uint8: return scan_along<std::uint8_t, std::uint64_t, multiplies<std::uint64_t>>;
            default: return nullptr;
        }
    }
    if (in != out) return nullptr;
    switch (in) {
        case float16: return scan_along<__half, __half, multiplies<float>>;
        case bfloat16: return scan_along<__nv_bfloat16, __nv_bfloat16, multiplies<float>>;
        case float32: return products_of<float>;
        case float64: return products_of<double>;
        case complex64: return products_of<table::complex_number<float>>;
        case complex128: return products_of<table::complex_number<double>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
