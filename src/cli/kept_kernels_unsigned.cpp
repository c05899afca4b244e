#include "kept_kernels_of_type.hpp"

namespace lookback::cli {

template struct kept_kernels<std::uint8_t>;
template struct kept_kernels<std::uint16_t>;
template struct kept_kernels<std::uint32_t>;
template struct kept_kernels<std::uint64_t>;

}  // namespace lookback::cli
