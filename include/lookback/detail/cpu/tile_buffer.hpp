/// \file
/// A worker's buffer for what it keeps of a tile: up to `capacity` items, allocated once and used
/// for many tiles.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

template <class T, std::size_t capacity>
class tile_buffer {
    static constexpr bool plain = std::is_trivially_copyable_v<T>;

    using compress_member = compress_kernel simd_compaction::*;

    // The kernel that compacts items of `In`, which must have the type T and be contiguous.
    template <class In>
    static constexpr compress_member compress = [] {
        if constexpr (plain && std::contiguous_iterator<In>) {
            if (sizeof(T) == 1) return &simd_compaction::one_byte;
            if (sizeof(T) == 2) return &simd_compaction::two_bytes;
            if (sizeof(T) == 4) return &simd_compaction::four_bytes;
            if (sizeof(T) == 8) return &simd_compaction::eight_bytes;
        }
        return static_cast<compress_kernel simd_compaction::*>(nullptr);
    }();

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

    /// Appends those of the `count` items in[first], in[first + 1], ... whose bit in `wanted` is
    /// set. `count` is at most class_block, and there must be room for all `count` items. For
    /// trivially copyable items no branch depends on a single bit.
    template <class In>
    void append(const In& in, std::size_t first, std::size_t count, std::uint64_t wanted) {
        if (wanted == 0) return;
        if constexpr (compress<In> != nullptr) {
            if (count == class_block) {
                const auto* from = std::to_address(in) + first;
                size_ += (kernels_->*compress<In>)(from, wanted, items_ + size_);
                return;
            }
        }
        if constexpr (plain) {
            // Each item is stored; the next one overwrites it unless it is wanted.
            T* at = items_ + size_;
            for (std::size_t i = 0; i < count; ++i) {
                std::construct_at(at, detail::item(in, first + i));
                at += (wanted >> i) & 1;
            }
            size_ = static_cast<std::size_t>(at - items_);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                if ((wanted >> i) & 1) push(detail::item(in, first + i));
            }
        }
    }

    /// Appends first + i for each bit i that is set in `wanted`. There must be room for class_block
    /// more.
    void append_positions(T first, std::uint64_t wanted) {
        static_assert(std::same_as<T, std::uint32_t>);
        if (wanted == 0) return;
        size_ += kernels_->positions(first, wanted, items_ + size_);
    }

    /// Moves items [begin, end) to out[at], out[at + 1], .... With `stream`, trivially copyable
    /// items in memory are written by non-temporal stores; the caller then has to call
    /// simd_compaction_kernels().flush().
    template <class Out>
    void move_to(const Out& out, std::size_t at, std::size_t begin, std::size_t end,
                 bool stream = false) {
        if constexpr (plain && std::contiguous_iterator<Out> &&
                      std::same_as<written_item<Out>, T>) {
            T* const to = std::to_address(out) + at;
            if (stream) {
                kernels_->stream(items_ + begin, to, (end - begin) * sizeof(T));
            } else {
                std::copy(items_ + begin, items_ + end, to);
            }
        } else {
            for (std::size_t i = begin; i < end; ++i)
                detail::put(out, at + i - begin, std::move(items_[i]));
        }
    }

 private:
    const simd_compaction* kernels_ = &simd_compaction_kernels();
    T* items_;
    std::size_t size_ = 0;
};

}  // namespace lookback::detail
