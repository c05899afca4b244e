/// \file
/// The functions of the module lookback._core, family by family, and what they share. They are the
/// table's functions on NumPy arrays, which the package's Python code has prepared.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::python {

namespace nb = nanobind;

void add_scans(nb::module_& m);
void add_plain_scans(nb::module_& m);
void add_segments(nb::module_& m);
void add_compactions(nb::module_& m);
void add_sorting(nb::module_& m);
void add_images(nb::module_& m);
void add_windows(nb::module_& m);
void add_jax_handlers(nb::module_& m);  ///< if LOOKBACK_JAX is defined

/// The threads that calls may use; 0: all cores.
int threads();
inline table::machine here() { return {.threads = threads()}; }

table::operation operation_of(int number);

/// A seed is an array of one item.
std::optional<table::scalar> seed_of(nb::handle object, table::dtype type);

}  // namespace lookback::python
