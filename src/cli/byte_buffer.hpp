/// \file
/// A byte array that grows at its end. Unlike the bytes of a vector, its bytes have no value before
/// they are written, and the system moves large ones page by page, without copying them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace lookback::cli {

class byte_buffer {
 public:
    byte_buffer() = default;
    byte_buffer(byte_buffer&& other) noexcept { *this = std::move(other); }
    byte_buffer& operator=(byte_buffer&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }

    std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Room behind the end for at least `bytes` bytes. `grow` then adds some of these bytes to the
    /// buffer.
    std::byte* room(std::size_t bytes) {
        if (capacity_ - size_ < bytes) resize(std::max(size_ + bytes, 2 * capacity_));
        return data() + size_;
    }
    void grow(std::size_t bytes) { size_ += bytes; }

    /// Removes `bytes` bytes from the front.
    void drop(std::size_t bytes) {
        if (bytes > 0 && bytes < size_) std::memmove(data(), data() + bytes, size_ - bytes);
        size_ -= bytes;
    }
    /// Makes the buffer empty. It keeps its memory.
    void clear() { size_ = 0; }
    /// Gives back the memory that is not used.
    void fit() {
        if (size_ > 0) resize(size_);
    }

 private:
    struct free_bytes {
        void operator()(std::byte* at) const { std::free(at); }
    };

    void resize(std::size_t capacity) {
        void* const moved = std::realloc(bytes_.get(), capacity);
        if (moved == nullptr) throw std::bad_alloc();
        [[maybe_unused]] auto* const before = bytes_.release();
        bytes_.reset(static_cast<std::byte*>(moved));
        capacity_ = capacity;
    }

    std::unique_ptr<std::byte, free_bytes> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace lookback::cli
