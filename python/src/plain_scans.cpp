/// \file
/// A short way for the most common scans, those of NumPy arrays: for a small array, the package's
/// Python code would take longer than the scan. Calls that are not handled here go to that code;
/// nothing is refused here.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;
using table::operation;

struct descriptor_of_type {
    int type_num;
    dtype type;
};

// The type of the results: the requested type, or a wider integer for sums and products of narrow
// ones. Nothing if the Python code has to decide.
std::optional<descriptor_of_type> result_type(int from, nb::handle asked, operation op) {
    const auto type = dtype_of(from);
    if (!type) return std::nullopt;
    const bool is_arithmetic = op == operation::sum || op == operation::product;
    descriptor_of_type result{from, *type};
    if (!asked.is_none()) {
        PyArray_Descr* descriptor = nullptr;
        if (PyArray_DescrConverter(asked.ptr(), &descriptor) == 0) {
            PyErr_Clear();
            return std::nullopt;
        }
        const nb::object owned = nb::steal(reinterpret_cast<PyObject*>(descriptor));
        const auto known = dtype_of(descriptor->type_num);
        if (!known || !PyArray_ISNBO(descriptor->byteorder)) return std::nullopt;
        result = {descriptor->type_num, *known};
    } else if (is_arithmetic && table::size_of(*type) < 8 && !table::is_float(*type)) {
        const bool is_signed = from == NPY_BOOL || table::is_signed_integer(*type);
        result = is_signed ? descriptor_of_type{NPY_INT64, dtype::int64}
                           : descriptor_of_type{NPY_UINT64, dtype::uint64};
    }
    if (is_arithmetic && result.type_num == NPY_BOOL) return std::nullopt;
    return result;
}

// A new array with the shape of another one.
nb::object make_like(PyArrayObject* in, int type_num) {
    nb::object made = nb::steal(PyArray_NewFromDescr(&PyArray_Type, PyArray_DescrFromType(type_num),
                                                     PyArray_NDIM(in), PyArray_DIMS(in), nullptr,
                                                     nullptr, 0, nullptr));
    if (!made.is_valid()) nb::raise_python_error();
    return made;
}

// Whether the results of `in`, which is in C order, may be written to the caller's array.
bool can_hold(nb::handle object, PyArrayObject* in, int type_num) {
    if (!PyArray_CheckExact(object.ptr())) return false;
    auto* const out = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!PyArray_ISCARRAY(out) || !PyArray_EquivTypenums(PyArray_TYPE(out), type_num) ||
        !PyArray_SAMESHAPE(in, out)) {
        return false;
    }
    const char* const from = PyArray_BYTES(in);
    const char* const to = PyArray_BYTES(out);
    if (from == to) return PyArray_EquivTypenums(PyArray_TYPE(in), type_num);
    return from + PyArray_NBYTES(in) <= to || to + PyArray_NBYTES(out) <= from;
}

struct axis_of_array {
    std::size_t outer = 1, length = 1, inner = 1;
};

std::optional<axis_of_array> find_axis(PyArrayObject* in, nb::handle object) {
    const int dimensions = PyArray_NDIM(in);
    long axis = 0;
    if (!object.is_none()) {
        if (!PyLong_CheckExact(object.ptr())) return std::nullopt;
        int is_wide = 0;
        axis = PyLong_AsLongAndOverflow(object.ptr(), &is_wide);
        if (is_wide != 0 || axis < -dimensions || axis >= dimensions) return std::nullopt;
        if (axis < 0) axis += dimensions;
    } else if (dimensions != 1) {
        return std::nullopt;
    }
    axis_of_array result;
    for (int k = 0; k < dimensions; ++k) {
        (k < axis    ? result.outer
         : k == axis ? result.length
                     : result.inner) *= static_cast<std::size_t>(PyArray_DIM(in, k));
    }
    return result;
}

// The sum, product, minimum or maximum up to each item along an axis: as a new array, or as `out`.
// Returns None if the package's Python code has to do the scan.
nb::object scan_plain(nb::handle x, int op_number, nb::handle axis, nb::handle asked,
                      nb::handle out) {
    if (!PyArray_CheckExact(x.ptr())) return nb::none();
    auto* const in = reinterpret_cast<PyArrayObject*>(x.ptr());
    const operation op = operation_of(op_number);
    const auto extents = find_axis(in, axis);
    const auto result = result_type(PyArray_TYPE(in), asked, op);
    if (!extents || !result || table::is_bitwise(op)) return nb::none();
    const bool is_walked = PyArray_ISCARRAY_RO(in);
    const bool is_other_order = !is_walked && PyArray_IS_F_CONTIGUOUS(in) && PyArray_NDIM(in) > 1;
    if (is_other_order || (!out.is_none() && !is_walked)) return nb::none();
    if (!out.is_none() && !can_hold(out, in, result->type_num)) return nb::none();
    const nb::object made =
        out.is_none() ? make_like(in, result->type_num) : nb::borrow<nb::object>(out);
    const auto items = static_cast<std::size_t>(PyArray_SIZE(in));
    if (items == 0) return made;

    auto* const results = reinterpret_cast<PyArrayObject*>(made.ptr());
    const dtype from = *dtype_of(PyArray_TYPE(in));
    const bool is_line = PyArray_NDIM(in) == 1;
    const bool is_summed_wide =
        is_walked && is_line && op == operation::sum && table::can_sum_in(from, result->type);
    const bool is_same = PyArray_EquivTypenums(PyArray_TYPE(in), result->type_num);
    const void* items_at = PyArray_DATA(in);
    void* const to = PyArray_DATA(results);
    if (!is_summed_wide && !(is_walked && is_same)) {  // converted into the place of the results
        if (PyArray_CopyInto(results, in) < 0) nb::raise_python_error();
        items_at = to;
    }
    const without_gil released(items * table::size_of(result->type));
    if (is_summed_wide) {
        table::sum_in(from, items_at, items, result->type, to, threads());
    } else if (is_line) {
        table::scan(result->type, op, false, items_at, items, to, std::nullopt, threads());
    } else {
        table::scan_axis(result->type, op, items_at,
                         {extents->outer, extents->length, extents->inner}, to, threads());
    }
    return made;
}

}  // namespace

void add_plain_scans(nb::module_& m) {
    m.def("scan_plain", &scan_plain, nb::arg("x").none(), nb::arg("op"), nb::arg("axis").none(),
          nb::arg("dtype").none(), nb::arg("out").none());
}

}  // namespace lookback::python
