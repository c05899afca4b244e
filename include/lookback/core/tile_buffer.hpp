/// \file
/// What a worker keeps of a tile: up to `capacity` items, allocated once and used for many tiles.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "lookback/core/items.hpp"

namespace lookback::detail {

template <class T, std::size_t capacity>
class tile_buffer {
    static constexpr bool plain = std::is_trivially_copyable_v<T>;

 public:
    tile_buffer() : items_(std::allocator<T>{}.allocate(capacity)) {}
    tile_buffer(tile_buffer&& other) noexcept
        : items_(std::exchange(other.items_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    tile_buffer& operator=(tile_buffer&& other) noexcept {
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~tile_buffer() {
        clear();
        if (items_ != nullptr) std::allocator<T>{}.deallocate(items_, capacity);
    }

    std::size_t size() const { return size_; }
    const T& operator[](std::size_t i) const { return items_[i]; }

    void clear() {
        std::destroy_n(items_, size_);
        size_ = 0;
    }

    template <class U>
    void push(U&& item) {
        std::construct_at(items_ + size_, std::forward<U>(item));
        ++size_;
    }

    /// Appends the items of in[first], in[first + 1], ... whose class is `wanted`, of `count`. For
    /// plain items without a branch that depends on them: each is stored, and the next one over it
    /// unless it is wanted.
    template <class In>
    void append(const In& in, std::size_t first, std::size_t count, const std::uint8_t* classes,
                std::uint8_t wanted) {
        if constexpr (plain) {
            T* const items = items_ + size_;
            std::size_t kept = 0;
            for (std::size_t i = 0; i < count; ++i) {
                std::construct_at(items + kept, item(in, first + i));
                kept += classes[i] == wanted;
            }
            size_ += kept;
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                if (classes[i] == wanted) push(item(in, first + i));
            }
        }
    }

    /// Appends in[first], in[first + 1], ..., `count` of them.
    template <class In>
    void append_all(const In& in, std::size_t first, std::size_t count) {
        if constexpr (plain) {
            T* const items = items_ + size_;
            for (std::size_t i = 0; i < count; ++i) {
                std::construct_at(items + i, item(in, first + i));
            }
            size_ += count;
        } else {
            for (std::size_t i = 0; i < count; ++i) push(item(in, first + i));
        }
    }

    /// Moves items [begin, end) to out[at], out[at + 1], ...
    template <class Out>
    void move_to(const Out& out, std::size_t at, std::size_t begin, std::size_t end) {
        if constexpr (plain && std::contiguous_iterator<Out> &&
                      std::same_as<std::iter_value_t<Out>, T>) {
            std::copy(items_ + begin, items_ + end, std::to_address(out) + at);
        } else {
            for (std::size_t i = begin; i < end; ++i)
                put(out, at + i - begin, std::move(items_[i]));
        }
    }

 private:
    T* items_;
    std::size_t size_ = 0;
};

}  // namespace lookback::detail
