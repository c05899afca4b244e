#include "scan_in_place-inl.hpp"

namespace lookback::on_gpu {

template void scan_in_place(lookback::gpu&, double*, std::size_t, operation, bool, const double*,
                            const std::optional<double>&);

}  // namespace lookback::on_gpu
