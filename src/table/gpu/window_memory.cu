#include "code_check.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

window_memory::window_memory() { check_that_there_is_code(); }
window_memory::~window_memory() = default;

window_memory::state& window_memory::get() {
    if (!state_) state_ = std::make_unique<state>();
    return *state_;
}

}  // namespace lookback::on_gpu
