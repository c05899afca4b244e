/// \file
/// The inclusive scan of one line of numbers that stream through a GPU, window by window, for code
/// that nvcc does not compile.
///
/// Windows lie in a ring of slots: pinned memory on the host, and as much memory on the device,
/// where they are scanned in place. At the same time one window is copied to the device, a second
/// is scanned, a third is copied back, and the host fills a fourth or uses results. Each window
/// goes on from the last result of the one before it; that result never leaves the device.
///
///     for each window:  fill room(); start(...); some windows later: use collect()
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
    /// Bytes before and after a window on the host that may be used.
    static constexpr std::size_t margin = 64;

    /// Uses the current device. Throws std::runtime_error if it has too little memory, or if this
    /// build has no code for it.
    explicit window_scan(std::size_t window_bytes);
    ~window_scan();
    window_scan(const window_scan&) = delete;
    window_scan& operator=(const window_scan&) = delete;

    std::size_t window_bytes() const;

    /// Host memory for the items of the next window. It is the memory of the window `slots` before,
    /// whose results must have been collected and used.
    std::byte* room();

    /// Starts the scan of the window in room(): `items` > 0 items; if `is_backward`, from the last
    /// to the first. The first window goes on from `seed`, if it has a value. All windows have the
    /// same type: unsigned integers of 8 to 64 bits, float or double.
    template <class T>
    void start(std::size_t items, operation op, bool is_backward, const std::optional<T>& seed);

    /// Waits for the results of the oldest window that has not been collected. They lie where its
    /// items were. Throws std::runtime_error if the GPU has failed.
    std::byte* collect();

 private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace lookback::on_gpu
