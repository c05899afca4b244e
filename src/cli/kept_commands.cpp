// The commands whose results are some of the numbers of an array, or say how they lie in runs.

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "arguments.hpp"
#include "commands.hpp"
#include "descriptors.hpp"
#include "kept_kernels.hpp"
#include "report.hpp"
#include "whole_array.hpp"

namespace lookback::cli {
namespace {

struct results {
    std::size_t count;
    std::uint64_t bytes;
};

// Has `work` done on the input by what all these commands share: work<T>(in, target, threads) for
// an input of numbers T. `counted` is the name of the count of results.
template <class Work>
void run_on_line(const array_arguments& arguments, std::string_view counted, const Work& work) {
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
               in.bytes() + found.bytes, named_descriptor(target.path) == STDOUT_FILENO);
}

}  // namespace

void run_select(const kept_arguments& arguments) {
    run_on_line(
        arguments, "kept",
        [&]<class T>(const array_input& in, const output_target& target, int threads) -> results {
            const auto where = parse_condition<T>(arguments.where, "--where");
            array_output out(target.path, target.kind, in.type());
            const whole_input<T> all(in);
            const auto kept = room_for<T>(all.items());
            const std::size_t count =
                kept_kernels<T>::select(all.data(), all.items(), kept.get(), where, threads);
            write_whole<T>(out, {{kept.get(), count}});
            in.check_complete();
            array_output::finish({&out});
            return {count, out.bytes_written()};
        });
}

}  // namespace lookback::cli
