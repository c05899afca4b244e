#include "kept_kernels_of_type.hpp"

namespace lookback::cli {

// Compiled in kept_kernels_unsigned.cpp.
extern template struct kept_kernels<std::uint8_t>;
extern template struct kept_kernels<std::uint16_t>;
extern template struct kept_kernels<std::uint32_t>;
extern template struct kept_kernels<std::uint64_t>;

template struct kept_kernels<std::int8_t>;
template struct kept_kernels<std::int16_t>;
template struct kept_kernels<std::int32_t>;
template struct kept_kernels<std::int64_t>;

}  // namespace lookback::cli
