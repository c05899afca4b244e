#include "kernels_of_type.hpp"

namespace lookback::cli {

template const kernels<std::int8_t>& kernels_of(operation);
template const kernels<std::int16_t>& kernels_of(operation);
template const kernels<std::int32_t>& kernels_of(operation);
template const kernels<std::int64_t>& kernels_of(operation);

}  // namespace lookback::cli
