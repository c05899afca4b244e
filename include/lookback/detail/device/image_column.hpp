/// \file
/// A column of an image as box filters on a GPU read it, from top to bottom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/box_window.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/image_shape.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

/// Items whose size is that of a word may be read as words. The compiler would read the channels of
/// a pixel one by one.
template <class In>
inline constexpr bool fits_word = [] {
    if constexpr (std::is_pointer_v<In>) {
        constexpr std::size_t size = sizeof(item_of<In>);
        return size <= 8 && (size & (size - 1)) == 0;
    }
    return false;
}();

/// Calls do_it.operator()<by_words>(), by words if items fit in them and lie on boundaries of their
/// size.
template <class In, class F>
__device__ void by_words_if_possible(const In& in, const F& do_it) {
    if constexpr (fits_word<In>) {
        if (reinterpret_cast<std::uintptr_t>(in) % sizeof(item_of<In>) == 0) {
            return do_it.template operator()<true>();
        }
    }
    do_it.template operator()<false>();
}

/// A column that may lie beyond the image's edges, where the border continues it. An item that is
/// not there is zero.
template <class In, bool by_words>
class image_column {
 public:
    using Item = item_of<In>;
    /// What is read: an item, or its bits.
    using read_type =
        std::conditional_t<by_words, unsigned_word<fits_word<In> ? sizeof(Item) : 1>, Item>;

    __device__ image_column(const In& in, const table_shape& shape, image_border border,
                            std::size_t image, std::int64_t column)
        : in_(in),
          pitch_(shape.in_pitch),
          height_(shape.height),
          border_(border),
          at_(item_beyond(column, static_cast<std::int64_t>(shape.width), border)),
          is_there_(at_ < shape.width) {
        at_ = image * shape.in_image + (is_there_ ? at_ : 0);
    }

    /// Reads the next `count` rows from row y on, which may lie beyond the edges. Nothing waits for
    /// what is read before item() is called.
    template <int count>
    __device__ void read(std::int64_t y, read_type (&rows)[count]) const {
        if (y >= 0 && y + count <= static_cast<std::int64_t>(height_)) {
            std::size_t at = at_ + static_cast<std::size_t>(y) * pitch_;
#pragma unroll
            for (int k = 0; k < count; ++k, at += pitch_) rows[k] = load(at);
        } else {
#pragma unroll
            for (int k = 0; k < count; ++k) rows[k] = read(y + k);
        }
    }
    __device__ read_type read(std::int64_t y) const {
        const std::size_t row = row_beyond(y, static_cast<std::int64_t>(height_), border_);
        // Without a branch, so that loads do not wait for each other.
        const read_type value = load(at_ + (row < height_ ? row : 0) * pitch_);
        return row < height_ ? value : read_type{};
    }
    __device__ Item item(const read_type& row) const {
        return __builtin_bit_cast(Item, is_there_ ? row : read_type{});
    }

 private:
    // Not inlined: few rows need it, and its divisions need many registers.
    [[gnu::noinline]] __device__ static std::size_t row_beyond(std::int64_t y, std::int64_t height,
                                                               image_border border) {
        return item_beyond(y, height, border);
    }
    __device__ read_type load(std::size_t i) const {
        if constexpr (by_words) {
            return reinterpret_cast<const read_type*>(in_)[i];
        } else {
            return in_[static_cast<std::int64_t>(i)];
        }
    }

    const In& in_;
    std::size_t pitch_, height_;
    image_border border_;
    std::size_t at_;
    bool is_there_;
};

}  // namespace lookback::detail::device
