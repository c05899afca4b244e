// `lookback reduce`: the fold of all numbers. `lookback reduce-by-key`: the fold of the values of
// each run of equal keys.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "fold_by_key.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "run_folds.hpp"
#include "segments.hpp"
#include "table/table.hpp"
#include "windows.hpp"
#include "workplace.hpp"

namespace lookback::cli {
namespace {

// Folds all numbers as one run. Returns false if there are none.
bool fold_all(const fold& of, const array_input& in, array_output& out, const workplace& where) {
    const dtype type = out.type();
    const std::size_t window = fold_window(of, type, 1, where);
    const std::size_t most = in.stream() != nullptr ? window : std::min(window, in.items());
    std::vector<std::uint8_t> heads(most);
    std::vector<std::uint64_t> known(most + 1);  // no type is wider
    auto* const room = reinterpret_cast<std::byte*>(known.data());
    std::byte* const result = out.room(1);
    run_folds folds(of, type, where);
    progress bar(in.stream() != nullptr ? 0 : in.bytes());
    input_windows windows(in, window);
    windows.fill();  // so the sum of floats does not depend on when they arrive
    while (windows.next()) {
        heads[0] = windows.first() == 0 ? 1 : 0;
        folds.next(windows, heads.data(), room);
        bar.advance(windows.items() * in.item_bytes());
    }
    if (in.items() == 0) return false;
    folds.finish(result);
    out.write(result, 1, 0);
    return true;
}

// The fold of no numbers. Fails if it is not defined.
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
    fail("--device cuda: does not support --op first and last; expected --device cpu");
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
    reading how = streamed(arguments, may_stream);
    take_column(arguments, how);
    const array_input in =
        open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"), how);
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

namespace {

// Where keys and folds go. Without --values, both go to one output of text.
struct run_targets {
    output_target keys;
    std::optional<output_target> folds;
};

run_targets find_run_targets(const reduce_arguments& arguments) {
    std::optional<std::string> otherwise;
    if (arguments.keys == "-" || arguments.in == "-") otherwise = "-";
    const file_kind format = parse_format(arguments);
    run_targets found{
        find_output(arguments.out, "-o", "OUT", otherwise, arguments.key_dtype.has_value(), format),
        std::nullopt};
    if (!arguments.values_out && found.keys.kind == file_kind::text) return found;
    found.folds = find_output(arguments.values_out, "--values", "OUT", std::nullopt,
                              arguments.dtype.has_value(), format);
    check_distinct(found.keys, "-o", *found.folds, "--values");
    return found;
}

// How keys and values are read: as they arrive, if the outputs may take any type.
void choose_reading(const reduce_arguments& arguments, const run_targets& targets,
                    const workplace& where, reading& how_keys, reading& how) {
    const output_target& folds = targets.folds ? *targets.folds : targets.keys;
    const bool keys_are_open =
        has_open_type(arguments, arguments.keys, arguments.key_dtype, arguments.key_column);
    const bool may_stream = !where.is_gpu &&
                            (targets.keys.kind == file_kind::text || !keys_are_open) &&
                            (folds.kind == file_kind::text || !has_open_type(arguments));
    how_keys = how = streamed(arguments, may_stream);
    take_columns(arguments, arguments.keys, arguments.key_column, how, how_keys);
}

}  // namespace

void run_reduce_by_key(const reduce_arguments& arguments) {
    const report done;
    const run_targets targets = find_run_targets(arguments);
    const char separator = column_separator(arguments, targets.keys);
    const fold of = parse_fold(arguments.op);
    workplace where = parse_workplace(arguments);
    refuse_on_gpu(of, where);
    if (!arguments.column || !arguments.key_column) {
        check_inputs(arguments.keys, "KEYS", arguments.in, "VALUES");
    }
    reading how_keys, how;
    choose_reading(arguments, targets, where, how_keys, how);
    const array_input keys = open_input(arguments.keys, "KEYS",
                                        parse_dtype(arguments.key_dtype, "--key-dtype"), how_keys);
    const array_input values =
        open_input(arguments.in, "VALUES", parse_dtype(arguments.dtype, "--dtype"), how);
    check_keys(keys, arguments.keys, values, arguments.in);
    const auto written_as = [&] {
        return choose_fold_type(of, arguments.out_dtype, arguments.is_promoted, values,
                                arguments.in);
    };
    const element type = written_as();
    where.take_gpu();

    array_output keys_out(targets.keys, keys.stored(), where.threads);
    keys_out.begin_to_grow();
    std::optional<array_output> folds_out;
    if (targets.folds) folds_out.emplace(*targets.folds, type, where.threads).begin_to_grow();
    fold_by_key(of, {keys, arguments.keys, values, arguments.in, written_as},
                {keys_out, keys.stored(), folds_out ? *folds_out : keys_out, type, separator},
                where);
    std::vector<array_output*> outputs{&keys_out};
    if (folds_out) outputs.push_back(&*folds_out);
    array_output::finish({&keys, &values}, outputs, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(
            fmt::format("\"n\": {}, \"runs\": {}, \"key_type\": \"{}\", \"in_type\": \"{}\", "
                        "\"type\": \"{}\", {}",
                        keys.items(), keys_out.appended(), name(keys.stored()),
                        name(values.stored()), name(written_as()), where.fields()),
            keys.bytes() + values.bytes() + written,
            is_standard_output(targets.keys) ||
                (targets.folds && is_standard_output(*targets.folds)));
    });
}

}  // namespace lookback::cli
