// `lookback reduce-by-key`: the fold of the values of each run of equal keys.

#include <fmt/format.h>

#include "arguments.hpp"
#include "commands.hpp"
#include "kept_kernels.hpp"
#include "kernels.hpp"
#include "report.hpp"
#include "segments.hpp"
#include "whole_array.hpp"

namespace lookback::cli {

void run_reduce_by_key(const reduce_arguments& arguments) {
    const report done;
    const output_target keys_target =
        find_output(arguments.out, "-o", "OUT", std::nullopt, arguments.key_dtype.has_value());
    const output_target values_target = find_output(arguments.values_out, "--values", "OUT",
                                                    std::nullopt, arguments.dtype.has_value());
    check_distinct(keys_target, "-o", values_target, "--values");
    const operation op = parse_operation(arguments.op);
    const int threads = parse_threads(arguments.threads);
    check_inputs(arguments.keys, "KEYS", arguments.in, "VALUES");
    const array_input keys =
        open_input(arguments.keys, "KEYS", parse_dtype(arguments.key_dtype, "--key-dtype"));
    const array_input values =
        open_input(arguments.in, "VALUES", parse_dtype(arguments.dtype, "--dtype"));
    check_keys(keys, arguments.keys, values, arguments.in);
    const dtype type = choose_accumulator(arguments.out_dtype, op, values, arguments.in);

    array_output keys_out(keys_target, keys.type());
    array_output values_out(values_target, type);
    const auto heads = room_for<std::uint8_t>(keys.items());
    const std::size_t runs = with_type(keys.type(), [&]<class K>(std::type_identity<K>) {
        const whole_input<K> all(keys);
        const auto firsts = room_for<K>(all.items());
        const std::size_t count =
            kept_kernels<K>::unique(all.data(), all.items(), firsts.get(), threads);
        write_whole<K>(keys_out, {{firsts.get(), count}});
        kept_kernels<K>::find_heads(all.data(), all.items(), heads.get(), threads);
        return count;
    });
    with_type(type, [&]<class T>(std::type_identity<T>) {
        const whole_input<T> all(values);
        const auto folds = room_for<T>(all.items());
        kernels_of<T>(op).reduce_segments(all.data(), all.items(), heads.get(), folds.get(),
                                          threads);
        write_whole<T>(values_out, {{folds.get(), runs}});
    });
    keys.check_complete();
    const std::uint64_t written = finish(values, {&keys_out, &values_out});
    if (!arguments.wants_json) return;
    done.print(fmt::format("\"n\": {}, \"runs\": {}, \"key_type\": \"{}\", \"type\": \"{}\", {}",
                           keys.items(), runs, name(keys.type()), name(type), cpu_fields(threads)),
               keys.bytes() + values.bytes() + written,
               is_standard_output(keys_target) || is_standard_output(values_target));
}

}  // namespace lookback::cli
