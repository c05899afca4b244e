#include "windows.hpp"

namespace lookback::cli {

bool input_windows::next() {
    if (items_ > 0) in_->release(first(), items_);
    done_ += items_;
    items_ = std::min(window_, length_ - done_);
    if (items_ == 0) return false;
    const std::size_t after = done_ + items_;
    if (const std::size_t more = std::min(window_, length_ - after); more > 0) {
        in_->expect(place(after, more), more);
    }
    in_->fetch(first(), items_);
    return true;
}

}  // namespace lookback::cli
