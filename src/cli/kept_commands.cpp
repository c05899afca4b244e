// The commands whose results are some of the numbers of an array, or say how they lie in runs. They
// read it a window at a time, and append each window's results to those of the windows before.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "parsed_condition.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "table/table.hpp"
#include "windows.hpp"
#include "workplace.hpp"

namespace lookback::cli {
namespace {

// What one of these commands works on. `counted` is the name of what it counts.
struct job {
    const array_arguments& arguments;
    std::string_view counted;
    const report& done;
    const array_input& in;
    const output_target& target;
    const std::optional<output_target>& second;
    const workplace& where;

    void finish(std::size_t count, const std::vector<array_output*>& outputs) const {
        array_output::finish({&in}, outputs, [&](std::uint64_t written) {
            if (!arguments.wants_json) return;
            done.print(fmt::format("\"n\": {}, \"{}\": {}, \"type\": \"{}\", {}", in.items(),
                                   counted, count, name(in.type()), where.fields()),
                       in.bytes() + written,
                       is_standard_output(target) || (second && is_standard_output(*second)));
        });
    }
};

// What these commands share.
template <class Work>
void run_on_line(const array_arguments& arguments, const std::optional<output_target>& second,
                 std::string_view counted, const Work& work) {
    const report done;
    const output_target target = find_output(arguments);
    workplace where = parse_workplace(arguments);
    const array_input in = open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"));
    check_line(in, arguments.in);
    where.take_gpu();
    work(job{arguments, counted, done, in, target, second, where});
}

// The second output, whatever the first one is.
output_target find_second(const std::optional<std::string>& path, std::string_view option,
                          std::string_view kind, const array_arguments& arguments) {
    output_target second =
        find_output(path, option, kind, std::nullopt, arguments.dtype.has_value());
    check_distinct(find_output(arguments), "-o", second, option);
    return second;
}

// The windows of the input.
input_windows windows_of(const job& of, std::size_t item_size) {
    return {of.in, window_items(of.where.window_bytes, item_size)};
}

void select_to(array_output& out, const job& of, const wanted& which, progress& bar) {
    const dtype type = of.in.type();
    input_windows windows = windows_of(of, size_of(type));
    while (windows.next()) {
        const std::size_t items = windows.items();
        std::byte* const kept = out.room(items);
        const std::size_t count =
            select(of.where.on(), type, windows.load(type, kept), items, kept, which);
        out.append(kept, count);
        bar.advance(items * size_of(type));
    }
}

void partition_to(array_output& out, array_output& rest_out, const job& of, const wanted& which,
                  progress& bar) {
    const dtype type = of.in.type();
    const std::size_t window = window_items(of.where.window_bytes, size_of(type));
    std::vector<std::byte> room(
        of.in.lies_as(type) ? 0 : std::min(window, of.in.items()) * size_of(type));
    input_windows windows(of.in, window);
    while (windows.next()) {
        const std::size_t items = windows.items();
        std::byte* const kept = out.room(items);
        std::byte* const rest = rest_out.room(items);
        const std::size_t count = partition(of.where.on(), type, windows.load(type, room.data()),
                                            items, kept, rest, which);
        out.append(kept, count);
        rest_out.append(rest, items - count);
        bar.advance(items * size_of(type));
    }
}

void unique_to(array_output& out, const job& of, progress& bar) {
    const dtype type = of.in.type();
    const std::size_t size = size_of(type);
    input_windows windows = windows_of(of, size);
    std::optional<scalar> last;  // number of the windows before
    while (windows.next()) {
        const std::size_t items = windows.items();
        std::byte* const firsts = out.room(items);
        const auto* const all = static_cast<const std::byte*>(windows.load(type, firsts));
        const std::size_t goes_on = last && are_equal(type, *last, scalar(type, all)) ? 1 : 0;
        last = scalar(type, all + (items - 1) * size);
        const std::size_t runs = unique(of.where.on(), type, all, items, firsts);
        out.append(firsts + goes_on * size, runs - goes_on);
        bar.advance(items * size);
    }
}

}  // namespace

void run_select(const where_arguments& arguments) {
    run_on_line(arguments, std::nullopt, "kept", [&](const job& of) {
        const parsed_condition where = parse_condition(arguments.where, "--where", of.in.type());
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        progress bar(of.in.bytes());
        select_to(out, of, where.holds.get(), bar);
        of.finish(out.appended(), {&out});
    });
}

void run_partition(const where_arguments& arguments) {
    std::optional<output_target> rest_target;
    if (arguments.rest) rest_target = find_second(*arguments.rest, "--rest", "REST", arguments);
    run_on_line(arguments, rest_target, "kept", [&](const job& of) {
        const parsed_condition where = parse_condition(arguments.where, "--where", of.in.type());
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        if (!rest_target) {
            // The others wait for the last of the first. They are not kept until then, but selected
            // once the input is read again: 3 n items are moved, whatever the condition, where a
            // file for the rest would make it 2 n and twice the rest, and take its room.
            progress bar(2 * of.in.bytes());
            select_to(out, of, where.holds.get(), bar);
            const std::size_t count = out.appended();
            select_to(out, of, where.fails.get(), bar);
            of.finish(count, {&out});
            return;
        }
        array_output rest_out(*rest_target, of.in.type());
        rest_out.begin_to_grow();
        progress bar(of.in.bytes());
        partition_to(out, rest_out, of, where.holds.get(), bar);
        of.finish(out.appended(), {&out, &rest_out});
    });
}

void run_unique(const array_arguments& arguments) {
    run_on_line(arguments, std::nullopt, "runs", [&](const job& of) {
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        progress bar(of.in.bytes());
        unique_to(out, of, bar);
        of.finish(out.appended(), {&out});
    });
}

namespace {

// Where runs go: their numbers to one output and their lengths to another one, or both to lines of
// text.
class run_output {
 public:
    run_output(array_output& out, array_output* lengths_out)
        : out_(&out), lengths_out_(lengths_out), size_(size_of(out.type())) {}

    // A free buffer for so many runs.
    void take_room(std::size_t runs) {
        if (lengths_out_ != nullptr) {
            values_ = out_->room(runs);
            lengths = reinterpret_cast<std::int64_t*>(lengths_out_->room(runs));
        } else {
            constexpr std::size_t length_size = sizeof(std::int64_t);  // numbers are no wider
            std::byte* const both = out_->room_of_bytes(2 * runs * length_size);
            lengths = reinterpret_cast<std::int64_t*>(both);
            values_ = both + runs * length_size;
        }
    }
    std::byte* value(std::size_t run) const { return values_ + run * size_; }
    // Those from `first` to before `last` in the buffer.
    void append(std::size_t first, std::size_t last) {
        if (lengths_out_ != nullptr) {
            out_->append(value(first), last - first);
            lengths_out_->append(lengths + first, last - first);
        } else {
            out_->append(lengths + first, value(first), last - first);
        }
    }

    std::int64_t* lengths = nullptr;

 private:
    array_output* out_;
    array_output* lengths_out_;
    std::size_t size_;  // of a number
    std::byte* values_ = nullptr;
};

void encode_runs(const job& of, run_output runs) {
    const dtype type = of.in.type();
    progress bar(of.in.bytes());
    input_windows windows = windows_of(of, sizeof(std::int64_t));
    std::optional<scalar> open;  // the last run of the windows before
    std::int64_t open_length = 0;
    while (windows.next()) {
        const std::size_t items = windows.items();
        // The open run, then those of the window, of which the last one stays open.
        runs.take_room(items + 1);
        std::byte* const values = runs.value(1);
        std::int64_t* const lengths = runs.lengths;
        const std::size_t last = run_length_encode(of.where.on(), type, windows.load(type, values),
                                                   items, values, lengths + 1);
        std::size_t first = 1;
        if (open && are_equal(type, *open, scalar(type, values))) {
            open->put(type, values);  // of -0 and 0 the first
            lengths[1] += open_length;
        } else if (open) {
            open->put(type, runs.value(0));
            lengths[0] = open_length;
            first = 0;
        }
        runs.append(first, last);
        open = scalar(type, runs.value(last));
        open_length = lengths[last];
        bar.advance(items * size_of(type));
    }
    if (!open) return;
    runs.take_room(1);
    open->put(type, runs.value(0));
    runs.lengths[0] = open_length;
    runs.append(0, 1);
}

}  // namespace

void run_rle(const rle_arguments& arguments) {
    std::optional<output_target> lengths_target;
    if (arguments.lengths || find_output(arguments).kind != file_kind::text) {
        lengths_target = find_second(arguments.lengths, "--lengths", "LENGTHS", arguments);
    }
    run_on_line(arguments, lengths_target, "runs", [&](const job& of) {
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        if (!lengths_target) {
            encode_runs(of, {out, nullptr});
            of.finish(out.appended(), {&out});
            return;
        }
        array_output lengths_out(*lengths_target, dtype::int64);
        lengths_out.begin_to_grow();
        encode_runs(of, {out, &lengths_out});
        of.finish(out.appended(), {&out, &lengths_out});
    });
}

}  // namespace lookback::cli
