// `lookback reduce`: the fold of all numbers. `lookback reduce-by-key`: that of the values of each
// run of equal keys.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "run_folds.hpp"
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

std::size_t window_of(const fold& of, dtype type, std::size_t other_size, const workplace& where) {
    const dtype computed = of.computed_in(type);
    return window_items(where.window_bytes, std::max(size_of(computed), other_size),
                        reduce_segments_tile(computed, where.on()));
}

void fold_by_key(const fold& of, const array_input& keys, const array_input& values,
                 array_output& keys_out, array_output& values_out, const workplace& where) {
    const dtype type = values_out.type();
    const std::size_t window = window_of(of, type, size_of(keys.type()), where);
    key_reader reader(keys, window, keys_out, where);
    std::vector<std::uint8_t> heads(std::min(window, values.items()));
    run_folds folds(of, type, where);
    progress bar(keys.bytes() + values.bytes());
    input_windows windows(values, window);
    while (windows.next()) {
        const std::size_t items = windows.items();
        reader.read(heads.data());
        std::byte* const known = values_out.room(items + 1);
        values_out.append(known, folds.next(windows, heads.data(), known));
        bar.advance(items * (keys.item_bytes() + values.item_bytes()));
    }
    std::byte* const last = values_out.room(1);
    values_out.append(last, folds.finish(last) ? 1 : 0);
}

// As the fold of one run. False where there is nothing.
bool fold_all(const fold& of, const array_input& in, array_output& out, const workplace& where) {
    const dtype type = out.type();
    const std::size_t window = window_of(of, type, 1, where);
    const std::size_t most = in.stream() != nullptr ? window : std::min(window, in.items());
    std::vector<std::uint8_t> heads(most);
    std::vector<std::uint64_t> known(most + 1);  // no type is wider
    auto* const room = reinterpret_cast<std::byte*>(known.data());
    std::byte* const result = out.room(1);
    run_folds folds(of, type, where);
    progress bar(in.stream() != nullptr ? 0 : in.bytes());
    input_windows windows(in, window);
    windows.fill();  // the sum of floats does not depend on when they arrive
    while (windows.next()) {
        heads[0] = windows.first() == 0 ? 1 : 0;
        if (folds.next(windows, heads.data(), room) > 0) std::memcpy(result, room, size_of(type));
        bar.advance(windows.items() * in.item_bytes());
    }
    if (in.items() == 0) return false;
    folds.finish(result);
    out.write(result, 1, 0);
    return true;
}

// What a fold of nothing is, where it is something.
scalar fold_of_nothing(const fold& of, const std::string& path, dtype type) {
    if (of.kind == fold_kind::count) return scalar(std::int64_t{0});
    if (of.kind == fold_kind::mean) {
        const double mean = std::numeric_limits<double>::quiet_NaN();
        scalar result(mean);
        if (type == dtype::float32) result = scalar(static_cast<float>(mean));
        return result;
    }
    const bool is_operator = of.kind == fold_kind::by_operator;
    if (!is_operator || of.op == operation::min || of.op == operation::max) {
        fail("{}: has no numbers; expected one or more for --op {}", path,
             is_operator                   ? name(of.op)
             : of.kind == fold_kind::first ? "first"
                                           : "last");
    }
    return identity_of(type, of.op);
}

void refuse_on_gpu(const fold& of, const workplace& where) {
    if (!where.is_gpu || (of.kind != fold_kind::first && of.kind != fold_kind::last)) return;
    fail("--device cuda: knows no --op first and last; expected --device cpu");
}

}  // namespace

void run_reduce(const fold_arguments& arguments) {
    const report done;
    const output_target target = find_output(arguments.out, "-o", "OUT", "-",
                                             arguments.dtype.has_value(), parse_format(arguments));
    const fold of = parse_fold(arguments.op);
    workplace where = parse_workplace(arguments);
    refuse_on_gpu(of, where);
    const bool may_stream = !where.is_gpu && !has_open_type(arguments);
    const array_input in = open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"),
                                      streamed(arguments, may_stream));
    const element type =
        choose_fold_type(of, arguments.out_dtype, arguments.is_promoted, in, arguments.in);
    where.take_gpu();

    array_output out(target, type);
    out.begin({});
    if (!fold_all(of, in, out, where)) {
        const scalar nothing = fold_of_nothing(of, arguments.in, type.computed);
        std::byte* const result = out.room(1);
        nothing.put(type.computed, result);
        out.write(result, 1, 0);
    }
    array_output::finish({&in}, {&out}, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(fmt::format("\"n\": {}, \"in_type\": \"{}\", \"type\": \"{}\", {}", in.items(),
                               name(in.stored()), name(type), where.fields()),
                   in.bytes() + written, is_standard_output(target));
    });
}

void run_reduce_by_key(const reduce_arguments& arguments) {
    const report done;
    const output_target keys_target =
        find_output(arguments.out, "-o", "OUT", std::nullopt, arguments.key_dtype.has_value(),
                    parse_format(arguments));
    const output_target values_target =
        find_output(arguments.values_out, "--values", "OUT", std::nullopt,
                    arguments.dtype.has_value(), parse_format(arguments));
    check_distinct(keys_target, "-o", values_target, "--values");
    const fold of = parse_fold(arguments.op);
    workplace where = parse_workplace(arguments);
    refuse_on_gpu(of, where);
    check_inputs(arguments.keys, "KEYS", arguments.in, "VALUES");
    const array_input keys = open_input(
        arguments.keys, "KEYS", parse_dtype(arguments.key_dtype, "--key-dtype"), held(arguments));
    const array_input values = open_input(arguments.in, "VALUES",
                                          parse_dtype(arguments.dtype, "--dtype"), held(arguments));
    check_keys(keys, arguments.keys, values, arguments.in);
    const element type =
        choose_fold_type(of, arguments.out_dtype, arguments.is_promoted, values, arguments.in);
    where.take_gpu();

    array_output keys_out(keys_target, keys.stored(), where.threads);
    array_output values_out(values_target, type, where.threads);
    keys_out.begin_to_grow();
    values_out.begin_to_grow();
    fold_by_key(of, keys, values, keys_out, values_out, where);
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
