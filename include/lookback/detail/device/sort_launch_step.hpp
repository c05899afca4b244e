/// \file
/// How the kernels of a sort are started: first all are asked for, then all are started.
#pragma once

#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// The kernels of a sort count in memory that is all zero between calls, and the last of them
/// clears it. So a call may not fail between its first kernel and its last. It goes through its
/// launches twice: the first step asks for everything that may be refused, the second step starts
/// the kernels.
enum class launch_step { ask, start };

template <auto kernel, class... Arguments>
void start_in(launch_step step, gpu& where, const kernel_facts& known, std::uint64_t blocks,
              int threads, int shared_bytes, const Arguments&... arguments) {
    if (step == launch_step::ask) return;
    start<kernel>(where, known, blocks, threads, shared_bytes, arguments...);
}

}  // namespace lookback::detail::device
