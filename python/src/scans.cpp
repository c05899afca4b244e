/// \file
/// Scans and linear recurrences of lookback._core, and a short way for the commonest calls.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;
using table::operation;

// The sum, product, minimum or maximum up to each item, where `object` is exactly a NumPy array of
// one dimension that can be walked as it lies, and its numbers need no other type than a wider one
// that there are sums in. Elsewhere None: the package's Python code knows what to do.
nb::object scan_plain(nb::handle object, int op_number) {
    if (!PyArray_CheckExact(object.ptr())) return nb::none();
    auto* const in = reinterpret_cast<PyArrayObject*>(object.ptr());
    const auto type = dtype_of(PyArray_TYPE(in));
    if (PyArray_NDIM(in) != 1 || !PyArray_ISCARRAY_RO(in) || !type) return nb::none();
    const operation op = operation_of(op_number);
    const bool is_arithmetic = op == operation::sum || op == operation::product;
    const bool is_widened = is_arithmetic && table::size_of(*type) < 8 && !table::is_float(*type);
    if (is_widened && op != operation::sum) return nb::none();
    const bool is_bool = PyArray_TYPE(in) == NPY_BOOL;

    const bool is_signed = is_bool || table::is_signed_integer(*type);
    PyArray_Descr* descriptor = PyArray_DESCR(in);
    if (is_widened) {
        descriptor = PyArray_DescrFromType(is_signed ? NPY_INT64 : NPY_UINT64);
    } else {
        Py_INCREF(reinterpret_cast<PyObject*>(descriptor));
    }
    const nb::object made = nb::steal(PyArray_NewFromDescr(
        &PyArray_Type, descriptor, 1, PyArray_DIMS(in), nullptr, nullptr, 0, nullptr));
    if (!made.is_valid()) nb::raise_python_error();
    const auto items = static_cast<std::size_t>(PyArray_SIZE(in));
    if (items == 0) return made;
    void* const out = PyArray_DATA(reinterpret_cast<PyArrayObject*>(made.ptr()));
    const void* const from = PyArray_DATA(in);
    {
        const without_gil released(items * table::size_of(*type));
        if (is_widened) {
            const dtype wide = is_signed ? dtype::int64 : dtype::uint64;
            table::sum_in(*type, from, items, wide, out, threads());
        } else {
            table::scan(*type, op, false, from, items, out, std::nullopt, threads());
        }
    }
    return made;
}

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
    m.def("scan_plain", &scan_plain, nb::arg("x").none(), nb::arg("op"));
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
