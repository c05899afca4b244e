#include "kernels_of_type.hpp"

namespace lookback::cli {

template const kernels<float>& kernels_of(operation);
template const kernels<double>& kernels_of(operation);

}  // namespace lookback::cli
