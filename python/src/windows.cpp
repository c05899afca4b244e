/// \file
/// The functions with which the package's Python code scans files, window by window.
#include "functions.hpp"
#include "numpy_array.hpp"

namespace lookback::python {
namespace {

using table::dtype;

std::size_t scan_tile(nb::handle like) { return table::scan_tile(array(like, "like").type()); }

// Scans down the columns, row by row. `carry` is the row that came before; it is updated.
void scan_columns(nb::handle x, nb::handle out, nb::handle carry, bool has_carry, int op,
                  bool is_exclusive, std::size_t rows, std::size_t width) {
    const array in(x, "x");
    const array to(out, "out", true);
    const array before(carry, "carry", true);
    in.expect("x", rows * width, in.type());
    to.expect("out", rows * width, in.type());
    before.expect("carry", width, in.type());
    if (rows * width == 0) return;
    const table::operation operation = operation_of(op);
    if (table::is_bitwise(operation) && table::is_float(in.type())) {
        throw nb::type_error("lookback: no bitwise operation on floats");
    }
    const without_gil released(in.bytes());
    table::scan_columns(in.type(), operation, is_exclusive, false, in.data(), {rows, width},
                        to.data(), before.data(), has_carry);
}

}  // namespace

void add_windows(nb::module_& m) {
    m.def("scan_tile", &scan_tile, nb::arg("like"));
    m.def("scan_columns", &scan_columns, nb::arg("x"), nb::arg("out"), nb::arg("carry"),
          nb::arg("has_carry"), nb::arg("op"), nb::arg("exclusive"), nb::arg("rows"),
          nb::arg("width"));
}

}  // namespace lookback::python
