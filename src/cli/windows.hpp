/// \file
/// Arrays of any length, read a window at a time.
#pragma once

#include <algorithm>
#include <cstddef>

#include "array_input.hpp"

namespace lookback::cli {

/// How many items a window has: whole tiles, as many as take `bytes`, and at least one.
inline std::size_t window_items(std::size_t bytes, std::size_t item_size, std::size_t tile = 1) {
    return std::max<std::size_t>(bytes / item_size / tile, 1) * tile;
}

/// A walk along a line of items, from window to window. Where it stands, the items are in memory;
/// in their place are, later, those of the next one, which are on their way.
class input_windows {
 public:
    /// Along `length` items from `begin` on, or, backward, from the last of them on.
    input_windows(const array_input& in, std::size_t begin, std::size_t length, std::size_t window,
                  bool is_backward)
        : in_(&in), begin_(begin), length_(length), window_(window), is_backward_(is_backward) {}
    /// Along the whole array, which may be a stream: its windows are what has come until it pauses.
    input_windows(const array_input& in, std::size_t window, bool is_backward = false)
        : input_windows(in, 0, in.items(), window, is_backward) {}

    /// Windows of a stream have as many items as others, but where numbers of one type end, however
    /// they arrive.
    void fill() { is_exact_ = true; }

    /// Goes to the next window; at first, to the first one. False behind the last one.
    bool next();

    /// The window ends behind its first `items` items; the next one begins with the rest of it.
    void cut(std::size_t items) {
        rest_ += items_ - items;
        items_ = items;
    }

    /// The item of the array with which the window begins, as it lies in the array.
    std::size_t first() const { return place(done_, items_); }
    std::size_t items() const { return items_; }

    /// The items in the order of the walk, as this type: where they lie, or else in `room`.
    const void* load(dtype type, void* room) const;

 private:
    // Where `items` items begin that come after `done` of the line.
    std::size_t place(std::size_t done, std::size_t items) const {
        return begin_ + (is_backward_ ? length_ - done - items : done);
    }

    const array_input* in_;
    std::size_t begin_;
    std::size_t length_;
    std::size_t window_;
    bool is_backward_;
    bool is_exact_ = false;
    std::size_t done_ = 0;   // items before the window
    std::size_t items_ = 0;  // of the window
    std::size_t rest_ = 0;   // that have been cut off from it
};

}  // namespace lookback::cli
