// `lookback scan`: checks the arguments against each other and the input, and runs the scan.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdlib>

#include "../cuda/gpus.hpp"
#include "../cuda/window_scan.hpp"
#include "arguments.hpp"
#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "gpu_scan.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "segmented_scan.hpp"
#include "segments.hpp"
#include "strategy_scan.hpp"
#include "text.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {
namespace {

// auto is the CPU: a file's numbers lie in its memory, and the way to a GPU and back leads through
// that memory several times (docs/design.md, "Which device scans a file").
bool is_for_gpu(const std::string& device) {
    if (device != "auto" && device != "cpu" && device != "cuda") {
        fail("--device {}: unknown device; expected auto, cpu or cuda", device);
    }
    return device == "cuda";
}

// Tests set small windows.
std::size_t gpu_window_bytes() {
    const char* set = std::getenv("LOOKBACK_GPU_WINDOW");
    return set != nullptr ? parse_window(std::string(set), "LOOKBACK_GPU_WINDOW") : gpu_window;
}

// What the GPU cannot do is said before there is any output.
on_gpu::gpu find_gpu(const scan_arguments& arguments, const scan_plan& plan) {
    if (arguments.window) {
        fail("--window: is for the CPU; with --device cuda, windows have {} bytes", gpu_window);
    }
    if (plan.outer != 1 || plan.inner != 1) {
        fail("--device cuda: scans one line of numbers; expected --device cpu with --axis {}",
             *arguments.axis);
    }
    on_gpu::survey found = on_gpu::find_gpus();
    if (found.gpus.empty()) fail("--device cuda: {}", found.why_none);
    return found.gpus.front();
}

// The rank of the output follows NumPy: a flat scan gives one dimension.
std::vector<std::size_t> split_at_axis(const scan_arguments& arguments, const array_input& in,
                                       scan_plan& plan) {
    const std::vector<std::size_t>& shape = in.shape();
    if (!arguments.axis) {
        plan.length = in.items();
        return {in.items()};
    }
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto axis = parse_number<std::int64_t>(*arguments.axis, "--axis");
    if (axis < -rank || axis >= rank) {
        fail("--axis {}: {} has shape ({}); expected {}", *arguments.axis, arguments.in,
             fmt::join(shape, ", "),
             rank == 0 ? "no axis" : fmt::format("{} to {}", -rank, rank - 1));
    }
    const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    for (std::size_t k = 0; k < shape.size(); ++k) {
        (k < at ? plan.outer : k == at ? plan.length : plan.inner) *= shape[k];
    }
    return shape;
}

// --by-key or --segments, if anything. What they do not go with is said before anything is read.
const char* segments_option(const scan_arguments& arguments) {
    if (!arguments.by_key && !arguments.segments) {
        if (arguments.key_dtype) fail("--key-dtype: is for --by-key and --segments");
        return nullptr;
    }
    const char* const option = arguments.by_key ? "--by-key" : "--segments";
    if (arguments.by_key && arguments.segments) {
        fail("--segments: is not for --by-key; expected one of them");
    }
    if (arguments.axis) fail("--axis {}: is not for {}", *arguments.axis, option);
    if (arguments.device.value_or("auto") == "cuda") {
        fail("--device cuda: scans one line of numbers; expected --device cpu with {}", option);
    }
    check_inputs(arguments.in, "IN", *(arguments.by_key ? arguments.by_key : arguments.segments),
                 option);
    return option;
}

array_input open_segments(const scan_arguments& arguments, const char* option,
                          const array_input& in, std::size_t window_bytes) {
    const std::string& path = arguments.by_key ? *arguments.by_key : *arguments.segments;
    array_input by = open_input(path, option, parse_dtype(arguments.key_dtype, "--key-dtype"));
    if (arguments.by_key) {
        check_keys(by, path, in, arguments.in);
    } else {
        check_offsets(by, path, in, arguments.in, window_bytes);
    }
    return by;
}

// Now: later the output is open, and perhaps written to.
void check_init(const scan_plan& plan, dtype type) {
    if (!plan.init) return;
    with_type(type, [&]<class T>(std::type_identity<T>) { parse_number<T>(*plan.init, "--init"); });
}

}  // namespace

void run_scan(const scan_arguments& arguments) {
    const report done;
    const output_target target = find_output(arguments);
    scan_plan plan{.op = parse_operation(arguments.op),
                   .is_exclusive = arguments.is_exclusive,
                   .is_backward = arguments.is_backward,
                   .init = arguments.init,
                   .threads = parse_threads(arguments.threads),
                   .window_bytes = parse_window(arguments.window)};
    const auto* const strategy = arguments.strategy ? &find_strategy(arguments) : nullptr;
    const bool is_on_gpu = is_for_gpu(arguments.device.value_or("auto"));
    const char* const segments_from = segments_option(arguments);
    const array_input in = open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"));
    const dtype type = choose_accumulator(arguments.out_dtype, plan.op, in, arguments.in);
    const std::vector<std::size_t> shape = split_at_axis(arguments, in, plan);
    check_init(plan, type);
    strategies::scan_call call{};
    if (strategy != nullptr) call = strategy_call(plan, type, in);
    std::uint64_t bytes = in.bytes();
    std::optional<array_input> by;
    if (segments_from != nullptr) {
        by.emplace(open_segments(arguments, segments_from, in, plan.window_bytes));
        bytes += by->bytes();
    }

    std::optional<on_gpu::gpu> gpu;
    std::optional<on_gpu::window_scan> gpu_windows;  // before the output, which writes from it
    if (is_on_gpu) {
        gpu = find_gpu(arguments, plan);
        gpu_windows.emplace(gpu_window_bytes());
    }
    {
        array_output out(target, type);
        out.begin(shape);
        const std::uint64_t written = in.items() * size_of(type);
        if (by) {
            progress bar(in.bytes() + (arguments.by_key ? by->bytes() : 0) + written);
            segmented_scan(plan, type, in, {*by, arguments.by_key.has_value()}, out, bar);
            by->check_complete();
        } else if (strategy != nullptr) {
            progress bar(in.bytes() + written);
            strategy_scan(*strategy, call, plan, type, in, out, bar);
        } else {
            progress bar(in.bytes() + written);
            if (gpu_windows) {
                gpu_scan(plan, type, in, out, bar, *gpu_windows);
            } else {
                windowed_scan(plan, type, in, out, bar);
            }
        }
        bytes += array_output::finish({&in}, {&out});
    }
    if (!arguments.wants_json) return;
    const std::string device = gpu ? fmt::format("\"device\": \"cuda\", \"gpu\": \"{}\"", gpu->name)
                               : strategy ? fmt::format("\"strategy\": \"{}\"", strategy->name)
                                          : cpu_fields(plan.threads);
    done.print(fmt::format("\"n\": {}, \"type\": \"{}\", {}", in.items(), name(type), device),
               bytes, is_standard_output(target));
}

}  // namespace lookback::cli
