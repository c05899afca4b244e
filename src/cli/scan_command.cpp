// `lookback scan`: checks the arguments against each other and the input, and runs the scan.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "arguments.hpp"
#include "array_input.hpp"
#include "array_output.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "gpu_scan.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "segmented_scan.hpp"
#include "segments.hpp"
#include "strategy_scan.hpp"
#include "stream_scan.hpp"
#include "table/gpu/window_scan.hpp"
#include "text.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {
namespace {

// The number of the output's dimensions follows NumPy: without --axis it is one.
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

const std::string& keys_path(const scan_arguments& arguments) {
    return arguments.by_key ? *arguments.by_key : *arguments.segments;
}

// --by-key or --segments, or null. Options that do not go together are reported before anything is
// read.
const char* segments_option(const scan_arguments& arguments) {
    if (!arguments.by_key && !arguments.segments) {
        if (arguments.key_dtype) fail("--key-dtype: is for --by-key and --segments");
        if (arguments.key_column) fail("--key-column: is for --by-key and --segments");
        return nullptr;
    }
    const char* const option = arguments.by_key ? "--by-key" : "--segments";
    if (arguments.by_key && arguments.segments) {
        fail("--segments: cannot be used with --by-key; expected one of them");
    }
    if (arguments.axis) fail("--axis {}: cannot be used with {}", *arguments.axis, option);
    if (arguments.column && arguments.key_column) return option;  // perhaps of one table
    check_inputs(arguments.in, "IN", keys_path(arguments), option);
    return option;
}

array_input open_segments(const scan_arguments& arguments, const char* option,
                          const array_input& in, const reading& how, std::size_t window_bytes) {
    const std::string& path = keys_path(arguments);
    array_input by = open_input(path, option, parse_dtype(arguments.key_dtype, "--key-dtype"), how);
    if (arguments.by_key) {
        check_keys(by, path, in, arguments.in);
    } else {
        check_offsets(by, path, in, arguments.in, window_bytes);
    }
    return by;
}

// Scans an input that comes as a stream.
void run_stream(const scan_arguments& arguments, scan_plan& plan, const array_input& in,
                const output_target& target, const report& done) {
    const auto written_as = [&] {
        return choose_accumulator(arguments.out_dtype, arguments.is_promoted, plan.op, in,
                                  arguments.in);
    };
    const element type = written_as();
    plan.is_boolean = type.is_boolean();
    seed_of(plan, type.computed);  // reports its errors before there is any output
    array_output out(target, type, plan.where.threads);
    if (const auto items = in.told_items()) {
        out.begin({&*items, 1});
    } else {
        out.begin_to_grow();
    }
    stream_scan(plan, written_as, in, out);
    array_output::finish({&in}, {&out}, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(fmt::format("\"n\": {}, \"in_type\": \"{}\", \"type\": \"{}\", {}", in.items(),
                               name(in.stored()), name(written_as()), plan.where.fields()),
                   in.bytes() + written, is_standard_output(target));
    });
}

}  // namespace

void run_scan(const scan_arguments& arguments) {
    const report done;
    const output_target target = find_output(arguments);
    scan_plan plan{.op = parse_operation(arguments.op),
                   .is_exclusive = arguments.is_exclusive,
                   .is_backward = arguments.is_backward,
                   .init = arguments.init,
                   .where = parse_workplace(arguments)};
    const auto* const strategy = arguments.strategy ? &find_strategy(arguments) : nullptr;
    const char* const segments_from = segments_option(arguments);
    const bool may_stream = !arguments.axis && !arguments.is_backward && segments_from == nullptr &&
                            strategy == nullptr && !plan.where.is_gpu &&
                            (target.kind == file_kind::text || !has_open_type(arguments));
    reading how = streamed(arguments, may_stream);
    if (arguments.init && !arguments.out_dtype) how.also = *arguments.init;
    reading how_keys = held(arguments);
    if (segments_from != nullptr) {
        take_columns(arguments, keys_path(arguments), arguments.key_column, how, how_keys);
    } else {
        take_column(arguments, how);
    }
    const array_input in =
        open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"), how);
    if (in.stream() != nullptr) return run_stream(arguments, plan, in, target, done);
    const element written_as =
        choose_accumulator(arguments.out_dtype, arguments.is_promoted, plan.op, in, arguments.in);
    const dtype type = written_as.computed;
    plan.is_boolean = written_as.is_boolean();
    const std::vector<std::size_t> shape = split_at_axis(arguments, in, plan);
    seed_of(plan, type);  // reports its errors before the output is open
    if (plan.where.is_gpu && (plan.outer != 1 || plan.inner != 1)) {
        fail("--device cuda: scans one line of numbers; expected --device cpu with --axis {}",
             *arguments.axis);
    }
    strategies::scan_call call{};
    if (strategy != nullptr) call = strategy_call(plan, type, in);
    std::uint64_t bytes = in.bytes();
    std::optional<array_input> by;
    if (segments_from != nullptr) {
        by.emplace(open_segments(arguments, segments_from, in, how_keys, plan.where.window_bytes));
        bytes += by->bytes();
    }

    plan.where.take_gpu();  // what it cannot do is reported before there is any output
    std::optional<on_gpu::window_scan> gpu_windows;  // outlives the output, which writes from it
    if (plan.where.is_gpu && !by) gpu_windows.emplace(plan.where.window_bytes);
    {
        array_output out(target, written_as, plan.where.threads);
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
        array_output::finish({&in}, {&out}, [&](std::uint64_t bytes_written) {
            if (!arguments.wants_json) return;
            const std::string device = strategy
                                           ? fmt::format("\"strategy\": \"{}\"", strategy->name)
                                           : plan.where.fields();
            done.print(fmt::format("\"n\": {}, \"in_type\": \"{}\", \"type\": \"{}\", {}",
                                   in.items(), name(in.stored()), name(written_as), device),
                       bytes + bytes_written, is_standard_output(target));
        });
    }
}

}  // namespace lookback::cli
