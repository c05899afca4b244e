// `lookback unique` and `lookback rle`: runs of equal numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "line_job.hpp"
#include "paired_output.hpp"
#include "progress.hpp"
#include "table/convert.hpp"
#include "table/table.hpp"

namespace lookback::cli {
namespace {

void unique_to(array_output& out, const line_job& of, progress& bar) {
    input_windows windows = windows_of(of, size_of(of.in.type()));
    std::optional<scalar> last;  // last number of the windows before
    dtype last_type = of.in.type();
    while (windows.next()) {
        const std::size_t items = windows.items();
        const dtype type = of.in.type();
        const std::size_t size = size_of(type);
        out.become(of.in.stored());
        if (last) last = convert(last_type, *last, type);
        last_type = type;
        std::byte* const firsts = out.room(items);
        const auto* const all = static_cast<const std::byte*>(windows.load(type, firsts));
        const std::size_t goes_on = last && are_equal(type, *last, scalar(type, all)) ? 1 : 0;
        last = scalar(type, all + (items - 1) * size);
        const std::size_t runs = unique(of.where.on(), type, all, items, firsts);
        out.append(firsts + goes_on * size, runs - goes_on);
        bar.advance(items * of.in.item_bytes());
    }
}

}  // namespace

void run_unique(const array_arguments& arguments) {
    const std::vector<output_target> targets{find_output(arguments)};
    const bool may_stream = takes_any_type(arguments, targets[0]);
    run_on_line(arguments, targets, "runs", may_stream, [&](const line_job& of) {
        array_output out(targets[0], of.in.stored(), of.where.threads);
        out.begin_to_grow();
        progress bar(bytes_to_read(of));
        unique_to(out, of, bar);
        of.finish(out.appended(), {&out});
    });
}

namespace {

// Writes the length and the number of each run to `runs`.
void encode_runs(const line_job& of, paired_output runs) {
    dtype type = of.in.type();
    progress bar(bytes_to_read(of));
    input_windows windows = windows_of(of, sizeof(std::int64_t));
    std::optional<scalar> open;  // the last run of the windows before
    std::int64_t open_length = 0;
    while (windows.next()) {
        const std::size_t items = windows.items();
        if (open) open = convert(type, *open, of.in.type());
        type = of.in.type();
        runs.become(dtype::int64, of.in.stored());
        // The open run, then the runs of the window, whose last one stays open.
        runs.take_room(items + 1);
        std::byte* const values = runs.b(1);
        auto* const lengths = reinterpret_cast<std::int64_t*>(runs.a(0));
        const std::size_t last = run_length_encode(of.where.on(), type, windows.load(type, values),
                                                   items, values, lengths + 1);
        std::size_t first = 1;
        if (open && are_equal(type, *open, scalar(type, values))) {
            open->put(type, values);  // if -0 and 0 are equal numbers, the first one is kept
            lengths[1] += open_length;
        } else if (open) {
            open->put(type, runs.b(0));
            lengths[0] = open_length;
            first = 0;
        }
        runs.append(first, first, last - first);
        open = scalar(type, runs.b(last));
        open_length = lengths[last];
        bar.advance(items * of.in.item_bytes());
    }
    if (!open) return;
    runs.take_room(1);
    open->put(type, runs.b(0));
    *reinterpret_cast<std::int64_t*>(runs.a(0)) = open_length;
    runs.append(0, 0, 1);
}

}  // namespace

void run_rle(const rle_arguments& arguments) {
    std::optional<std::string> lengths = arguments.lengths;
    if (!lengths && find_output(arguments).kind != file_kind::text) {
        find_output(lengths, "--lengths", "LENGTHS", std::nullopt,
                    false);  // reports that it is missing
    }
    const auto targets =
        find_outputs(arguments, lengths, "--lengths", "LENGTHS", arguments.dtype.has_value());
    const char separator = column_separator(arguments, targets[0]);
    const bool may_stream = takes_any_type(arguments, targets[0]);
    run_on_line(arguments, targets, "runs", may_stream, [&](const line_job& of) {
        array_output out(targets[0], of.in.stored(), of.where.threads);
        out.begin_to_grow();
        const element type = of.in.stored();
        if (!lengths) {
            encode_runs(of, {out, dtype::int64, out, type, separator});
            of.finish(out.appended(), {&out});
            return;
        }
        array_output lengths_out(targets[1], dtype::int64);
        lengths_out.begin_to_grow();
        encode_runs(of, {lengths_out, dtype::int64, out, type, separator});
        of.finish(out.appended(), {&out, &lengths_out});
    });
}

}  // namespace lookback::cli
