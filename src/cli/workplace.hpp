/// \file
/// Where a command works on its numbers, and on how many at a time: --device, --threads, --window.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "table/gpu/gpus.hpp"
#include "table/table.hpp"

namespace lookback::cli {

/// Bytes of a window on a GPU: enough that the time to start a copy does not matter. It is the same
/// for every GPU, and so is the tree of a float sum.
inline constexpr std::size_t gpu_window = std::size_t{8} << 20;

struct workplace {
    int threads = 0;  ///< of the CPU; 0: all cores
    std::size_t window_bytes = usual_window;
    bool is_window_given = false;  ///< false: the usual size
    bool is_gpu = false;
    std::optional<on_gpu::gpu> gpu;                 ///< set by take_gpu
    std::unique_ptr<on_gpu::window_memory> memory;  ///< on the GPU

    /// Takes the first GPU if the work is to be done on a GPU. Throws `error` if there is none.
    void take_gpu();

    table::machine on() const { return {threads, memory.get()}; }

    /// Bytes of a window for commands that get faster with larger windows, and that use memory for
    /// two: what --window says, or else a quarter of the memory (of the GPU's, if that is less).
    std::size_t large_window_bytes() const;

    /// The fields of --json about the machine.
    std::string fields() const;
};

/// Reads --threads, --window and --device. Nothing is started on a GPU yet.
workplace parse_workplace(const std::optional<std::string>& threads,
                          const std::optional<std::string>& window,
                          const std::optional<std::string>& device);
inline workplace parse_workplace(const array_arguments& arguments) {
    return parse_workplace(arguments.threads, arguments.window, arguments.device);
}

}  // namespace lookback::cli
