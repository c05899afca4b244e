#include "kernels_of_type.hpp"

namespace lookback::cli {

// Compiled in kernels_unsigned.cpp.
extern template const kernels<std::uint8_t>& kernels_of(operation);
extern template const kernels<std::uint16_t>& kernels_of(operation);
extern template const kernels<std::uint32_t>& kernels_of(operation);
extern template const kernels<std::uint64_t>& kernels_of(operation);

template const kernels<std::int8_t>& kernels_of(operation);
template const kernels<std::int16_t>& kernels_of(operation);
template const kernels<std::int32_t>& kernels_of(operation);
template const kernels<std::int64_t>& kernels_of(operation);

}  // namespace lookback::cli
