/// \file
/// The C structures of DLPack 1.3, and its table of functions that read and make a class's tensors
/// without Python code (`__dlpack_c_exchange_api__`). (Source: dlpack.h, the Array API's exchange
/// standard, https://dmlc.github.io/dlpack.)
#pragma once

#include <cstdint>

namespace lookback::python::dlpack {

struct device {
    std::int32_t type;  ///< 2: CUDA
    std::int32_t id;
};
inline constexpr std::int32_t cuda = 2;

struct data_type {
    std::uint8_t code;  ///< 0 int, 1 unsigned, 2 float, 4 bfloat, 6 bool
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct tensor {
    void* data;
    dlpack::device device;
    std::int32_t ndim;
    data_type dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in items; null means C order
    std::uint64_t byte_offset;
};

struct version {
    std::uint32_t major;
    std::uint32_t minor;
};

struct managed_tensor {
    dlpack::version version;
    void* manager;
    void (*deleter)(managed_tensor*);
    std::uint64_t flags;
    dlpack::tensor tensor;
};

struct exchange {
    dlpack::version version;
    exchange* older;
    int (*allocate)(tensor* like, managed_tensor** out, void* error_context,
                    void (*set_error)(void* context, const char* kind, const char* message));
    int (*managed_from_object)(void* object, managed_tensor** out);
    int (*managed_to_object)(managed_tensor* tensor, void** object);
    int (*tensor_from_object)(void* object, tensor* out);
    int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void** stream);
};

}  // namespace lookback::python::dlpack
