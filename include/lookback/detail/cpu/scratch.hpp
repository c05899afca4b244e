/// \file
/// Scratch memory of a call.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "lookback/detail/call.hpp"

namespace lookback::detail {

/// Memory, and how much it is.
struct scratch_block {
    void* at = nullptr;
    std::size_t bytes = 0;
};

/// Memory for data that is written in many places at once; at least so many bytes. It begins on a
/// cache line. Large memory lies on large pages if the system has them, and a few blocks of it are
/// kept for later calls (release_scratch in cpu.hpp): both save time that new pages take.
[[gnu::visibility("default")]] scratch_block allocate_scratch(std::size_t bytes);
[[gnu::visibility("default")]] void free_scratch(const scratch_block& block);

/// Uninitialised memory for `items` trivially copyable items; no memory for no_array.
template <class T>
class scratch_array {
    static constexpr std::size_t each = std::same_as<T, no_array> ? 0 : sizeof(T);

 public:
    scratch_array() = default;
    explicit scratch_array(std::size_t items) {
        if (items * each > 0) block_ = allocate_scratch(items * each);
    }
    scratch_array(scratch_array&& other) noexcept : block_(std::exchange(other.block_, {})) {}
    scratch_array& operator=(scratch_array&& other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~scratch_array() {
        if (block_.at != nullptr) free_scratch(block_);
    }

    T* data() const { return static_cast<T*>(block_.at); }

 private:
    scratch_block block_;
};

}  // namespace lookback::detail
