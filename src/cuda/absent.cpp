// A build without CUDA: there are no GPUs.

#include <stdexcept>

#include "gpus.hpp"
#include "window_scan.hpp"

namespace lookback::on_gpu {

static constexpr const char* why =
    "this build has no CUDA support; expected one made with -DLOOKBACK_CUDA=ON, which needs nvcc";

survey find_gpus() { return {.gpus = {}, .why_none = why, .driver = "", .runtime = ""}; }

struct window_scan::state {};

window_scan::window_scan(std::size_t) { throw std::runtime_error(why); }
window_scan::~window_scan() = default;
std::size_t window_scan::window_bytes() const { return 0; }
std::byte* window_scan::room() { return nullptr; }
std::byte* window_scan::collect() { return nullptr; }

template <class T>
void window_scan::start(std::size_t, operation, bool, const std::optional<T>&) {}

}  // namespace lookback::on_gpu

#include "window_scan_start-inl.hpp"
