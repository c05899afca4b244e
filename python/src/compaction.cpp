/// \file
/// The functions of lookback._core that keep items: selections, partitions, runs.
#include "functions.hpp"
#include "numpy_array.hpp"
#include "table/arrays.hpp"
#include "table/table.hpp"

namespace lookback::python {
namespace {

using table::dtype;

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

// Selects the numbers from ends[0] to ends[1], both included.
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

}  // namespace

void add_compactions(nb::module_& m) {
    m.def("select_flagged", &select_flagged, nb::arg("x"), nb::arg("mask"), nb::arg("inverted"),
          nb::arg("out"));
    m.def("select_between", &select_between, nb::arg("x"), nb::arg("ends"), nb::arg("out"));
    m.def("partition_between", &partition_between, nb::arg("x"), nb::arg("ends"), nb::arg("out"),
          nb::arg("rest"));
    m.def("unique", &unique, nb::arg("x"), nb::arg("out"));
    m.def("run_length_encode", &run_length_encode, nb::arg("x"), nb::arg("out"),
          nb::arg("lengths"));
}

}  // namespace lookback::python
