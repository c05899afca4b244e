/// \file
/// The lookback::gpu of a stream, and what the loops of device_arrays.hpp share.
#pragma once

#include "lookback/gpu.hpp"
#include "table/device/device_arrays.hpp"

namespace lookback::on_device {

/// The one of this stream. Its device is current.
gpu& gpu_at(const place& where);

/// While it lives, the device of a call is current.
class call {
 public:
    explicit call(const place& where) : current_(where.device), gpu_(gpu_at(where)) {}
    operator gpu&() const { return gpu_; }

 private:
    detail::device::with_device current_;
    gpu& gpu_;
};

[[noreturn]] void refuse(const char* what, item_type type);

}  // namespace lookback::on_device
