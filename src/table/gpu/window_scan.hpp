/// \file
/// The inclusive scan of one line of numbers that stream through a GPU, window by window, for code
/// that nvcc does not compile.
///
/// Windows lie in a ring of slots: pinned memory on the host, and as much on the device, where they
/// are scanned in place. One window comes up, another is scanned and a third goes down at the same
/// time, while the host fills a fourth or uses results. Each window goes on from the last result of
/// the one before it, which never leaves the device.
///
///     for each window:  fill room(); start(...); some windows behind: use collect()
///
/// Memory: `slots` windows on the host, and as many on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "numbers.hpp"

namespace lookback::on_gpu {

class window_scan {
 public:
    static constexpr std::size_t slots = 4;
    /// Bytes that may be used before and after a window on the host.
    static constexpr std::size_t margin = 64;

    /// On the current device. Throws std::runtime_error where it has no memory, or where there is
    /// no code for it in this build.
    explicit window_scan(std::size_t window_bytes);
    ~window_scan();
    window_scan(const window_scan&) = delete;
    window_scan& operator=(const window_scan&) = delete;

    std::size_t window_bytes() const;

    /// Host memory for the items of the next window. It is that of the window `slots` before, whose
    /// results must have been collected and used.
    std::byte* room();

    /// Starts the scan of the window in room(): `items` > 0 items, backward from the last to the
    /// first. The first window goes on from `seed`, where there is one. All windows have the same
    /// type: 8 to 64 bits, unsigned, or float or double.
    template <class T>
    void start(std::size_t items, operation op, bool is_backward, const std::optional<T>& seed);

    /// Waits for the results of the oldest window that is not collected; they lie where its items
    /// were. Throws std::runtime_error where the GPU has failed.
    std::byte* collect();

 private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace lookback::on_gpu
