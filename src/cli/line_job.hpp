/// \file
/// What the commands share whose results are some of the numbers of an array, or describe its runs.
/// They read the array window by window, and append the results of each window to those of the
/// windows before.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "report.hpp"
#include "windows.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// What one of these commands works on. `counted` is the JSON name of what it counts.
struct line_job {
    const array_arguments& arguments;
    std::string_view counted;
    const report& done;
    const array_input& in;
    const std::vector<output_target>& targets;
    const workplace& where;

    void finish(std::size_t count, const std::vector<array_output*>& outputs) const {
        array_output::finish({&in}, outputs, [&](std::uint64_t written) {
            if (!arguments.wants_json) return;
            done.print(fmt::format("\"n\": {}, \"{}\": {}, \"type\": \"{}\", {}", in.items(),
                                   counted, count, name(in.stored()), where.fields()),
                       in.bytes() + written,
                       std::any_of(targets.begin(), targets.end(), is_standard_output));
        });
    }
};

/// Opens the input and runs `work`. An array of several dimensions is taken as one line, as NumPy
/// does. `targets` are all outputs; the first is -o. The input may be a stream if `may_stream`.
template <class Work>
void run_on_line(const array_arguments& arguments, const std::vector<output_target>& targets,
                 std::string_view counted, bool may_stream, const Work& work) {
    const report done;
    workplace where = parse_workplace(arguments);
    reading how = streamed(arguments, may_stream && !where.is_gpu);
    take_column(arguments, how);
    const array_input in =
        open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"), how);
    where.take_gpu();
    work(line_job{arguments, counted, done, in, targets, where});
}

/// True if the output takes numbers whose type may differ from that of the numbers before.
inline bool takes_any_type(const array_arguments& arguments, const output_target& target) {
    return target.kind == file_kind::text || !has_open_type(arguments);
}

/// How many bytes will be read, for `progress`; 0 for a stream.
inline std::uint64_t bytes_to_read(const line_job& of) {
    return of.in.stream() != nullptr ? 0 : of.in.bytes();
}

/// -o, and a second output if its option is given.
inline std::vector<output_target> find_outputs(const array_arguments& arguments,
                                               const std::optional<std::string>& path,
                                               std::string_view option, std::string_view kind,
                                               bool takes_raw) {
    std::vector<output_target> targets{find_output(arguments)};
    if (path) {
        targets.push_back(
            find_output(path, option, kind, std::nullopt, takes_raw, parse_format(arguments)));
        check_distinct(targets[0], "-o", targets[1], option);
    }
    return targets;
}

/// The windows of the input.
inline input_windows windows_of(const line_job& of, std::size_t item_size) {
    return {of.in, window_items(of.where.window_bytes, item_size)};
}

}  // namespace lookback::cli
