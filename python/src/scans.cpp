/// \file
/// Scans and linear recurrences of lookback._core.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;
using table::operation;

void scan(nb::handle x, nb::handle out, int op, bool is_backward, nb::handle seed) {
    const array in(x, "x");
    const array to(out, "out", true);
    to.expect("out", in.items(), in.type());
    if (in.items() == 0) return;
    const auto first = seed_of(seed, in.type());
    const without_gil released(in.bytes());
    table::scan(in.type(), operation_of(op), is_backward, in.data(), in.items(), to.data(), first,
                threads());
}

void scan_axis(nb::handle x, nb::handle out, int op_number, std::size_t outer, std::size_t length,
               std::size_t inner) {
    const array in(x, "x");
    const array to(out, "out", true);
    const operation op = operation_of(op_number);
    const std::size_t items = outer * length * inner;
    in.expect("x", items, in.type());
    to.expect("out", items, in.type());
    if (items == 0) return;
    const without_gil released(in.bytes());
    if (!table::is_bitwise(op)) {
        table::scan_axis(in.type(), op, in.data(), {outer, length, inner}, to.data(), threads());
        return;
    }
    if (inner != 1) throw nb::value_error("lookback: bitwise scans are of rows");
    const std::size_t row_bytes = length * table::size_of(in.type());
    for (std::size_t row = 0; row < outer; ++row) {
        table::scan(in.type(), op, false, static_cast<const char*>(in.data()) + row * row_bytes,
                    length, static_cast<char*>(to.data()) + row * row_bytes, std::nullopt,
                    threads());
    }
}

bool sum_in(nb::handle x, nb::handle out) {
    const array in(x, "x");
    const array to(out, "out", true);
    if (!table::can_sum_in(in.type(), to.type())) return false;
    to.expect("out", in.items(), to.type());
    if (in.items() == 0) return true;
    const without_gil released(in.bytes());
    table::sum_in(in.type(), in.data(), in.items(), to.type(), to.data(), threads());
    return true;
}

// Numbers are of the arrays' type, or pairs of those: complex.
void linear_recurrence(nb::handle a, nb::handle x, nb::handle starts, nb::handle y,
                       std::size_t rows, std::size_t length, std::size_t a_step, std::size_t a_row,
                       bool is_complex) {
    const array in(x, "x");
    const array factors(a, "a");
    const array to(y, "out", true);
    const std::size_t parts = is_complex ? 2 : 1;
    const std::size_t items = rows * length;
    in.expect("x", items * parts, in.type());
    to.expect("out", items * parts, in.type());
    if (items == 0) return;
    factors.expect("a", (1 + (rows - 1) * a_row + (length - 1) * a_step) * parts, in.type());
    const void* first = nullptr;
    if (!starts.is_none()) {
        const array given(starts, "init");
        given.expect("init", rows * parts, in.type());
        first = given.data();
    }
    const without_gil released(in.bytes());
    table::linear_recurrence(in.type(), is_complex, factors.data(), in.data(), first,
                             {rows, length, a_step, a_row}, to.data(), threads());
}

// Of complex numbers, as their parts.
void multiply_complex(nb::handle x, nb::handle out, std::size_t outer, std::size_t length,
                      std::size_t inner) {
    const array in(x, "x");
    const array to(out, "out", true);
    const std::size_t items = outer * length * inner;
    in.expect("x", 2 * items, in.type());
    to.expect("out", 2 * items, in.type());
    if (items == 0) return;
    const without_gil released(in.bytes());
    table::multiply_complex(in.type(), in.data(), {outer, length, inner}, to.data(), threads());
}

}  // namespace

void add_scans(nb::module_& m) {
    m.def("scan", &scan, nb::arg("x"), nb::arg("out"), nb::arg("op"), nb::arg("backward"),
          nb::arg("seed").none());
    m.def("scan_axis", &scan_axis, nb::arg("x"), nb::arg("out"), nb::arg("op"), nb::arg("outer"),
          nb::arg("length"), nb::arg("inner"));
    m.def("sum_in", &sum_in, nb::arg("x"), nb::arg("out"));
    m.def("linear_recurrence", &linear_recurrence, nb::arg("a"), nb::arg("x"),
          nb::arg("starts").none(), nb::arg("out"), nb::arg("rows"), nb::arg("length"),
          nb::arg("a_step"), nb::arg("a_row"), nb::arg("complex"));
    m.def("multiply_complex", &multiply_complex, nb::arg("x"), nb::arg("out"), nb::arg("outer"),
          nb::arg("length"), nb::arg("inner"));
}

}  // namespace lookback::python
