/// \file
/// Segments in lookback._core: where they begin, their scans and their folds.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/segment_folds.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;
using table::scalar;

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

// Checks the offsets of segments of `items` items.
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

// The folds of all segments, one for each head. `out` has room for one item more than x has.
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

}  // namespace

void add_segments(nb::module_& m) {
    m.def("find_heads", &find_heads, nb::arg("keys"), nb::arg("heads"));
    m.def("check_offsets", &check_offsets, nb::arg("offsets"), nb::arg("items"));
    m.def("heads_of_offsets", &heads_of_offsets, nb::arg("offsets"), nb::arg("heads"));
    m.def("fold_segments", &fold_segments, nb::arg("x"), nb::arg("offsets"), nb::arg("out"),
          nb::arg("op"));
    m.def("scan_segments", &scan_segments, nb::arg("x"), nb::arg("heads"), nb::arg("out"),
          nb::arg("op"), nb::arg("exclusive"), nb::arg("seed").none());
    m.def("reduce_segments", &reduce_segments, nb::arg("x"), nb::arg("heads"), nb::arg("out"),
          nb::arg("op"));
}

}  // namespace lookback::python
