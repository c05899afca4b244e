#include "kernels_of_type.hpp"

namespace lookback::cli {

template const kernels<std::uint8_t>& kernels_of(operation);
template const kernels<std::uint16_t>& kernels_of(operation);
template const kernels<std::uint32_t>& kernels_of(operation);
template const kernels<std::uint64_t>& kernels_of(operation);

}  // namespace lookback::cli
