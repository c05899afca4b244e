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

/// Bytes of a window on a GPU: large against the time that it takes to start a copy. The same for
/// every GPU, and so is the tree of a float sum.
inline constexpr std::size_t gpu_window = std::size_t{8} << 20;

struct workplace {
    int threads = 0;  ///< of the CPU; 0: all cores
    std::size_t window_bytes = usual_window;
    bool is_window_given = false;  ///< or usual
    bool is_gpu = false;
    std::optional<on_gpu::gpu> gpu;                 ///< once it is taken
    std::unique_ptr<on_gpu::window_memory> memory;  ///< that of the GPU

    /// Takes the first GPU, if that is the place. Throws `error` where there is none.
    void take_gpu();

    table::machine on() const { return {threads, memory.get()}; }

    /// For commands that are the faster the larger a window is, and use twice its size: as much as
    /// --window says, or else a quarter of the memory, here or on the GPU.
    std::size_t large_window_bytes() const;

    /// The fields of --json that tell about it.
    std::string fields() const;
};

/// What --threads, --window and --device say. Nothing is started on a GPU yet.
workplace parse_workplace(const std::optional<std::string>& threads,
                          const std::optional<std::string>& window,
                          const std::optional<std::string>& device);
inline workplace parse_workplace(const array_arguments& arguments) {
    return parse_workplace(arguments.threads, arguments.window, arguments.device);
}

}  // namespace lookback::cli
