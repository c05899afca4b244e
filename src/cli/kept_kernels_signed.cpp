#include "kept_kernels_of_type.hpp"

namespace lookback::cli {

template struct kept_kernels<std::int8_t>;
template struct kept_kernels<std::int16_t>;
template struct kept_kernels<std::int32_t>;
template struct kept_kernels<std::int64_t>;

}  // namespace lookback::cli
