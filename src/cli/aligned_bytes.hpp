/// \file
/// Memory that is reused, aligned to cache lines.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace lookback::cli {

class aligned_bytes {
 public:
    /// Room for `bytes` bytes. The earlier contents are lost.
    std::byte* room(std::size_t bytes) {
        if (size_ < bytes) {
            memory_.reset();
            memory_.reset(static_cast<std::byte*>(operator new(bytes, alignment)));
            size_ = bytes;
        }
        return memory_.get();
    }
    std::byte* data() const { return memory_.get(); }

 private:
    static constexpr std::align_val_t alignment{64};
    struct deleter {
        void operator()(std::byte* memory) const { operator delete(memory, alignment); }
    };
    std::unique_ptr<std::byte, deleter> memory_;
    std::size_t size_ = 0;
};

}  // namespace lookback::cli
