#include "scan_in_place-inl.hpp"

namespace lookback::on_gpu {

template void scan_in_place(lookback::gpu&, std::uint64_t*, std::size_t, operation, bool,
                            const std::uint64_t*, const std::optional<std::uint64_t>&);

}  // namespace lookback::on_gpu
