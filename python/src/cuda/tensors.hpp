/// \file
/// The short way for plain scans of tensors: without Python, by the functions that their class has
/// for it.
#pragma once

#include <nanobind/nanobind.h>

#include "table/device/device_arrays.hpp"

namespace lookback::python {

namespace nb = nanobind;

on_device::operation operation_at(int number);

/// The scan of `x` along an axis, into `out` if that is not None, where its class has DLPack's
/// table of functions, and both can be walked as they lie by a kernel that there is. Elsewhere
/// None: the package's Python code knows what to do.
nb::object scan_tensor(nb::handle x, int op, nb::handle axis, nb::handle out);

}  // namespace lookback::python
