/// \file
/// Scratch memory of a call.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "lookback/detail/call.hpp"

namespace lookback::detail {

/// Memory for data that is written in many places at once. It begins on a cache line. Large memory
/// lies on large pages if the system has them, which saves most of the time that new pages take.
[[gnu::visibility("default")]] void* allocate_scratch(std::size_t bytes);
[[gnu::visibility("default")]] void free_scratch(void* at, std::size_t bytes);

/// Uninitialised memory for `items` trivially copyable items; no memory for no_array.
template <class T>
class scratch_array {
    static constexpr std::size_t each = std::same_as<T, no_array> ? 0 : sizeof(T);

 public:
    scratch_array() = default;
    explicit scratch_array(std::size_t items) : bytes_(items * each) {
        if (bytes_ > 0) at_ = static_cast<T*>(allocate_scratch(bytes_));
    }
    scratch_array(scratch_array&& other) noexcept
        : at_(std::exchange(other.at_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    scratch_array& operator=(scratch_array&& other) noexcept {
        std::swap(at_, other.at_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~scratch_array() {
        if (bytes_ > 0) free_scratch(at_, bytes_);
    }

    T* data() const { return at_; }

 private:
    T* at_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace lookback::detail
