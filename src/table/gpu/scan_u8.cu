#include "scan_in_place-inl.hpp"

namespace lookback::on_gpu {

template void scan_in_place(lookback::gpu&, std::uint8_t*, std::size_t, operation, bool,
                            const std::uint8_t*, const std::optional<std::uint8_t>&);

}  // namespace lookback::on_gpu
