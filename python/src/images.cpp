/// \file
/// Images in lookback._core: summed-area tables, box filters.
#include "table/images.hpp"

#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"

namespace lookback::python {
namespace {

using table::dtype;

// Sums in place, in rows of `pitch` pixels, from pixel `first` on.
void summed_area(nb::handle table, std::size_t images, std::size_t height, std::size_t width,
                 std::size_t pitch, std::size_t first, std::size_t channels) {
    const array to(table, "out", true);
    if (images * height * width == 0) return;
    if (table::size_of(to.type()) < 4) throw nb::type_error("lookback: tables of narrow numbers");
    const std::size_t last = images * height * pitch;  // pixels of all rows
    to.expect("out", (first + last - pitch + width) * channels, to.type());
    auto* const at = static_cast<char*>(to.data()) + first * channels * table::size_of(to.type());
    const without_gil released(to.bytes());
    table::sum_area({.threads = threads()}, to.type(), at, {height, width, images, pitch, pitch},
                    channels, at, nullptr);
}

void box_filter(nb::handle x, nb::handle out, std::size_t images, std::size_t height,
                std::size_t width, std::size_t channels, std::int64_t radius, int border) {
    const array in(x, "x");
    const array to(out, "out", true);
    const std::size_t items = images * height * width * channels;
    in.expect("x", items, in.type());
    to.expect("out", items, in.type());
    const bool is_known =
        in.type() == dtype::uint8 || in.type() == dtype::uint16 || table::is_float(in.type());
    if (!is_known) throw nb::type_error("lookback: no filter of this type");
    const without_gil released(in.bytes());
    table::box_filter(in.type(), in.data(), {height, width, images}, channels, radius,
                      static_cast<image_border>(border), to.data(), threads());
}

}  // namespace

void add_images(nb::module_& m) {
    m.def("summed_area", &summed_area, nb::arg("out"), nb::arg("images"), nb::arg("height"),
          nb::arg("width"), nb::arg("pitch"), nb::arg("first"), nb::arg("channels"));
    m.def("box_filter", &box_filter, nb::arg("x"), nb::arg("out"), nb::arg("images"),
          nb::arg("height"), nb::arg("width"), nb::arg("channels"), nb::arg("radius"),
          nb::arg("border"));
}

}  // namespace lookback::python
