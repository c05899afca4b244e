#include "windowed_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "table/convert.hpp"
#include "table/images.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// Rows [first, first + rows) of image `image`: a strip of its table, which a window holds.
struct strip {
    std::size_t image;
    std::size_t first;
    std::size_t rows;
};

// The tables of sums, or those of squares.
class area_table {
 public:
    area_table(const table_plan& plan, const array_input& in, array_output& out, bool is_of_squares)
        : plan_(plan), in_(in), out_(out), type_(out.type()), is_of_squares_(is_of_squares) {}

    std::size_t border() const { return plan_.is_exclusive ? 1 : 0; }
    /// Items of a row, and their bytes.
    std::size_t row_items() const { return (plan_.shape.width + border()) * plan_.shape.channels; }
    std::size_t row_bytes() const { return row_items() * size_of(type_); }
    std::size_t image_rows() const { return plan_.shape.height + border(); }

    // Writes a window: images [image, image + images), with all of their rows.
    void put_images(std::size_t image, std::size_t images) {
        const std::size_t items = image_rows() * row_items();
        std::byte* const slots = out_.room(images * items);
        for (std::size_t k = 0; k < images; ++k) {
            sum({image + k, 0, plan_.shape.height}, slots + k * image_rows() * row_bytes());
        }
        out_.write(slots, images * items, image * items);
    }

    // Writes a window: a strip of one image.
    void put_strip(const strip& s) {
        const std::size_t rows = s.rows + (s.first == 0 ? border() : 0);
        std::byte* const slots = out_.room(rows * row_items());
        sum(s, slots);
        const std::size_t before = s.first == 0 ? 0 : s.first + border();
        out_.write(slots, rows * row_items(), (s.image * image_rows() + before) * row_items());
    }

 private:
    // In an exclusive table, the row above the first row and the column left of the first column
    // are zero.
    void sum(const strip& s, std::byte* to) {
        const std::size_t pitch = row_bytes();
        const std::size_t pixel = plan_.shape.channels * size_of(type_);
        const std::size_t left = border() * pixel;
        if (s.first == 0 && plan_.is_exclusive) to = std::fill_n(to, pitch, std::byte{});
        if (s.rows == 0 || plan_.shape.width == 0) {
            std::fill_n(to, s.rows * pitch, std::byte{});
            return;
        }
        for (std::size_t y = 0; y < s.rows; ++y) std::fill_n(to + y * pitch, left, std::byte{});
        to += left;
        const void* const from = load(s, to);
        const std::size_t width = plan_.shape.width;
        const std::size_t table_width = width + border();
        sum_area(plan_.where.on(), type_, from,
                 {.height = s.rows,
                  .width = width,
                  .images = 1,
                  .in_pitch = from == to ? table_width : width,
                  .out_pitch = table_width},
                 plan_.shape.channels, to, s.first == 0 ? nullptr : above_.data());
        const std::byte* const last = to + (s.rows - 1) * pitch;
        above_.assign(last, last + width * pixel);
    }

    // The numbers of the strip: in place, or converted to the places of their sums.
    const void* load(const strip& s, std::byte* to) const {
        const std::size_t row = plan_.shape.width * plan_.shape.channels;
        const std::size_t begin = (s.image * plan_.shape.height + s.first) * row;
        if (!is_of_squares_ && in_.lies_as(type_)) {
            return in_.load(begin, s.rows * row, type_, nullptr);
        }
        for (std::size_t y = 0; y < s.rows; ++y) {
            std::byte* const slots = to + y * row_bytes();
            const void* const from = in_.load(begin + y * row, row, type_, slots);
            if (is_of_squares_) square(type_, from, row, slots);
        }
        return to;
    }

    const table_plan& plan_;
    const array_input& in_;
    array_output& out_;
    dtype type_;
    bool is_of_squares_;
    std::vector<std::byte> above_;  // the last row that was summed
};

}  // namespace

void write_tables(const table_plan& plan, const array_input& in, array_output& out,
                  array_output* out_of_squares, progress& bar) {
    std::vector<area_table> tables{{plan, in, out, false}};
    if (out_of_squares != nullptr) tables.push_back({plan, in, *out_of_squares, true});
    const area_table& any = tables.front();
    const std::size_t images = plan.shape.images;
    const std::size_t height = plan.shape.height;
    const std::size_t row = plan.shape.width * plan.shape.channels;
    if (images == 0 || any.image_rows() * any.row_items() == 0) return;

    const auto told = [&](std::size_t rows) {
        bar.advance(rows * (row * in.item_bytes() + any.row_bytes() * tables.size()));
    };
    const std::size_t most_rows =
        window_items(plan.where.window_bytes, any.row_bytes(),
                     is_float(out.type()) ? strip_rows(plan.where.on()) : 1);
    if (any.image_rows() <= most_rows) {
        const std::size_t most = most_rows / any.image_rows();
        for (std::size_t k = 0; k < images; k += most) {
            const std::size_t count = std::min(most, images - k);
            in.fetch(k * height * row, count * height * row);
            for (area_table& each : tables) each.put_images(k, count);
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
            for (area_table& each : tables) each.put_strip({k, first, rows});
            told(rows);
        }
    }
}

}  // namespace lookback::cli
