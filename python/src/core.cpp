/// \file
/// The module lookback._core: its functions (functions.hpp), and how many threads they may use.
#define LOOKBACK_IMPORTS_NUMPY
#include <nanobind/nanobind.h>

#include <atomic>

#include "functions.hpp"
#include "lookback/version.hpp"
#include "numpy_array.hpp"

namespace lookback::python {
namespace {

constexpr const char* set_threads_help = R"(How many threads later calls may use.

Results do not depend on it.

Parameters
----------
number : int
    0, as in the beginning, for all cores.

Examples
--------
>>> import lookback as lb
>>> lb.set_num_threads(2)
>>> lb.get_num_threads()
2
>>> lb.set_num_threads(0))";

constexpr const char* get_threads_help = R"(How many threads calls may use, 0 for all cores.

Examples
--------
>>> import lookback as lb
>>> lb.get_num_threads()
0)";

std::atomic<int> most_threads{0};

void set_threads(int number) {
    if (number < 0) {
        throw nb::value_error(
            "lookback: the number of threads is negative; expected 0 for all cores, or more");
    }
    most_threads.store(number, std::memory_order_relaxed);
}

int import_numpy() {
    import_array1(-1);
    return 0;
}

}  // namespace

int threads() { return most_threads.load(std::memory_order_relaxed); }

table::operation operation_of(int number) {
    if (number < 0 || number > static_cast<int>(table::operation::bit_xor)) {
        throw nb::value_error("lookback: no such operation");
    }
    return static_cast<table::operation>(number);
}

std::optional<table::scalar> seed_of(nb::handle object, table::dtype type) {
    if (object.is_none()) return std::nullopt;
    const array one(object, "init");
    one.expect("init", 1, type);
    return table::scalar(type, one.data());
}

}  // namespace lookback::python

NB_MODULE(_core, m) {
    using namespace lookback::python;
    if (import_numpy() < 0) nb::raise_python_error();
    m.attr("version") = lookback::version;
    add_scans(m);
    add_plain_scans(m);
    add_segments(m);
    add_compactions(m);
    add_sorting(m);
    add_images(m);
    add_windows(m);
#ifdef LOOKBACK_JAX
    add_jax_handlers(m);
#endif
    m.def("set_num_threads", &set_threads, nb::arg("number"), set_threads_help);
    m.def("get_num_threads", &threads, get_threads_help);
}
