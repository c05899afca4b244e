// `lookback reduce-by-key`: the fold of the values of each run of equal keys.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "segments.hpp"
#include "table/table.hpp"
#include "windows.hpp"
#include "workplace.hpp"

namespace lookback::cli {
namespace {

// Reads keys, window by window: appends the key of each run that begins in the next window to
// `out`, and finds the heads there.
class key_reader {
 public:
    key_reader(const array_input& keys, std::size_t window, array_output& out,
               const workplace& where)
        : windows_(keys, window), type_(keys.type()), out_(out), where_(where) {}

    void read(std::uint8_t* heads) {
        windows_.next();
        const std::size_t items = windows_.items();
        const std::size_t size = size_of(type_);
        std::byte* const firsts = out_.room(items);
        const auto* const all = static_cast<const std::byte*>(windows_.load(type_, firsts));
        find_heads(type_, all, items, last_, heads, where_.threads);
        last_ = scalar(type_, all + (items - 1) * size);
        const std::size_t goes_on = heads[0] == 0 ? 1 : 0;
        const std::size_t runs = unique(where_.on(), type_, all, items, firsts);
        out_.append(firsts + goes_on * size, runs - goes_on);
    }

 private:
    input_windows windows_;
    dtype type_;
    std::optional<scalar> last_;  // key of the windows before
    array_output& out_;
    const workplace& where_;
};

// On the CPU, windows are whole tiles of the library's reduction by key, and each goes on with the
// fold of the run that is open where the one before it ends: the bits are those of one reduction of
// all.
void reduce(operation op, const array_input& keys, const array_input& values,
            array_output& keys_out, array_output& values_out, const workplace& where) {
    const dtype type = values_out.type();
    const std::size_t window =
        window_items(where.window_bytes, std::max(size_of(type), size_of(keys.type())),
                     reduce_segments_tile(type, where.on()));
    key_reader reader(keys, window, keys_out, where);
    std::vector<std::uint8_t> heads(std::min(window, values.items()));
    std::optional<scalar> open;  // the fold of the last run of the windows before
    progress bar(keys.bytes() + values.bytes());
    input_windows windows(values, window);
    while (windows.next()) {
        const std::size_t items = windows.items();
        reader.read(heads.data());
        std::byte* const folds = values_out.room(items + 1);
        const std::size_t closed = reduce_segments(where.on(), type, op, windows.load(type, folds),
                                                   items, heads.data(), folds, open);
        values_out.append(folds, closed);
        bar.advance(items * (keys.item_bytes() + values.item_bytes()));
    }
    if (!open) return;
    std::byte* const last = values_out.room(1);
    open->put(type, last);
    values_out.append(last, 1);
}

}  // namespace

void run_reduce_by_key(const reduce_arguments& arguments) {
    const report done;
    const output_target keys_target =
        find_output(arguments.out, "-o", "OUT", std::nullopt, arguments.key_dtype.has_value());
    const output_target values_target = find_output(arguments.values_out, "--values", "OUT",
                                                    std::nullopt, arguments.dtype.has_value());
    check_distinct(keys_target, "-o", values_target, "--values");
    const operation op = parse_operation(arguments.op);
    workplace where = parse_workplace(arguments);
    check_inputs(arguments.keys, "KEYS", arguments.in, "VALUES");
    const array_input keys =
        open_input(arguments.keys, "KEYS", parse_dtype(arguments.key_dtype, "--key-dtype"));
    const array_input values =
        open_input(arguments.in, "VALUES", parse_dtype(arguments.dtype, "--dtype"));
    check_keys(keys, arguments.keys, values, arguments.in);
    const element type =
        choose_accumulator(arguments.out_dtype, arguments.is_promoted, op, values, arguments.in);
    where.take_gpu();

    array_output keys_out(keys_target, keys.stored());
    array_output values_out(values_target, type);
    keys_out.begin_to_grow();
    values_out.begin_to_grow();
    reduce(op, keys, values, keys_out, values_out, where);
    array_output::finish({&keys, &values}, {&keys_out, &values_out}, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(
            fmt::format("\"n\": {}, \"runs\": {}, \"key_type\": \"{}\", \"in_type\": \"{}\", "
                        "\"type\": \"{}\", {}",
                        keys.items(), keys_out.appended(), name(keys.stored()),
                        name(values.stored()), name(type), where.fields()),
            keys.bytes() + values.bytes() + written,
            is_standard_output(keys_target) || is_standard_output(values_target));
    });
}

}  // namespace lookback::cli
