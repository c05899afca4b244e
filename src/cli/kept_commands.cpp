// The commands whose results are some of the numbers of an array, or say how they lie in runs. They
// read it a window at a time, and append each window's results to those of the windows before.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "condition_parser.hpp"
#include "kept_kernels.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

struct job {
    const array_input& in;
    const output_target& target;
    const workplace& where;
};

struct results {
    std::size_t count;
    std::uint64_t bytes;
};

// What these commands share. `work` is called as work<T>(job) for an input of numbers T; `counted`
// is the name of what it counts.
template <class Work>
void run_on_line(const array_arguments& arguments, const std::optional<output_target>& second,
                 std::string_view counted, const Work& work) {
    const report done;
    const output_target target = find_output(arguments);
    workplace where = parse_workplace(arguments);
    const array_input in = open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"));
    check_line(in, arguments.in);
    where.take_gpu();
    const results found = with_type(in.type(), [&]<class T>(std::type_identity<T>) {
        return work.template operator()<T>(job{in, target, where});
    });
    if (!arguments.wants_json) return;
    done.print(fmt::format("\"n\": {}, \"{}\": {}, \"type\": \"{}\", {}", in.items(), counted,
                           found.count, name(in.type()), where.fields()),
               in.bytes() + found.bytes,
               is_standard_output(target) || (second && is_standard_output(*second)));
}

// The second output, whatever the first one is.
output_target find_second(const std::optional<std::string>& path, std::string_view option,
                          std::string_view kind, const array_arguments& arguments) {
    output_target second =
        find_output(path, option, kind, std::nullopt, arguments.dtype.has_value());
    check_distinct(find_output(arguments), "-o", second, option);
    return second;
}

template <number T>
void select_to(array_output& out, const job& of, const condition<T>& is, progress& bar) {
    input_windows windows(of.in, window_items(of.where.window_bytes, sizeof(T)));
    while (windows.next()) {
        const std::size_t items = windows.items();
        T* const kept = out.room<T>(items);
        const std::size_t count =
            kept_kernels<T>::select(windows.load(kept), items, kept, is, of.where);
        out.append(std::span<const T>(kept, count));
        bar.advance(items * sizeof(T));
    }
}

template <number T>
void partition_to(array_output& out, array_output& rest_out, const job& of, const condition<T>& is,
                  progress& bar) {
    const std::size_t window = window_items(of.where.window_bytes, sizeof(T));
    std::vector<T> room(of.in.lies_as<T>() ? 0 : std::min(window, of.in.items()));
    input_windows windows(of.in, window);
    while (windows.next()) {
        const std::size_t items = windows.items();
        T* const kept = out.room<T>(items);
        T* const rest = rest_out.room<T>(items);
        const std::size_t count =
            kept_kernels<T>::partition(windows.load(room.data()), items, kept, rest, is, of.where);
        out.append(std::span<const T>(kept, count));
        rest_out.append(std::span<const T>(rest, items - count));
        bar.advance(items * sizeof(T));
    }
}

}  // namespace

void run_select(const where_arguments& arguments) {
    run_on_line(arguments, std::nullopt, "kept", [&]<class T>(const job& of) -> results {
        const auto where = parse_condition<T>(arguments.where, "--where");
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        progress bar(of.in.bytes());
        select_to<T>(out, of, where, bar);
        return {out.appended(), array_output::finish({&of.in}, {&out})};
    });
}

void run_partition(const where_arguments& arguments) {
    std::optional<output_target> rest_target;
    if (arguments.rest) rest_target = find_second(*arguments.rest, "--rest", "REST", arguments);
    run_on_line(arguments, rest_target, "kept", [&]<class T>(const job& of) -> results {
        const auto where = parse_condition<T>(arguments.where, "--where");
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        if (!rest_target) {
            // The others wait for the last of the first. They are not kept until then, but selected
            // once the input is read again: 3 n items are moved, whatever the condition, where a
            // file for the rest would make it 2 n and twice the rest, and take its room.
            progress bar(2 * of.in.bytes());
            select_to<T>(out, of, where, bar);
            const std::size_t count = out.appended();
            select_to<T>(out, of, complement(where), bar);
            return {count, array_output::finish({&of.in}, {&out})};
        }
        array_output rest_out(*rest_target, of.in.type());
        rest_out.begin_to_grow();
        progress bar(of.in.bytes());
        partition_to<T>(out, rest_out, of, where, bar);
        return {out.appended(), array_output::finish({&of.in}, {&out, &rest_out})};
    });
}

void run_unique(const array_arguments& arguments) {
    run_on_line(arguments, std::nullopt, "runs", [&]<class T>(const job& of) -> results {
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        progress bar(of.in.bytes());
        input_windows windows(of.in, window_items(of.where.window_bytes, sizeof(T)));
        std::optional<T> last;  // number of the windows before
        while (windows.next()) {
            const std::size_t items = windows.items();
            T* const firsts = out.room<T>(items);
            const T* const all = windows.load(firsts);
            const std::size_t goes_on = last == all[0] ? 1 : 0;
            last = all[items - 1];
            const std::size_t runs = kept_kernels<T>::unique(all, items, firsts, of.where);
            out.append(std::span<const T>(firsts + goes_on, runs - goes_on));
            bar.advance(items * sizeof(T));
        }
        return {out.appended(), array_output::finish({&of.in}, {&out})};
    });
}

namespace {

// Where runs go: their numbers to one output and their lengths to another one, or both to lines of
// text.
template <number T>
class run_output {
 public:
    run_output(array_output& out, array_output* lengths_out)
        : out_(&out), lengths_out_(lengths_out) {}

    // A free buffer for so many runs.
    void take_room(std::size_t runs) {
        if (lengths_out_ != nullptr) {
            values = out_->room<T>(runs);
            lengths = lengths_out_->room<std::int64_t>(runs);
        } else {
            lengths = out_->room<std::int64_t>(2 * runs);
            values = reinterpret_cast<T*>(lengths + runs);  // no wider than lengths
        }
    }
    // Those from `first` to before `last` in the buffer.
    void append(std::size_t first, std::size_t last) {
        const std::span<const T> numbers(values + first, last - first);
        const std::span<const std::int64_t> counts(lengths + first, last - first);
        if (lengths_out_ != nullptr) {
            out_->append(numbers);
            lengths_out_->append(counts);
        } else {
            out_->append(counts, numbers);
        }
    }

    T* values = nullptr;
    std::int64_t* lengths = nullptr;

 private:
    array_output* out_;
    array_output* lengths_out_;
};

template <number T>
void encode_runs(const job& of, run_output<T> runs) {
    progress bar(of.in.bytes());
    input_windows windows(of.in, window_items(of.where.window_bytes, sizeof(std::int64_t)));
    std::optional<T> open;  // the last run of the windows before
    std::int64_t open_length = 0;
    while (windows.next()) {
        const std::size_t items = windows.items();
        // The open run, then those of the window, of which the last one stays open.
        runs.take_room(items + 1);
        T* const values = runs.values;
        std::int64_t* const lengths = runs.lengths;
        const std::size_t last = kept_kernels<T>::run_length_encode(
            windows.load(values + 1), items, values + 1, lengths + 1, of.where);
        std::size_t first = 1;
        if (open == values[1]) {
            values[1] = *open;  // of -0 and 0 the first
            lengths[1] += open_length;
        } else if (open) {
            values[0] = *open;
            lengths[0] = open_length;
            first = 0;
        }
        runs.append(first, last);
        open = values[last];
        open_length = lengths[last];
        bar.advance(items * sizeof(T));
    }
    if (!open) return;
    runs.take_room(1);
    runs.values[0] = *open;
    runs.lengths[0] = open_length;
    runs.append(0, 1);
}

}  // namespace

void run_rle(const rle_arguments& arguments) {
    std::optional<output_target> lengths_target;
    if (arguments.lengths || find_output(arguments).kind != file_kind::text) {
        lengths_target = find_second(arguments.lengths, "--lengths", "LENGTHS", arguments);
    }
    run_on_line(arguments, lengths_target, "runs", [&]<class T>(const job& of) -> results {
        array_output out(of.target, of.in.type());
        out.begin_to_grow();
        if (!lengths_target) {
            encode_runs<T>(of, {out, nullptr});
            return {out.appended(), array_output::finish({&of.in}, {&out})};
        }
        array_output lengths_out(*lengths_target, dtype::int64);
        lengths_out.begin_to_grow();
        encode_runs<T>(of, {out, &lengths_out});
        return {out.appended(), array_output::finish({&of.in}, {&out, &lengths_out})};
    });
}

}  // namespace lookback::cli
