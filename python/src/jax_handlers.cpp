/// \file
/// Scans and linear recurrences as handlers of XLA's foreign function interface, which compiled JAX
/// programs call (lookback/jax.py). Compiled only if the headers of jaxlib are there.
#include <nanobind/nanobind.h>

#include <cfenv>
#include <exception>
#include <string>

#include "functions.hpp"
#include "table/arrays.hpp"
#include "xla/ffi/api/ffi.h"

namespace lookback::python {
namespace {

namespace ffi = xla::ffi;
using table::dtype;

// The type of the numbers, or, for complex numbers, of their parts.
std::optional<dtype> type_of(const ffi::AnyBuffer& x) {
    switch (x.element_type()) {
        case ffi::DataType::PRED: return dtype::uint8;
        case ffi::DataType::S8: return dtype::int8;
        case ffi::DataType::S16: return dtype::int16;
        case ffi::DataType::S32: return dtype::int32;
        case ffi::DataType::S64: return dtype::int64;
        case ffi::DataType::U8: return dtype::uint8;
        case ffi::DataType::U16: return dtype::uint16;
        case ffi::DataType::U32: return dtype::uint32;
        case ffi::DataType::U64: return dtype::uint64;
        case ffi::DataType::F32:
        case ffi::DataType::C64: return dtype::float32;
        case ffi::DataType::F64:
        case ffi::DataType::C128: return dtype::float64;
        default: return std::nullopt;
    }
}

bool is_complex(const ffi::AnyBuffer& x) {
    return x.element_type() == ffi::DataType::C64 || x.element_type() == ffi::DataType::C128;
}

// An array as seen from an axis. The axis is counted from the last one, because JAX may add axes in
// front.
axis_extents extents_of(const ffi::AnyBuffer& x, std::int64_t behind) {
    axis_extents extents{1, 1, 1};
    const auto dimensions = x.dimensions();
    const std::size_t axis = dimensions.size() - 1 - static_cast<std::size_t>(behind);
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
        (k < axis    ? extents.outer
         : k == axis ? extents.length
                     : extents.inner) *= static_cast<std::size_t>(dimensions[k]);
    }
    return extents;
}

ffi::Error refuse(const std::string& why) {
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, "lookback: " + why);
}

// XLA's threads treat subnormal numbers as 0. The library's threads do not. The calling thread, one
// of XLA's, works with them, so it must not either: otherwise the bits would depend on which thread
// does what.
class usual_arithmetic {
 public:
    usual_arithmetic() {
        std::fegetenv(&before_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~usual_arithmetic() { std::fesetenv(&before_); }
    usual_arithmetic(const usual_arithmetic&) = delete;
    usual_arithmetic& operator=(const usual_arithmetic&) = delete;

 private:
    std::fenv_t before_;
};

template <class Body>
ffi::Error run(const Body& body) {
    const usual_arithmetic here;
    try {
        body();
        return ffi::Error::Success();
    } catch (const std::exception& error) {
        return ffi::Error(ffi::ErrorCode::kInternal, error.what());
    }
}

ffi::Error scan(ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> out, std::int64_t op,
                std::int64_t behind) {
    const auto type = type_of(x);
    if (!type || out->element_type() != x.element_type() ||
        out->element_count() != x.element_count()) {
        return refuse("scan: expected numbers, and as many results");
    }
    if (behind < 0 || behind >= static_cast<std::int64_t>(x.dimensions().size())) {
        return refuse("scan: no such axis");
    }
    if (x.element_count() == 0) return ffi::Error::Success();
    return run([&] {
        axis_extents extents = extents_of(x, behind);
        const table::operation operation = operation_of(static_cast<int>(op));
        if (is_complex(x) && operation == table::operation::product) {
            table::multiply_complex(*type, x.untyped_data(), extents, out->untyped_data(),
                                    threads());
            return;
        }
        if (is_complex(x)) extents.inner *= 2;
        table::scan_axis(*type, operation, x.untyped_data(), extents, out->untyped_data(),
                         threads());
    });
}

// Along the last axis, for arrays of one shape.
ffi::Error linear_recurrence(ffi::AnyBuffer a, ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> y) {
    const auto type = type_of(x);
    if (!type || !table::is_float(*type) || a.element_type() != x.element_type() ||
        y->element_type() != x.element_type() || a.element_count() != x.element_count() ||
        y->element_count() != x.element_count() || x.dimensions().size() == 0) {
        return refuse("linear_recurrence: expected arrays of floats of one shape");
    }
    if (x.element_count() == 0) return ffi::Error::Success();
    return run([&] {
        const axis_extents extents = extents_of(x, 0);
        table::linear_recurrence(*type, is_complex(x), a.untyped_data(), x.untyped_data(), nullptr,
                                 {extents.outer, extents.length, 1, extents.length},
                                 y->untyped_data(), threads());
    });
}

XLA_FFI_DEFINE_HANDLER(handle_scan, scan,
                       ffi::Ffi::Bind()
                           .Arg<ffi::AnyBuffer>()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<std::int64_t>("op")
                           .Attr<std::int64_t>("behind"));
XLA_FFI_DEFINE_HANDLER(
    handle_linear_recurrence, linear_recurrence,
    ffi::Ffi::Bind().Arg<ffi::AnyBuffer>().Arg<ffi::AnyBuffer>().Ret<ffi::AnyBuffer>());

template <class Handler>
nb::capsule capsule(Handler* handler) {
    return nb::capsule(reinterpret_cast<void*>(handler));
}

}  // namespace

void add_jax_handlers(nb::module_& m) {
    m.def("jax_handlers", [] {
        nb::dict handlers;
        handlers["lookback_scan"] = capsule(handle_scan);
        handlers["lookback_linear_recurrence"] = capsule(handle_linear_recurrence);
        return handlers;
    });
}

}  // namespace lookback::python
