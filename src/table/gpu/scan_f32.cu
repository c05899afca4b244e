#include "scan_in_place-inl.hpp"

namespace lookback::on_gpu {

template void scan_in_place(lookback::gpu&, float*, std::size_t, operation, bool, const float*,
                            const std::optional<float>&);

}  // namespace lookback::on_gpu
