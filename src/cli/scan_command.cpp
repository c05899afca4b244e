// `lookback scan`: checks the arguments against each other and the input, and runs the scan.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "../cuda/gpus.hpp"
#include "../cuda/window_scan.hpp"
#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "gpu_scan.hpp"
#include "lookback/cpu/simd.hpp"
#include "lookback/cpu/workers.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {
namespace {

constexpr std::int64_t most_threads = 1024;

std::optional<dtype> parse_dtype(const std::optional<std::string>& text, std::string_view option) {
    if (!text) return std::nullopt;
    const std::optional<dtype> type = find_dtype(*text);
    if (!type) fail("{} {}: unknown type; expected {}", option, *text, dtype_names);
    return type;
}

operation parse_operation(const std::string& text) {
    for (std::size_t i = 0; i < operation_names.size(); ++i) {
        if (text == operation_names[i]) return static_cast<operation>(i);
    }
    fail("--op {}: unknown operator; expected one of {}", text, fmt::join(operation_names, ", "));
}

int parse_threads(const std::string& text) {
    const auto threads = parse_number<std::int64_t>(text, "--threads");
    if (threads < 0 || threads > most_threads) {
        fail("--threads {}: expected 0 (all cores) to {}", text, most_threads);
    }
    return static_cast<int>(threads);
}

std::size_t parse_window(const std::string& text, std::string_view option) {
    const auto bytes = parse_number<std::uint64_t>(text, option);
    if (bytes == 0 || bytes > std::uint64_t{1} << 40) {
        fail("{} {}: expected 1 to 2^40 bytes", option, text);
    }
    return bytes;
}

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
    return set != nullptr ? parse_window(set, "LOOKBACK_GPU_WINDOW") : gpu_window;
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

dtype choose_accumulator(const scan_arguments& arguments, const array_input& in, operation op) {
    const dtype type = parse_dtype(arguments.out_dtype, "--out-dtype").value_or(in.type());
    if (is_float(in.type()) && !is_float(type)) {
        fail("--out-dtype {}: {} holds {}, which do not fit integers; expected float32 or float64",
             name(type), arguments.in, name(in.type()));
    }
    if (is_float(type) && is_bitwise(op)) {
        fail("--op {}: works on integers only; {} is {}", name(op),
             arguments.out_dtype ? "--out-dtype" : arguments.in, name(type));
    }
    return type;
}

// Now: later the output is open, and perhaps written to.
void check_init(const scan_plan& plan, dtype type) {
    if (!plan.init) return;
    with_type(type, [&]<class T>(std::type_identity<T>) { parse_number<T>(*plan.init, "--init"); });
}

bool is_device(const std::string& path) {
    if (named_descriptor(path)) return true;
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
           !std::filesystem::is_directory(status);
}

file_kind output_kind(const scan_arguments& arguments, const std::string& out) {
    if (out == "-") return file_kind::text;
    if (out.ends_with(".npy")) return file_kind::npy;
    if (out.ends_with(".bin") || arguments.dtype || is_device(out)) return file_kind::raw;
    fail("-o {}: unknown kind of file; expected a name ending in .npy or .bin, or - for text", out);
}

std::string output_path(const scan_arguments& arguments) {
    if (arguments.out && arguments.out->empty()) {
        fail("-o: the name is empty; expected a name ending in .npy or .bin, or - for text");
    }
    if (arguments.out) return *arguments.out;
    if (arguments.in == "-") return "-";
    fail("-o OUT is missing; expected a name ending in .npy or .bin, or - for text");
}

}  // namespace

void run_scan(const scan_arguments& arguments) {
    const auto begin = std::chrono::steady_clock::now();
    if (arguments.in.empty()) {
        fail("IN: the name is empty; expected that of a file, or - for standard input");
    }
    const std::string out_path = output_path(arguments);
    const file_kind kind = output_kind(arguments, out_path);
    scan_plan plan{.op = parse_operation(arguments.op.value_or("sum")),
                   .is_exclusive = arguments.is_exclusive,
                   .is_backward = arguments.is_backward,
                   .init = arguments.init,
                   .threads = arguments.threads ? parse_threads(*arguments.threads) : 0,
                   .window_bytes = arguments.window ? parse_window(*arguments.window, "--window")
                                                    : usual_window};
    const bool is_on_gpu = is_for_gpu(arguments.device.value_or("auto"));
    const std::optional<dtype> given_type = parse_dtype(arguments.dtype, "--dtype");
    const array_input in(arguments.in, given_type);
    const dtype type = choose_accumulator(arguments, in, plan.op);
    const std::vector<std::size_t> shape = split_at_axis(arguments, in, plan);
    check_init(plan, type);

    std::optional<on_gpu::gpu> gpu;
    std::optional<on_gpu::window_scan> gpu_windows;  // before the output, which writes from it
    if (is_on_gpu) {
        gpu = find_gpu(arguments, plan);
        gpu_windows.emplace(gpu_window_bytes());
    }
    std::uint64_t written = 0;
    {
        array_output out(out_path, kind, type, shape);
        progress bar(in.bytes() + in.items() * size_of(type));
        if (gpu_windows) {
            gpu_scan(plan, type, in, out, bar, *gpu_windows);
        } else {
            windowed_scan(plan, type, in, out, bar);
        }
        in.check_complete();
        out.finish();
        written = out.bytes_written();
    }
    if (!arguments.wants_json) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const std::string device =
        gpu ? fmt::format("\"device\": \"cuda\", \"gpu\": \"{}\"", gpu->name)
            : fmt::format("\"device\": \"cpu\", \"threads\": {}, \"simd\": \"{}\"",
                          detail::worker_limit({.threads = plan.threads}), detail::simd_target());
    const std::string report = fmt::format(
        "{{\"n\": {}, \"type\": \"{}\", {}, \"seconds\": {:.6f}, \"gb_per_s\": {:.3f}}}\n",
        in.items(), name(type), device, seconds.count(),
        static_cast<double>(in.bytes() + written) / seconds.count() / 1e9);
    if (named_descriptor(out_path) == STDOUT_FILENO) {
        std::fputs(report.c_str(), stderr);
    } else {
        print(report);
    }
}

}  // namespace lookback::cli
