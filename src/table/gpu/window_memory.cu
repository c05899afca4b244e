#include "code_check.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

window_memory::window_memory() {
    check_that_there_is_code();
    state_ = std::make_unique<state>();
}
window_memory::~window_memory() = default;

}  // namespace lookback::on_gpu
