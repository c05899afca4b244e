/// \file
/// The short way for plain scans of tensors: without Python code, by the C functions that the
/// tensor's class has for that.
#pragma once

#include <nanobind/nanobind.h>

#include "table/device/device_arrays.hpp"

namespace lookback::python {

namespace nb = nanobind;

on_device::operation operation_at(int number);

/// The scan of `x` along an axis, into `out` if that is not None. Sums and products of narrow
/// integers are widened unless `keeps_type`. Returns None, so that the package's Python code does
/// the scan, unless the class has DLPack's table of functions, a kernel exists, and `x` and `out`
/// are in C order.
nb::object scan_tensor(nb::handle x, int op, nb::handle axis, nb::handle out, bool keeps_type);

}  // namespace lookback::python
