/// \file
/// Sorts of lookback._core.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"

namespace lookback::python {
namespace {

using table::dtype;

void sort(nb::handle x, nb::handle out, std::size_t rows, std::size_t width, bool is_descending) {
    const array in(x, "x");
    const array to(out, "out", true);
    in.expect("x", rows * width, in.type());
    to.expect("out", rows * width, in.type());
    if (rows * width == 0) return;
    const without_gil released(in.bytes());
    table::sort_rows(in.type(), in.data(), rows, width, to.data(), is_descending, threads());
}

void argsort(nb::handle x, nb::handle out, std::size_t rows, std::size_t width,
             bool is_descending) {
    const array in(x, "x");
    const array to(out, "out", true);
    in.expect("x", rows * width, in.type());
    to.expect("out", rows * width, dtype::int64);
    if (rows * width == 0) return;
    const without_gil released(in.bytes());
    table::sort_order_rows(in.type(), in.data(), rows, width, static_cast<std::int64_t*>(to.data()),
                           is_descending, threads());
}

void sort_pairs(nb::handle keys, nb::handle values, nb::handle out, nb::handle values_out,
                bool is_descending) {
    const array in(keys, "keys");
    const array along(values, "values");
    const array to(out, "out", true);
    const array along_to(values_out, "values_out", true);
    along.expect("values", in.items(), along.type());
    to.expect("out", in.items(), in.type());
    along_to.expect("values_out", in.items(), along.type());
    if (in.items() == 0) return;
    const without_gil released(in.bytes());
    table::sort_pairs(in.type(), in.data(), along.type(), along.data(), in.items(), to.data(),
                      along_to.data(), is_descending, threads());
}

}  // namespace

void add_sorting(nb::module_& m) {
    m.def("sort", &sort, nb::arg("x"), nb::arg("out"), nb::arg("rows"), nb::arg("width"),
          nb::arg("descending"));
    m.def("argsort", &argsort, nb::arg("x"), nb::arg("out"), nb::arg("rows"), nb::arg("width"),
          nb::arg("descending"));
    m.def("sort_pairs", &sort_pairs, nb::arg("keys"), nb::arg("values"), nb::arg("out"),
          nb::arg("values_out"), nb::arg("descending"));
}

}  // namespace lookback::python
