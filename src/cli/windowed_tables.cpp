#include "windowed_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "area_kernels.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// Integers are summed as unsigned ones: all sums are modulo 2^bits.
template <class T>
struct word_of : std::make_unsigned<T> {};
template <>
struct word_of<float> : std::type_identity<float> {};
template <>
struct word_of<double> : std::type_identity<double> {};

// Rows [first, first + rows) of the table of image `image`, as they lie in a window.
struct strip {
    std::size_t image;
    std::size_t first;
    std::size_t rows;
};

// The tables of sums, or of squares.
template <class T>
class table {
    using word = typename word_of<T>::type;

 public:
    table(const table_plan& plan, const array_input& in, array_output& out, bool is_of_squares)
        : plan_(plan), in_(in), out_(out), is_of_squares_(is_of_squares) {}

    std::size_t border() const { return plan_.is_exclusive ? 1 : 0; }
    /// Numbers of a row.
    std::size_t row_items() const { return (plan_.shape.width + border()) * plan_.shape.channels; }
    std::size_t image_rows() const { return plan_.shape.height + border(); }

    // A window of images [image, image + images), with all of their rows.
    void put_images(std::size_t image, std::size_t images) {
        const std::size_t items = image_rows() * row_items();
        auto* const slots = reinterpret_cast<T*>(out_.room(images * items));
        for (std::size_t k = 0; k < images; ++k) {
            sum({image + k, 0, plan_.shape.height}, slots + k * items);
        }
        write(slots, images * items, image * items);
    }

    // A window of a strip of one image.
    void put_strip(const strip& s) {
        const std::size_t rows = s.rows + (s.first == 0 ? border() : 0);
        auto* const slots = reinterpret_cast<T*>(out_.room(rows * row_items()));
        sum(s, slots);
        const std::size_t before = s.first == 0 ? 0 : s.first + border();
        write(slots, rows * row_items(), (s.image * image_rows() + before) * row_items());
    }

 private:
    // What is above the first row and left of the first column of an exclusive table is zero.
    void sum(const strip& s, T* to) {
        const std::size_t pitch = row_items();
        const std::size_t left = border() * plan_.shape.channels;
        if (s.first == 0 && plan_.is_exclusive) to = std::fill_n(to, pitch, T{});
        if (s.rows == 0 || plan_.shape.width == 0) {
            std::fill_n(to, s.rows * pitch, T{});
            return;
        }
        for (std::size_t y = 0; y < s.rows && left > 0; ++y) std::fill_n(to + y * pitch, left, T{});
        to += left;
        const T* const from = load(s, to);
        const bool is_in_place = from == to;
        auto* const words = reinterpret_cast<word*>(to);
        const std::size_t width = plan_.shape.width;
        const std::size_t table_width = width + border();
        summed_area<word>(reinterpret_cast<const word*>(from),
                          {.height = s.rows,
                           .width = width,
                           .images = 1,
                           .in_pitch = is_in_place ? table_width : width,
                           .out_pitch = table_width},
                          plan_.shape.channels, words, s.first == 0 ? nullptr : above_.data(),
                          plan_.where.threads);
        const word* const last = words + (s.rows - 1) * pitch;
        above_.assign(last, last + width * plan_.shape.channels);
    }

    // The numbers of the strip: where they lie, or at the places of their sums.
    const T* load(const strip& s, T* to) const {
        const std::size_t row = plan_.shape.width * plan_.shape.channels;
        const std::size_t begin = (s.image * plan_.shape.height + s.first) * row;
        if (!is_of_squares_ && in_.lies_as(dtype_of<T>())) {
            return static_cast<const T*>(in_.load(begin, s.rows * row, dtype_of<T>(), nullptr));
        }
        for (std::size_t y = 0; y < s.rows; ++y) {
            T* const slots = to + y * row_items();
            const auto* const from =
                static_cast<const T*>(in_.load(begin + y * row, row, dtype_of<T>(), slots));
            if (is_of_squares_) square(from, row, slots);
        }
        return to;
    }
    static void square(const T* from, std::size_t items, T* to) {
        for (std::size_t i = 0; i < items; ++i) {
            const auto x = static_cast<word>(from[i]);
            to[i] = static_cast<T>(x * x);
        }
    }

    void write(const T* results, std::size_t items, std::size_t position) {
        out_.write(results, items, position);
    }

    const table_plan& plan_;
    const array_input& in_;
    array_output& out_;
    bool is_of_squares_;
    std::vector<word> above_;  // the last row that was summed
};

template <class T>
void write_tables_of(const table_plan& plan, const array_input& in, array_output& out,
                     array_output* out_of_squares, progress& bar) {
    std::vector<table<T>> tables{{plan, in, out, false}};
    if (out_of_squares != nullptr) tables.push_back({plan, in, *out_of_squares, true});
    const table<T>& any = tables.front();
    const std::size_t images = plan.shape.images;
    const std::size_t height = plan.shape.height;
    const std::size_t row = plan.shape.width * plan.shape.channels;
    if (images == 0 || any.image_rows() * any.row_items() == 0) return;

    const auto told = [&](std::size_t rows) {
        bar.advance(rows * (row * in.item_bytes() + any.row_items() * sizeof(T) * tables.size()));
    };
    const std::size_t most_rows = window_items(plan.where.window_bytes, any.row_items() * sizeof(T),
                                               is_float(dtype_of<T>()) ? strip_rows : 1);
    if (any.image_rows() <= most_rows) {
        const std::size_t most = most_rows / any.image_rows();
        for (std::size_t k = 0; k < images; k += most) {
            const std::size_t count = std::min(most, images - k);
            in.fetch(k * height * row, count * height * row);
            for (table<T>& each : tables) each.put_images(k, count);
            in.release(k * height * row, count * height * row);
            told(count * height);
        }
        return;
    }
    for (std::size_t k = 0; k < images; ++k) {
        for (std::size_t first = 0; first < height; first += most_rows) {
            const std::size_t rows = std::min(most_rows, height - first);
            const std::size_t begin = (k * height + first) * row;
            const std::size_t after = std::min(most_rows, height - first - rows);
            in.expect(begin + rows * row, after * row);
            in.fetch(begin, rows * row);
            for (table<T>& each : tables) each.put_strip({k, first, rows});
            in.release(begin, rows * row);
            told(rows);
        }
    }
}

}  // namespace

void write_tables(const table_plan& plan, const array_input& in, array_output& out,
                  array_output* out_of_squares, progress& bar) {
    with_type(out.type(), [&]<class T>(std::type_identity<T>) {
        if constexpr (sizeof(T) >= 4) write_tables_of<T>(plan, in, out, out_of_squares, bar);
    });
}

}  // namespace lookback::cli
