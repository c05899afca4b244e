// The types of numbers that window_scan::start takes. Included after the definition of `start`;
// there is one definition with CUDA and one without.

namespace lookback::on_gpu {

template void window_scan::start(std::size_t, operation, bool, const std::optional<std::uint8_t>&);
template void window_scan::start(std::size_t, operation, bool, const std::optional<std::uint16_t>&);
template void window_scan::start(std::size_t, operation, bool, const std::optional<std::uint32_t>&);
template void window_scan::start(std::size_t, operation, bool, const std::optional<std::uint64_t>&);
template void window_scan::start(std::size_t, operation, bool, const std::optional<float>&);
template void window_scan::start(std::size_t, operation, bool, const std::optional<double>&);

}  // namespace lookback::on_gpu
