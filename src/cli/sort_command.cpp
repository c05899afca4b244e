// `lookback sort`: the numbers of an array in order, by themselves or by keys, or the permutation
// that puts them in order.

#include <fmt/format.h>

#include <new>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "report.hpp"
#include "segments.hpp"
#include "temporary_file.hpp"
#include "windowed_sort.hpp"

namespace lookback::cli {
namespace {

// Options that do not go together are reported before anything is read.
void check_options(const sort_arguments& arguments) {
    if (!arguments.by_key) {
        if (arguments.key_dtype) fail("--key-dtype: is for --by-key");
        if (arguments.key_column) fail("--key-column: is for --by-key");
        if (arguments.keys_out) fail("--keys: is for --by-key; without it, -o has the keys");
        return;
    }
    if (arguments.wants_order) {
        fail("--order: cannot be used with --by-key; expected lookback sort {} --order",
             *arguments.by_key);
    }
    if (arguments.column && arguments.key_column) return;  // perhaps of one table
    check_inputs(arguments.in, "IN", *arguments.by_key, "--by-key");
}

std::optional<output_target> find_keys_output(const sort_arguments& arguments,
                                              const output_target& target) {
    if (!arguments.keys_out) return std::nullopt;
    const output_target keys =
        find_output(arguments.keys_out, "--keys", "KEYS", std::nullopt,
                    arguments.key_dtype.has_value(), parse_format(arguments));
    check_distinct(target, "-o", keys, "--keys");
    return keys;
}

std::size_t sort_or_tell(const sort_plan& plan) {
    try {
        return windowed_sort(plan);
    } catch (const std::bad_alloc&) {
        fail("not enough memory for two windows of {} bytes; expected a smaller --window",
             plan.where.large_window_bytes());
    }
}

}  // namespace

void run_sort(const sort_arguments& arguments) {
    const report done;
    const output_target target = find_output(arguments);
    workplace where = parse_workplace(arguments);
    check_options(arguments);
    const std::optional<output_target> keys_target = find_keys_output(arguments, target);
    reading how = held(arguments), how_keys = how;
    if (arguments.by_key) {
        take_columns(arguments, *arguments.by_key, arguments.key_column, how, how_keys);
    } else {
        take_column(arguments, how);
    }
    const array_input in =
        open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"), how);
    std::optional<array_input> by;
    if (arguments.by_key) {
        by.emplace(open_input(*arguments.by_key, "--by-key",
                              parse_dtype(arguments.key_dtype, "--key-dtype"), how_keys));
        check_keys(*by, *arguments.by_key, in, arguments.in);
    } else {
        check_line(in, arguments.in);
    }
    where.take_gpu();

    const array_input& keys = by ? *by : in;
    const element type = arguments.wants_order ? dtype::int64 : in.stored();
    const std::size_t shape[] = {in.items()};
    array_output out(target, type, where.threads);
    out.begin(shape);
    std::optional<array_output> keys_out;
    if (keys_target) {
        keys_out.emplace(*keys_target, keys.stored());
        keys_out->begin(shape);
    }
    const bool is_of_keys = !by && !arguments.wants_order;
    const std::size_t windows =
        sort_or_tell({.keys = keys,
                      .is_descending = arguments.is_descending,
                      .values = by ? &in : nullptr,
                      .has_positions = arguments.wants_order,
                      .keys_out = is_of_keys ? &out
                                  : keys_out ? &*keys_out
                                             : nullptr,
                      .loads_out = is_of_keys ? nullptr : &out,
                      .temporary_place = directory_for(file_of(target.path)),
                      .where = where});
    std::vector<array_output*> outputs{&out};
    if (keys_out) outputs.push_back(&*keys_out);
    array_output::finish({&in, &keys}, outputs, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(
            fmt::format("\"n\": {}, \"windows\": {}, \"key_type\": \"{}\", \"type\": \"{}\", {}",
                        in.items(), windows, name(keys.stored()), name(type), where.fields()),
            in.bytes() + (by ? by->bytes() : 0) + written,
            is_standard_output(target) || (keys_target && is_standard_output(*keys_target)));
    });
}

}  // namespace lookback::cli
