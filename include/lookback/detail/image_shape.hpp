/// \file
/// Image extents after their checks: which items are read and written. All items can be counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lookback/counts.hpp"
#include "lookback/detail/arguments.hpp"

namespace lookback::detail {

/// Rows of images in memory: `images` images of `height` rows of `width` items. Each row begins
/// `pitch` items after the row before it.
struct image_rows {
    std::size_t images;
    std::size_t height;
    std::size_t width;
    std::size_t pitch;

    bool empty() const { return images == 0 || height == 0 || width == 0; }
    std::size_t image_items() const { return height * pitch; }
    /// The number of items from the first to the last, gaps included.
    std::size_t span() const { return empty() ? 0 : (images * height - 1) * pitch + width; }
};

/// The shape of an image, or a stack of images, and of its table.
struct table_shape {
    std::size_t images;
    std::size_t height;
    std::size_t width;
    std::size_t in_pitch;   ///< items from one row of the input to the next
    std::size_t out_pitch;  ///< items from one row of the table to the next
    std::size_t in_image;   ///< items from one image to the next
    std::size_t out_image;  ///< items from one table to the next
    std::size_t out_first;  ///< where a table's own entries begin, after its border of zeros
};

inline image_rows checked_rows(const char* what, std::size_t images, std::size_t height,
                               std::size_t width, std::size_t pitch) {
    const auto fits = [](std::size_t a, std::size_t b) { return b == 0 || a <= PTRDIFF_MAX / b; };
    if (pitch != 0 && pitch < width) {
        throw std::invalid_argument("lookback: image_extents." + std::string(what) + " is " +
                                    std::to_string(pitch) + "; expected 0 or at least a row's " +
                                    std::to_string(width) + " items");
    }
    const std::size_t step = pitch == 0 ? width : pitch;
    const image_rows rows{images, height, width, step};
    if (rows.empty()) return rows;
    if (!fits(height, step) || !fits(height * step, images)) {
        throw std::invalid_argument(
            "lookback: the image_extents, " + std::to_string(images) + " images of " +
            std::to_string(height) + " rows that begin " + std::to_string(step) +
            " items behind one another, have more items than can be counted");
    }
    return rows;
}
inline image_rows input_rows(const image_extents& e) {
    return detail::checked_rows("in_pitch", e.images, e.height, e.width, e.in_pitch);
}
inline image_rows output_rows(const image_extents& e) {
    return detail::checked_rows("out_pitch", e.images, e.height, e.width, e.out_pitch);
}
/// The rows of the tables; with a border, they have one row and one column more than the image.
inline image_rows table_rows(const image_extents& e, bool bordered) {
    const std::size_t more = bordered ? 1 : 0;
    if (e.height > PTRDIFF_MAX - more || e.width > PTRDIFF_MAX - more) (void)input_rows(e);
    return detail::checked_rows("out_pitch", e.images, e.height + more, e.width + more,
                                e.out_pitch);
}

inline table_shape shape_of(const image_rows& in, const image_rows& out, bool bordered) {
    return {in.images, in.height,        in.width,          in.pitch,
            out.pitch, in.image_items(), out.image_items(), bordered ? out.pitch + 1 : 0};
}

/// Refuses ranges that are too short for these images.
inline void check_image_items(const char* what, const image_rows& rows, std::size_t have) {
    if (have < rows.span()) {
        throw std::invalid_argument("lookback: the " + std::string(what) + " has " +
                                    std::to_string(have) + " items; expected the extents' " +
                                    std::to_string(rows.span()));
    }
}

/// Where rows lie in memory, in bytes.
struct rows_in_memory {
    byte_range bytes;   ///< from the first byte of the lowest row to the end of the highest
    std::size_t pitch;  ///< from one row to the next
    std::size_t width;
};
template <class It>
rows_in_memory rows_at(const It& it, const image_rows& rows) {
    constexpr std::size_t size = sizeof(std::iter_value_t<It>);
    return {detail::bytes_of(it, rows.span()), rows.pitch * size, rows.width * size};
}

/// Whether no row of `a` shares a byte with a row of `b`. With the same pitch, the rows may lie
/// side by side, as views of one buffer do.
inline bool lie_apart(const rows_in_memory& a, const rows_in_memory& b) {
    if (a.bytes.end <= b.bytes.begin || b.bytes.end <= a.bytes.begin) return true;
    if (a.pitch != b.pitch) return false;
    const std::size_t ahead = a.bytes.begin <= b.bytes.begin
                                  ? (b.bytes.begin - a.bytes.begin) % a.pitch
                                  : a.pitch - (a.bytes.begin - b.bytes.begin) % a.pitch;
    return a.width <= ahead && ahead + b.width <= a.pitch;
}

/// Refuses null pointers, and output that overlaps an input, whose name in messages is `name`. If
/// `over_input` allows it, the output may be the input itself, with items of the same size and rows
/// at the same places.
template <class In, class Out>
void check_image_memory(const In& in, const image_rows& in_rows, const char* name, const Out& out,
                        const image_rows& out_rows, in_place over_input) {
    detail::check_not_null(in, in_rows.span(), name);
    detail::check_not_null(out, out_rows.span(), "output");
    if constexpr (all_in_arrays<In, Out>) {
        if (in_rows.empty() || out_rows.empty()) return;
        const rows_in_memory from = detail::rows_at(in, in_rows);
        const rows_in_memory to = detail::rows_at(out, out_rows);
        const byte_range a = from.bytes, b = to.bytes;
        const bool same = over_input == in_place::allowed && same_walk<In, Out> &&
                          sizeof(std::iter_value_t<In>) == sizeof(std::iter_value_t<Out>) &&
                          in_rows.pitch == out_rows.pitch && a.begin == b.begin && a.end == b.end;
        if (!same && !detail::lie_apart(from, to)) {
            throw std::invalid_argument(
                "lookback: the output overlaps the " + std::string(name) + ", " +
                std::to_string(static_cast<std::intptr_t>(b.begin - a.begin)) +
                " bytes from its beginning; expected separate memory" +
                (over_input == in_place::allowed ? " or the input itself, with the same pitch"
                                                 : ""));
        }
    }
}

}  // namespace lookback::detail
