/// \file
/// The C functions on arrays in a GPU's memory: which of the table's primitives there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lookback/c.h"
#include "lookback/detail/arguments.hpp"
#include "table/device/device_arrays.hpp"

namespace lookback::c {

inline on_device::item_type item_type_of(lookback_type type) {
    if (type < LOOKBACK_INT8 || type > LOOKBACK_BFLOAT16) {
        throw std::invalid_argument("lookback: type is " + std::to_string(type) +
                                    "; expected a lookback_type");
    }
    return static_cast<on_device::item_type>(type);
}

inline on_device::operation operation_of(lookback_operation op) {
    if (op < LOOKBACK_SUM || op > LOOKBACK_XOR) {
        throw std::invalid_argument("lookback: op is " + std::to_string(op) +
                                    "; expected a lookback_operation");
    }
    return static_cast<on_device::operation>(op);
}

[[noreturn]] inline void refuse_on_device(const char* what) {
    throw std::invalid_argument(std::string("lookback: there is no ") + what +
                                " on a GPU; expected a handle without a device");
}

/// Counts go to the device's memory, in 64 bits.
inline std::int64_t* count_at(std::size_t* at) {
    static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
    if (at == nullptr) {
        throw std::invalid_argument("lookback: the place of the count is a null pointer");
    }
    return reinterpret_cast<std::int64_t*>(at);
}

/// The caller's memory for a call; null for the stream's.
inline void* checked_room(void* room, std::size_t bytes, std::size_t need) {
    if (room == nullptr) return nullptr;
    if (bytes < need) {
        throw std::invalid_argument("lookback: room_bytes is " + std::to_string(bytes) +
                                    "; expected at least " + std::to_string(need));
    }
    if (reinterpret_cast<std::uintptr_t>(room) % 8 != 0) {
        throw std::invalid_argument("lookback: room begins off a boundary of 8 bytes");
    }
    return room;
}

inline void check_bytes_apart(const void* in, const void* out, std::size_t bytes) {
    detail::check_apart(static_cast<const std::byte*>(in), bytes, "input",
                        static_cast<const std::byte*>(out), bytes);
}

inline void scan_there(const on_device::place& where, lookback_type in_type, lookback_operation op,
                       const void* in, const axis_extents& extents, lookback_type out_type,
                       void* out) {
    const auto from = item_type_of(in_type);
    const auto to = item_type_of(out_type);
    const auto fold = operation_of(op);
    if (extents.outer == 0 || extents.length == 0 || extents.inner == 0) return;
    on_device::scan_axis(where, from, fold, in, extents, to, out);
}

}  // namespace lookback::c
