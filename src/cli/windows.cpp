#include "windows.hpp"

#include <utility>

namespace lookback::cli {

bool input_windows::next() {
    if (rest_ > 0) {
        done_ += items_;
        items_ = std::exchange(rest_, 0);
        return true;
    }
    if (in_->stream() != nullptr) {
        if (!in_->next(is_exact_ ? window_ : 0)) return false;
        done_ = in_->stream()->first();
        items_ = in_->stream()->items();
        return true;
    }
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

const void* input_windows::load(dtype type, void* room) const {
    const void* const from = in_->load(first(), items_, type, room);
    if (!is_backward_) return from;
    reverse(type, from, items_, room);
    return room;
}

}  // namespace lookback::cli
