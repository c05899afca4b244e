/// \file
/// The module lookback._core: the table's functions on NumPy arrays that the package's Python code
/// has prepared, and a short way for the commonest calls.
#define LOOKBACK_IMPORTS_NUMPY
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <atomic>
#include <string_view>

#include "lookback/version.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/images.hpp"
#include "table/segment_folds.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;
using table::operation;
using table::scalar;

std::atomic<int> most_threads{0};
int threads() { return most_threads.load(std::memory_order_relaxed); }
table::machine here() { return {.threads = threads()}; }

operation operation_of(int number) {
    if (number < 0 || number > static_cast<int>(operation::bit_xor)) {
        throw nb::value_error("lookback: no such operation");
    }
    return static_cast<operation>(number);
}

// A seed is an array of one item.
std::optional<scalar> seed_of(nb::handle object, dtype type) {
    if (object.is_none()) return std::nullopt;
    const array one(object, "init");
    one.expect("init", 1, type);
    return scalar(type, one.data());
}

// ---- the short way

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

// ---- scans

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

void linear_recurrence(nb::handle a, nb::handle x, nb::handle starts, nb::handle y,
                       std::size_t rows, std::size_t length, std::size_t a_step,
                       std::size_t a_row) {
    const array in(x, "x");
    const array factors(a, "a");
    const array to(y, "out", true);
    const std::size_t items = rows * length;
    in.expect("x", items, in.type());
    to.expect("out", items, in.type());
    if (items == 0) return;
    factors.expect("a", 1 + (rows - 1) * a_row + (length - 1) * a_step, in.type());
    const void* first = nullptr;
    if (!starts.is_none()) {
        const array given(starts, "init");
        given.expect("init", rows, in.type());
        first = given.data();
    }
    const without_gil released(in.bytes());
    table::linear_recurrence(in.type(), factors.data(), in.data(), first,
                             {rows, length, a_step, a_row}, to.data(), threads());
}

// ---- segments

void find_heads(nb::handle keys, nb::handle heads) {
    const array in(keys, "keys");
    const array to(heads, "heads", true);
    to.expect("heads", in.items(), dtype::uint8);
    if (in.items() == 0) return;
    const without_gil released(in.bytes());
    table::find_heads(in.type(), in.data(), in.items(), std::nullopt,
                      static_cast<std::uint8_t*>(to.data()), threads());
    *static_cast<std::uint8_t*>(to.data()) = 1;
}

[[noreturn]] void refuse_offsets() {
    throw nb::value_error("lookback: offsets are empty; expected one more than there are segments");
}

// Checks the offsets of segments of so many items.
void check_offsets(nb::handle offsets, std::size_t items) {
    const array from(offsets, "offsets");
    if (from.items() == 0) refuse_offsets();
    table::check_offsets(from.as<std::int64_t>("offsets"), from.items() - 1, items);
}

void heads_of_offsets(nb::handle offsets, nb::handle heads) {
    const array from(offsets, "offsets");
    const array to(heads, "heads", true);
    check_offsets(offsets, to.items());
    const without_gil released(to.bytes());
    table::heads_of_offsets(from.as<std::int64_t>("offsets"), from.items() - 1, to.items(),
                            to.as<std::uint8_t>("heads"), threads());
}

void fold_segments(nb::handle x, nb::handle offsets, nb::handle out, int op) {
    const array in(x, "x");
    const array from(offsets, "offsets");
    const array to(out, "out", true);
    if (from.items() == 0) refuse_offsets();
    to.expect("out", from.items() - 1, in.type());
    const without_gil released(in.bytes() + from.bytes());
    table::reduce_offsets(in.type(), operation_of(op), in.data(), in.items(),
                          from.as<std::int64_t>("offsets"), from.items() - 1, to.data(), threads());
}

void scan_segments(nb::handle x, nb::handle heads, nb::handle out, int op, bool is_exclusive,
                   nb::handle seed) {
    const array in(x, "x");
    const array begin(heads, "heads");
    const array to(out, "out", true);
    begin.expect("heads", in.items(), dtype::uint8);
    to.expect("out", in.items(), in.type());
    if (in.items() == 0) return;
    const auto first = seed_of(seed, in.type());
    if (is_exclusive && !first) throw nb::value_error("lookback: no initial value");
    const without_gil released(in.bytes());
    std::optional<scalar> carry;
    table::scan_segments(here(), in.type(), operation_of(op), is_exclusive, in.data(), in.items(),
                         static_cast<const std::uint8_t*>(begin.data()), to.data(), first, carry);
}

// The folds of all segments, one for each head; `out` has room for one more than x has items.
std::size_t reduce_segments(nb::handle x, nb::handle heads, nb::handle out, int op) {
    const array in(x, "x");
    const array begin(heads, "heads");
    const array to(out, "out", true);
    begin.expect("heads", in.items(), dtype::uint8);
    to.expect("out", in.items() + 1, in.type());
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    std::optional<scalar> last;
    const std::size_t closed =
        table::reduce_segments(here(), in.type(), operation_of(op), in.data(), in.items(),
                               static_cast<const std::uint8_t*>(begin.data()), to.data(), last);
    last->put(in.type(), static_cast<char*>(to.data()) + closed * table::size_of(in.type()));
    return closed + 1;
}

// ---- what is kept

std::size_t select_flagged(nb::handle x, nb::handle mask, bool is_inverted, nb::handle out) {
    const array in(x, "x");
    const array flags(mask, "mask");
    const array to(out, "out", true);
    flags.expect("mask", in.items(), dtype::uint8);
    to.expect("out", in.items(), in.type());
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    return table::select_flagged(table::size_of(in.type()), in.data(), in.items(),
                                 static_cast<const std::uint8_t*>(flags.data()), is_inverted,
                                 to.data(), threads());
}

// Numbers from ends[0] to ends[1], both included.
std::size_t select_between(nb::handle x, nb::handle ends, nb::handle out) {
    const array in(x, "x");
    const array from_to(ends, "where");
    const array to(out, "out", true);
    from_to.expect("where", 2, in.type());
    to.expect("out", in.items(), in.type());
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    return table::select(here(), in.type(), in.data(), in.items(), to.data(),
                         {from_to.data(), 1, false});
}

std::size_t partition_between(nb::handle x, nb::handle ends, nb::handle out, nb::handle rest) {
    const array in(x, "x");
    const array from_to(ends, "where");
    const array to(out, "out", true);
    const array others(rest, "rest", true);
    from_to.expect("where", 2, in.type());
    to.expect("out", in.items(), in.type());
    others.expect("rest", in.items(), in.type());
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    return table::partition(here(), in.type(), in.data(), in.items(), to.data(), others.data(),
                            {from_to.data(), 1, false});
}

std::size_t unique(nb::handle x, nb::handle out) {
    const array in(x, "x");
    const array to(out, "out", true);
    to.expect("out", in.items(), in.type());
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    return table::unique(here(), in.type(), in.data(), in.items(), to.data());
}

std::size_t run_length_encode(nb::handle x, nb::handle out, nb::handle lengths) {
    const array in(x, "x");
    const array to(out, "out", true);
    const array counts(lengths, "lengths", true);
    to.expect("out", in.items(), in.type());
    counts.expect("lengths", in.items(), dtype::int64);
    if (in.items() == 0) return 0;
    const without_gil released(in.bytes());
    return table::run_length_encode(here(), in.type(), in.data(), in.items(), to.data(),
                                    static_cast<std::int64_t*>(counts.data()));
}

// ---- sorting

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

// ---- images

// In place, in rows of `pitch` pixels, from pixel `first` on.
void summed_area(nb::handle table, std::size_t images, std::size_t height, std::size_t width,
                 std::size_t pitch, std::size_t first, std::size_t channels) {
    const array to(table, "out", true);
    if (images * height * width == 0) return;
    if (table::size_of(to.type()) < 4) throw nb::type_error("lookback: tables of narrow numbers");
    const std::size_t last = images * height * pitch;  // of pixels, before the first one is added
    to.expect("out", (first + last - pitch + width) * channels, to.type());
    auto* const at = static_cast<char*>(to.data()) + first * channels * table::size_of(to.type());
    const without_gil released(to.bytes());
    table::sum_area(to.type(), at, {height, width, images, pitch, pitch}, channels, at, nullptr,
                    threads());
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

int import_numpy() {
    import_array1(-1);
    return 0;
}

}  // namespace
}  // namespace lookback::python

NB_MODULE(_core, m) {
    using namespace lookback::python;
    if (import_numpy() < 0) nb::raise_python_error();
    m.attr("version") = lookback::version;
    m.def("scan_plain", &scan_plain, nb::arg("x").none(), nb::arg("op"));
    m.def("scan", &scan, nb::arg("x"), nb::arg("out"), nb::arg("op"), nb::arg("backward"),
          nb::arg("seed").none());
    m.def("scan_axis", &scan_axis, nb::arg("x"), nb::arg("out"), nb::arg("op"), nb::arg("outer"),
          nb::arg("length"), nb::arg("inner"));
    m.def("sum_in", &sum_in, nb::arg("x"), nb::arg("out"));
    m.def("linear_recurrence", &linear_recurrence, nb::arg("a"), nb::arg("x"),
          nb::arg("starts").none(), nb::arg("out"), nb::arg("rows"), nb::arg("length"),
          nb::arg("a_step"), nb::arg("a_row"));
    m.def("find_heads", &find_heads, nb::arg("keys"), nb::arg("heads"));
    m.def("check_offsets", &check_offsets, nb::arg("offsets"), nb::arg("items"));
    m.def("fold_segments", &fold_segments, nb::arg("x"), nb::arg("offsets"), nb::arg("out"),
          nb::arg("op"));
    m.def("heads_of_offsets", &heads_of_offsets, nb::arg("offsets"), nb::arg("heads"));
    m.def("scan_segments", &scan_segments, nb::arg("x"), nb::arg("heads"), nb::arg("out"),
          nb::arg("op"), nb::arg("exclusive"), nb::arg("seed").none());
    m.def("reduce_segments", &reduce_segments, nb::arg("x"), nb::arg("heads"), nb::arg("out"),
          nb::arg("op"));
    m.def("select_flagged", &select_flagged, nb::arg("x"), nb::arg("mask"), nb::arg("inverted"),
          nb::arg("out"));
    m.def("select_between", &select_between, nb::arg("x"), nb::arg("ends"), nb::arg("out"));
    m.def("partition_between", &partition_between, nb::arg("x"), nb::arg("ends"), nb::arg("out"),
          nb::arg("rest"));
    m.def("unique", &unique, nb::arg("x"), nb::arg("out"));
    m.def("run_length_encode", &run_length_encode, nb::arg("x"), nb::arg("out"),
          nb::arg("lengths"));
    m.def("sort", &sort, nb::arg("x"), nb::arg("out"), nb::arg("rows"), nb::arg("width"),
          nb::arg("descending"));
    m.def("argsort", &argsort, nb::arg("x"), nb::arg("out"), nb::arg("rows"), nb::arg("width"),
          nb::arg("descending"));
    m.def("sort_pairs", &sort_pairs, nb::arg("keys"), nb::arg("values"), nb::arg("out"),
          nb::arg("values_out"), nb::arg("descending"));
    m.def("summed_area", &summed_area, nb::arg("out"), nb::arg("images"), nb::arg("height"),
          nb::arg("width"), nb::arg("pitch"), nb::arg("first"), nb::arg("channels"));
    m.def("box_filter", &box_filter, nb::arg("x"), nb::arg("out"), nb::arg("images"),
          nb::arg("height"), nb::arg("width"), nb::arg("channels"), nb::arg("radius"),
          nb::arg("border"));
    m.def(
        "set_num_threads",
        [](int number) {
            if (number < 0) {
                throw nb::value_error(
                    "lookback: the number of threads is negative; expected 0 for all "
                    "cores, or more");
            }
            most_threads.store(number, std::memory_order_relaxed);
        },
        nb::arg("number"));
    m.def("get_num_threads", &threads);
}
