#include "tensors.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>

#include "dlpack.hpp"

namespace lookback::python {

using on_device::item_type;
using on_device::operation;

operation operation_at(int number) {
    if (number < 0 || number >= on_device::operations) {
        throw nb::value_error("lookback: no such operation on a GPU");
    }
    return static_cast<operation>(number);
}

namespace {

std::optional<item_type> type_of(const dlpack::data_type& type) {
    if (type.lanes != 1) return std::nullopt;
    if (type.bits != 8 && type.bits != 16 && type.bits != 32 && type.bits != 64) {
        return std::nullopt;
    }
    const int log2 = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    switch (type.code) {
        case 0: return static_cast<item_type>(log2);
        case 1: return static_cast<item_type>(4 + log2);
        case 2:
            if (type.bits == 16) return item_type::float16;
            if (type.bits == 32) return item_type::float32;
            if (type.bits == 64) return item_type::float64;
            return std::nullopt;
        case 4:
            if (type.bits == 16) return item_type::bfloat16;
            return std::nullopt;
        case 6:  // bytes, 0 or 1
            if (type.bits == 8) return item_type::uint8;
            return std::nullopt;
        default: return std::nullopt;
    }
}

// DLPack's functions for the object's class, or null. They are looked up once for each class of
// tensors; there are few such classes, and they are never freed.
const dlpack::exchange* exchange_of(nb::handle object) {
    struct known_class {
        PyTypeObject* type;
        const dlpack::exchange* exchange;
    };
    static known_class known[8] = {};
    static std::size_t classes = 0;
    static nb::ft_mutex looking;  // does nothing unless Python has no global lock
    const nb::ft_lock_guard one_at_a_time(looking);
    PyTypeObject* const its = Py_TYPE(object.ptr());
    for (const known_class& one : known) {
        if (one.type == its) return one.exchange;
    }
    const nb::handle type(reinterpret_cast<PyObject*>(its));
    const dlpack::exchange* found = nullptr;
    // Only the class's own attribute counts: a class that inherits it (as PyTorch's fake tensors
    // do) may mean something else by its data.
    const nb::object own = type.attr("__dict__");
    for (const char* name : {"__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"}) {
        if (!nb::cast<bool>(own.attr("__contains__")(name))) continue;
        const nb::object capsule = own[name];
        if (PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api") == 0) continue;
        found = static_cast<const dlpack::exchange*>(
            PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
        if (found->version.major == 1 && found->allocate != nullptr &&
            found->managed_to_object != nullptr && found->tensor_from_object != nullptr &&
            found->current_stream != nullptr) {
            break;
        }
        found = nullptr;
    }
    if (found == nullptr) return nullptr;
    type.inc_ref();  // so that no other class gets its address
    known[classes++ % std::size(known)] = {its, found};
    return found;
}

bool is_in_c_order(const dlpack::tensor& x) {
    if (x.strides == nullptr) return true;
    std::int64_t step = 1;
    for (int d = x.ndim - 1; d >= 0; --d) {
        if (x.shape[d] != 1 && x.strides[d] != step) return false;
        step *= x.shape[d];
    }
    return true;
}

void* first_of(const dlpack::tensor& x) { return static_cast<char*>(x.data) + x.byte_offset; }

// Reads the tensor into `x`. Returns whether it lies on a GPU, in C order, and needs no gradient.
bool can_walk(const dlpack::exchange& api, nb::handle object, dlpack::tensor& x) {
    if (nb::cast<bool>(nb::getattr(object, "requires_grad", nb::bool_(false)))) return false;
    if (api.tensor_from_object(object.ptr(), &x) != 0) {
        PyErr_Clear();
        return false;
    }
    if (x.device.type != dlpack::cuda || !is_in_c_order(x)) return false;
    // PyTorch may leave it to the reader to negate a tensor's numbers.
    const bool is_float = x.dtype.code == 2 || x.dtype.code == 4;
    const nb::object is_negated = is_float ? nb::getattr(object, "is_neg", nb::none()) : nb::none();
    return is_negated.is_none() || !nb::cast<bool>(is_negated());
}

void raise(void* /*context*/, const char* /*kind*/, const char* message) {
    PyErr_SetString(PyExc_RuntimeError, message);
}

}  // namespace

nb::object scan_tensor(nb::handle object, int op_number, nb::handle axis, nb::handle given,
                       bool keeps_type) {
    const dlpack::exchange* const api = exchange_of(object);
    if (api == nullptr) return nb::none();
    dlpack::tensor x{};
    if (!can_walk(*api, object, x) || x.ndim == 0) return nb::none();
    const auto in = type_of(x.dtype);
    const operation op = operation_at(op_number);
    const bool is_bool = x.dtype.code == 6;
    const bool is_arithmetic = op == operation::sum || op == operation::product;
    if (!in) return nb::none();

    // Sums and products of narrow integers are 64 bits wide, unless they keep their type.
    item_type out = *in;
    dlpack::data_type made = x.dtype;
    if (!keeps_type && is_arithmetic && (x.dtype.code < 2 || is_bool) && x.dtype.bits < 64) {
        const bool is_signed = x.dtype.code != 1;
        out = is_signed ? item_type::int64 : item_type::uint64;
        made = {static_cast<std::uint8_t>(is_signed ? 0 : 1), 64, 1};
    }
    if (!on_device::can_scan(*in, op, out)) return nb::none();

    std::int64_t along = 0;
    if (axis.is_none()) {
        if (x.ndim != 1) return nb::none();
    } else {
        if (!PyLong_Check(axis.ptr())) return nb::none();
        along = nb::cast<std::int64_t>(axis);
        if (along < -x.ndim || along >= x.ndim) return nb::none();
        if (along < 0) along += x.ndim;
    }
    axis_extents extents{1, static_cast<std::size_t>(x.shape[along]), 1};
    for (int d = 0; d < along; ++d) extents.outer *= static_cast<std::size_t>(x.shape[d]);
    for (int d = static_cast<int>(along) + 1; d < x.ndim; ++d) {
        extents.inner *= static_cast<std::size_t>(x.shape[d]);
    }

    void* stream = nullptr;
    if (api->current_stream(x.device.type, x.device.id, &stream) != 0) nb::raise_python_error();
    const auto scan = [&](const dlpack::tensor& to) {
        if (extents.outer * extents.length * extents.inner == 0) return;
        const nb::gil_scoped_release released;
        on_device::scan_axis({x.device.id, stream}, *in, op, first_of(x), extents, out,
                             first_of(to));
    };
    if (!given.is_none()) {
        dlpack::tensor to{};
        if (exchange_of(given) != api || !can_walk(*api, given, to)) return nb::none();
        const bool fits = to.device.id == x.device.id && to.ndim == x.ndim &&
                          std::equal(x.shape, x.shape + x.ndim, to.shape) &&
                          to.dtype.code == made.code && to.dtype.bits == made.bits &&
                          to.dtype.lanes == 1;
        if (!fits) return nb::none();
        scan(to);
        return nb::borrow(given);
    }
    dlpack::tensor like = x;
    like.data = nullptr;
    like.dtype = made;
    like.strides = nullptr;
    like.byte_offset = 0;
    dlpack::managed_tensor* result = nullptr;
    if (api->allocate(&like, &result, nullptr, raise) != 0) nb::raise_python_error();
    try {
        scan(result->tensor);
    } catch (...) {
        if (result->deleter != nullptr) result->deleter(result);
        throw;
    }
    void* made_object = nullptr;
    if (api->managed_to_object(result, &made_object) != 0) nb::raise_python_error();
    return nb::steal(static_cast<PyObject*>(made_object));
}

}  // namespace lookback::python
