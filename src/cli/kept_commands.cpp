// The commands whose results are some of the numbers of an array, or say how they lie in runs.

#include <fmt/format.h>

#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "condition_parser.hpp"
#include "kept_kernels.hpp"
#include "report.hpp"
#include "whole_array.hpp"

namespace lookback::cli {
namespace {

struct results {
    std::size_t count;
    std::uint64_t bytes;
};

// What these commands share. `work` is called as work<T>(in, target, threads) for an input of
// numbers T; `counted` is the name of what it counts.
template <class Work>
void run_on_line(const array_arguments& arguments, const std::optional<output_target>& second,
                 std::string_view counted, const Work& work) {
    const report done;
    const output_target target = find_output(arguments);
    const int threads = parse_threads(arguments.threads);
    const array_input in = open_input(arguments.in, "IN", parse_dtype(arguments.dtype, "--dtype"));
    check_line(in, arguments.in);
    const results found = with_type(in.type(), [&]<class T>(std::type_identity<T>) {
        return work.template operator()<T>(in, target, threads);
    });
    if (!arguments.wants_json) return;
    done.print(fmt::format("\"n\": {}, \"{}\": {}, \"type\": \"{}\", {}", in.items(), counted,
                           found.count, name(in.type()), cpu_fields(threads)),
               in.bytes() + found.bytes,
               is_standard_output(target) || (second && is_standard_output(*second)));
}

// The second output, whatever the first one is.
output_target find_second(const std::string& path, std::string_view option, std::string_view kind,
                          const array_arguments& arguments) {
    output_target second =
        find_output(path, option, kind, std::nullopt, arguments.dtype.has_value());
    check_distinct(find_output(arguments), "-o", second, option);
    return second;
}

}  // namespace

void run_select(const where_arguments& arguments) {
    run_on_line(
        arguments, std::nullopt, "kept",
        [&]<class T>(const array_input& in, const output_target& target, int threads) -> results {
            const auto where = parse_condition<T>(arguments.where, "--where");
            array_output out(target, in.type());
            const whole_input<T> all(in);
            const auto kept = room_for<T>(all.items());
            const std::size_t count =
                kept_kernels<T>::select(all.data(), all.items(), kept.get(), where, threads);
            write_whole<T>(out, {{kept.get(), count}});
            return {count, finish(in, {&out})};
        });
}

void run_partition(const where_arguments& arguments) {
    std::optional<output_target> rest_target;
    if (arguments.rest) rest_target = find_second(*arguments.rest, "--rest", "REST", arguments);
    run_on_line(
        arguments, rest_target, "kept",
        [&]<class T>(const array_input& in, const output_target& target, int threads) -> results {
            const auto where = parse_condition<T>(arguments.where, "--where");
            array_output out(target, in.type());
            std::optional<array_output> rest_out;
            if (rest_target) rest_out.emplace(*rest_target, in.type());
            const whole_input<T> all(in);
            const auto kept = room_for<T>(all.items());
            const auto rest = room_for<T>(all.items());
            const std::size_t count = kept_kernels<T>::partition(
                all.data(), all.items(), kept.get(), rest.get(), where, threads);
            const std::span<const T> first(kept.get(), count);
            const std::span<const T> second(rest.get(), all.items() - count);
            if (!rest_out) {
                write_whole<T>(out, {first, second});
                return {count, finish(in, {&out})};
            }
            write_whole<T>(out, {first});
            write_whole<T>(*rest_out, {second});
            return {count, finish(in, {&out, &*rest_out})};
        });
}

void run_unique(const array_arguments& arguments) {
    run_on_line(
        arguments, std::nullopt, "runs",
        [&]<class T>(const array_input& in, const output_target& target, int threads) -> results {
            array_output out(target, in.type());
            const whole_input<T> all(in);
            const auto firsts = room_for<T>(all.items());
            const std::size_t count =
                kept_kernels<T>::unique(all.data(), all.items(), firsts.get(), threads);
            write_whole<T>(out, {{firsts.get(), count}});
            return {count, finish(in, {&out})};
        });
}

void run_rle(const rle_arguments& arguments) {
    const output_target lengths_target =
        find_second(arguments.lengths, "--lengths", "LENGTHS", arguments);
    run_on_line(
        arguments, lengths_target, "runs",
        [&]<class T>(const array_input& in, const output_target& target, int threads) -> results {
            array_output out(target, in.type());
            array_output lengths_out(lengths_target, dtype::int64);
            const whole_input<T> all(in);
            const auto values = room_for<T>(all.items());
            const auto lengths = room_for<std::int64_t>(all.items());
            const std::size_t count = kept_kernels<T>::run_length_encode(
                all.data(), all.items(), values.get(), lengths.get(), threads);
            write_whole<T>(out, {{values.get(), count}});
            write_whole<std::int64_t>(lengths_out, {{lengths.get(), count}});
            return {count, finish(in, {&out, &lengths_out})};
        });
}

}  // namespace lookback::cli
