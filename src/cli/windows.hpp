/// \file
/// Arrays of any length, read window by window.
#pragma once

#include <algorithm>
#include <cstddef>

#include "array_input.hpp"

namespace lookback::cli {

/// How many items a window has: as many whole tiles as fit in `bytes`, and at least one tile.
inline std::size_t window_items(std::size_t bytes, std::size_t item_size, std::size_t tile = 1) {
    return std::max<std::size_t>(bytes / item_size / tile, 1) * tile;
}

/// A walk along a line of items, from window to window. The items of the current window are in
/// memory. The items of the next window are read meanwhile; they replace those of this one.
class input_windows {
 public:
    /// Along `length` items from `begin` on; backward, from the last of them to the first.
    input_windows(const array_input& in, std::size_t begin, std::size_t length, std::size_t window,
                  bool is_backward)
        : in_(&in), begin_(begin), length_(length), window_(window), is_backward_(is_backward) {}
    /// Along the whole array. It may be a stream, whose windows are what has come until it pauses.
    input_windows(const array_input& in, std::size_t window, bool is_backward = false)
        : input_windows(in, 0, in.items(), window, is_backward) {}

    /// From here on the windows of a stream are full, however the numbers arrive. A window is
    /// shorter only at the end, and where the type of the numbers changes.
    void fill() { is_exact_ = true; }

    /// Goes to the next window; the first call goes to the first window. False after the last one.
    bool next();

    /// Ends the window after its first `items` items. The next window is the rest of it.
    void cut(std::size_t items) {
        rest_ += items_ - items;
        items_ = items;
    }

    /// The first item of the window, by its position in the array, also backward.
    std::size_t first() const { return place(done_, items_); }
    std::size_t items() const { return items_; }

    /// The window's items in the order of the walk, as this type: in place, or else in `room`.
    const void* load(dtype type, void* room) const;

 private:
    // Where `items` items begin that come after the first `done` of the line.
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
    std::size_t rest_ = 0;   // items cut off from the window
};

}  // namespace lookback::cli
