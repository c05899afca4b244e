/// \file
/// NumPy arrays as the table takes them: numbers in C order, in the machine's byte order, aligned.
///
/// Arrays are read and made by NumPy's own C interface. This takes about 10 ns for an array; the
/// buffer protocol or DLPack would take a few hundred.
#pragma once

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL lookback_numpy_interface
#ifndef LOOKBACK_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <nanobind/nanobind.h>
#include <numpy/arrayobject.h>

#include <cstddef>
#include <optional>
#include <string>

#include "table/numbers.hpp"

namespace lookback::python {

namespace nb = nanobind;

/// The type of the numbers for NumPy's type_num. Bools are uint8.
inline std::optional<table::dtype> dtype_of(int type_num) {
    using table::dtype;
    switch (type_num) {
        case NPY_BOOL: return dtype::uint8;
        case NPY_BYTE: return dtype::int8;
        case NPY_UBYTE: return dtype::uint8;
        case NPY_SHORT: return dtype::int16;
        case NPY_USHORT: return dtype::uint16;
        case NPY_INT: return dtype::int32;
        case NPY_UINT: return dtype::uint32;
        case NPY_LONG: return sizeof(long) == 8 ? dtype::int64 : dtype::int32;
        case NPY_ULONG: return sizeof(long) == 8 ? dtype::uint64 : dtype::uint32;
        case NPY_LONGLONG: return dtype::int64;
        case NPY_ULONGLONG: return dtype::uint64;
        case NPY_FLOAT: return dtype::float32;
        case NPY_DOUBLE: return dtype::float64;
        default: return std::nullopt;
    }
}

/// An array that a function of this module is called with. The package's Python code has made it
/// one of the right kind. This is checked again, because a wrong one could damage memory.
class array {
 public:
    array(nb::handle object, const char* name, bool is_written = false) {
        if (!PyArray_Check(object.ptr())) refuse(name, "a NumPy array");
        array_ = reinterpret_cast<PyArrayObject*>(object.ptr());
        if (!PyArray_IS_C_CONTIGUOUS(array_) || !PyArray_ISALIGNED(array_) ||
            !PyArray_ISNOTSWAPPED(array_)) {
            refuse(name, "an array in C order, aligned, in native byte order");
        }
        if (is_written && !PyArray_ISWRITEABLE(array_)) refuse(name, "an array to write to");
        const auto type = dtype_of(PyArray_TYPE(array_));
        if (!type) refuse(name, "an array of numbers");
        type_ = *type;
    }

    void* data() const { return PyArray_DATA(array_); }
    template <class T>
    T* as(const char* name) const {
        if (type_ != table::dtype_of<T>()) refuse(name, table::name(table::dtype_of<T>()).data());
        return static_cast<T*>(data());
    }
    std::size_t items() const { return static_cast<std::size_t>(PyArray_SIZE(array_)); }
    std::size_t bytes() const { return items() * table::size_of(type_); }
    table::dtype type() const { return type_; }

    /// Checks that there is room for `items_` items, and that they have this type.
    void expect(const char* name, std::size_t items_, table::dtype type) const {
        if (items() < items_ || type_ != type) {
            refuse(
                name,
                (std::to_string(items_) + " items of " + std::string(table::name(type))).c_str());
        }
    }

 private:
    [[noreturn]] static void refuse(const char* name, const char* expected) {
        throw nb::type_error((std::string("lookback: ") + name + ": expected " + expected).c_str());
    }

    PyArrayObject* array_;
    table::dtype type_;
};

/// Releases Python's global lock for a call on many bytes. For a short call, that would cost more
/// than it gains.
class without_gil {
 public:
    explicit without_gil(std::size_t bytes) {
        if (bytes >= std::size_t{1} << 15) released_.emplace();
    }

 private:
    std::optional<nb::gil_scoped_release> released_;
};

}  // namespace lookback::python
