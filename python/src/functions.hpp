/// \file
/// The functions of the module lookback._core, family by family: the table's on NumPy arrays that
/// the package's Python code has prepared; and what they share.
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
void add_kept(nb::module_& m);
void add_sorting(nb::module_& m);
void add_images(nb::module_& m);
void add_windows(nb::module_& m);
void add_jax_handlers(nb::module_& m);  ///< where LOOKBACK_JAX is defined

/// That calls may use; 0 for all cores.
int threads();
inline table::machine here() { return {.threads = threads()}; }

table::operation operation_of(int number);

/// A seed is an array of one item.
std::optional<table::scalar> seed_of(nb::handle object, table::dtype type);

}  // namespace lookback::python
