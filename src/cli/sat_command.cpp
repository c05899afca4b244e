// `lookback sat`: the summed-area table of an image, or of each image of a stack.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "image_input.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "windowed_tables.hpp"

namespace lookback::cli {
namespace {

image_shape parse_shape(const std::vector<std::size_t>& shape, const sat_arguments& arguments) {
    if (!is_npy(arguments.in) && (arguments.has_channels || arguments.is_stack)) {
        fail("--{}: is for *.npy; {} is a PNG file, which says itself what it holds",
             arguments.has_channels ? "channels" : "stack", arguments.in);
    }
    const bool has_channels = is_npy(arguments.in) ? arguments.has_channels : shape.size() == 3;
    const bool is_stack = arguments.is_stack;
    const std::string_view expected =
        is_stack       ? has_channels ? "N x H x W x C, with 1 to 4 channels C" : "N x H x W"
        : has_channels ? "H x W x C, with 1 to 4 channels C"
                       : "H x W, or --channels, or --stack";
    const std::size_t first = is_stack ? 1 : 0;
    const bool is_shape = shape.size() == first + 2 + (has_channels ? 1 : 0);
    if (!is_shape || (has_channels && (shape.back() < 1 || shape.back() > 4))) {
        fail("{}: has shape ({}); expected {}", arguments.in, fmt::join(shape, ", "), expected);
    }
    return {.images = is_stack ? shape[0] : 1,
            .height = shape[first],
            .width = shape[first + 1],
            .channels = has_channels ? shape.back() : 1};
}

// Wide enough for the sums of any image that fits in memory, like NumPy's sum. For floats it is
// wider than NumPy's, because areas are differences of sums.
dtype usual_type(dtype in) {
    if (is_float(in)) return dtype::float64;
    return in >= dtype::uint8 ? dtype::uint64 : dtype::int64;
}

dtype choose_type(const sat_arguments& arguments, const array_input& in) {
    if (!arguments.out_dtype) return usual_type(in.type());
    const element written_as =
        choose_accumulator(arguments.out_dtype, false, operation::sum, in, arguments.in);
    const dtype type = written_as.computed;
    if (!is_table_type(type) || written_as.stored != encoding::plain) {
        fail(
            "--out-dtype {}: is too narrow for sums; expected int32, int64, uint32, uint64, "
            "float32 or float64",
            *arguments.out_dtype);
    }
    return type;
}

// The shape of a table, with the row and the column of zeros if there are any.
std::vector<std::size_t> table_shape(std::vector<std::size_t> shape,
                                     const sat_arguments& arguments) {
    const std::size_t first = arguments.is_stack ? 1 : 0;
    if (arguments.is_exclusive) ++shape[first], ++shape[first + 1];
    return shape;
}

}  // namespace

void run_sat(const sat_arguments& arguments) {
    const report done;
    const output_target target = find_output(arguments);
    std::optional<output_target> target_of_squares;
    if (arguments.squares) {
        target_of_squares =
            find_output(arguments.squares, "--squares", "SQUARES", std::nullopt, false);
        check_distinct(target, "-o", *target_of_squares, "--squares");
    }
    workplace where = parse_workplace(arguments);
    const array_input in = open_image_array(arguments.in, "IN");
    const image_shape shape = parse_shape(in.shape(), arguments);
    const dtype type = choose_type(arguments, in);
    const std::vector<std::size_t> to = table_shape(in.shape(), arguments);

    where.take_gpu();  // what it cannot do is reported before there is any output
    array_output out(target, type);
    out.begin(to);
    std::optional<array_output> squares;
    if (target_of_squares) {
        squares.emplace(*target_of_squares, type);
        squares->begin(to);
    }
    std::uint64_t entries = 1;
    for (const std::size_t n : to) entries *= n;
    {
        progress bar(in.bytes() + entries * size_of(type) * (squares ? 2 : 1));
        write_tables({.shape = shape, .is_exclusive = arguments.is_exclusive, .where = where}, in,
                     out, squares ? &*squares : nullptr, bar);
    }
    std::vector<array_output*> outputs{&out};
    if (squares) outputs.push_back(&*squares);
    array_output::finish({&in}, outputs, [&](std::uint64_t written) {
        if (!arguments.wants_json) return;
        done.print(fmt::format("\"images\": {}, \"height\": {}, \"width\": {}, \"channels\": {}, "
                               "\"type\": \"{}\", {}",
                               shape.images, shape.height, shape.width, shape.channels, name(type),
                               where.fields()),
                   in.bytes() + written,
                   is_standard_output(target) ||
                       (target_of_squares && is_standard_output(*target_of_squares)));
    });
}

}  // namespace lookback::cli
