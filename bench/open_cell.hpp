/// \file
/// Only one cell of a benchmark's table has memory at a time.
#pragma once

namespace lookback::bench {

/// A cell takes its memory when its first measurement begins, and gives it back when the first
/// measurement of the next cell begins.
class any_cell {
 public:
    virtual ~any_cell() = default;

    /// Makes this the cell that has memory.
    void open() {
        if (open_ == this) return;
        if (open_ != nullptr) open_->release();
        open_ = this;
        prepare();
    }

 private:
    virtual void prepare() = 0;
    virtual void release() = 0;
    static inline any_cell* open_ = nullptr;
};

}  // namespace lookback::bench
