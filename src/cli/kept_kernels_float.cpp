#include "kept_kernels_of_type.hpp"

namespace lookback::cli {

template struct kept_kernels<float>;
template struct kept_kernels<double>;

}  // namespace lookback::cli
