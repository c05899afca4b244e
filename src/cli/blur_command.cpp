// `lookback blur` and `lookback dof`: each pixel of an image becomes the mean of a square around
// it. A radius, or a depth, says how large the square is.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "image_input.hpp"
#include "lookback/box_filter.hpp"
#include "png.hpp"
#include "report.hpp"
#include "table/images.hpp"
#include "text.hpp"
#include "workplace.hpp"

namespace lookback::cli {
namespace {

constexpr std::int64_t most_radius = detail::largest_radius;

constexpr std::array<std::string_view, 3> border_names{"clamp", "zero", "reflect"};

image_border parse_border(const std::optional<std::string>& text) {
    if (!text || *text == "clamp") return image_border::clamp;
    if (*text == "zero") return image_border::zero;
    if (*text == "reflect") return image_border::reflect;
    fail("--border {}: unknown border; expected one of {}", *text, fmt::join(border_names, ", "));
}

std::int32_t parse_radius(const std::string& text) {
    const auto radius = parse_number<std::int64_t>(text, "--radius");
    if (radius < 0 || radius > most_radius) {
        fail("--radius {}: expected 0 to {}, or a name ending in .npy", text, most_radius);
    }
    return static_cast<std::int32_t>(radius);
}

float parse_finite(const std::string& text, std::string_view option) {
    const auto number = parse_number<float>(text, option);
    if (!std::isfinite(number)) fail("{} {}: expected a finite number", option, text);
    return number;
}

// For arrays that have a number for each pixel of an image: checks their shape.
void check_same_size(const array_input& numbers, const std::string& path, const image& picture,
                     const std::string& picture_path) {
    if (numbers.shape() == std::vector<std::size_t>{picture.height, picture.width}) return;
    fail("{}: has shape ({}); expected ({}, {}), that of {}", path,
         fmt::join(numbers.shape(), ", "), picture.height, picture.width, picture_path);
}

std::vector<std::int32_t> read_radii(const std::string& path, const image& picture,
                                     const std::string& picture_path) {
    const array_input in(path, std::nullopt);
    if (is_float(in.type())) fail("{}: holds {}; expected integers", path, name(in.type()));
    check_same_size(in, path, picture, picture_path);
    std::vector<std::int32_t> radii(in.items());
    with_type(in.type(), [&]<class T>(std::type_identity<T>) {
        if constexpr (std::integral<T>) {
            constexpr dtype type = dtype_of<T>();
            std::vector<T> room(in.lies_as(type) ? 0 : in.items());
            const auto* const from =
                static_cast<const T*>(in.load(0, in.items(), type, room.data()));
            for (std::size_t i = 0; i < radii.size(); ++i) {
                if (std::cmp_less(from[i], 0) || std::cmp_greater(from[i], most_radius)) {
                    fail("{}: the radius of row {}, column {} is {}; expected 0 to {}", path,
                         i / picture.width, i % picture.width, from[i], most_radius);
                }
                radii[i] = static_cast<std::int32_t>(from[i]);
            }
        }
    });
    in.check_complete();
    return radii;
}

std::vector<float> read_depths(const std::string& path, const image& picture,
                               const std::string& picture_path) {
    const array_input in = open_image_array(path, "DEPTH");
    if (is_npy(path) && !is_float(in.type())) {
        fail("{}: holds {}; expected float32 or float64, or a grey PNG file", path,
             name(in.type()));
    }
    check_same_size(in, path, picture, picture_path);
    std::vector<float> depths(in.items());
    const auto* const from =
        static_cast<const float*>(in.load(0, depths.size(), dtype::float32, depths.data()));
    const float white = in.type() == dtype::uint8 ? 255.0F : 65535.0F;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        depths[i] = is_npy(path) ? from[i] : from[i] / white;
        if (!std::isfinite(depths[i])) {
            fail("{}: the depth of row {}, column {} is {}; expected a finite number", path,
                 i / picture.width, i % picture.width, depths[i]);
        }
    }
    in.check_complete();
    return depths;
}

// Calls `blur(machine, picture)`, which makes another image of `in`, and writes that image.
template <class Blur>
void write_picture(const picture_arguments& arguments, const image& in, workplace where,
                   const report& done, const Blur& blur) {
    where.take_gpu();
    image out{.height = in.height,
              .width = in.width,
              .channels = in.channels,
              .type = in.type,
              .samples = {}};
    out.samples.room(in.bytes());
    out.samples.grow(in.bytes());
    output_file to(arguments.out);  // first: so errors come before the work
    blur(where.on(), picture{in.type, in.height, in.width, static_cast<std::size_t>(in.channels),
                             in.samples.data(), out.samples.data()});
    const byte_buffer file = format_png(out, arguments.out);
    to.append({file.data(), file.size()});
    output_file* const files[] = {&to};
    output_file::commit(files, [&] {
        if (!arguments.wants_json) return;
        done.print(
            fmt::format("\"height\": {}, \"width\": {}, \"channels\": {}, \"type\": \"{}\", {}",
                        in.height, in.width, in.channels, name(in.type), where.fields()),
            in.bytes() + out.bytes(), is_standard_output({arguments.out, file_kind::raw}));
    });
}

void check_output(const picture_arguments& arguments) {
    if (arguments.out.empty()) fail("-o: the name is empty; expected that of a PNG file, or -");
    if (arguments.out == "-" || named_descriptor(arguments.out) ||
        arguments.out.ends_with(".png")) {
        return;
    }
    fail("-o {}: unknown kind of file; expected a name ending in .png, or -", arguments.out);
}

}  // namespace

void run_blur(const blur_arguments& arguments) {
    const report done;
    check_output(arguments);
    workplace where = parse_workplace(arguments.threads, std::nullopt, arguments.device);
    const image_border border = parse_border(arguments.border);
    const bool has_radii = is_npy(arguments.radius);
    const std::int32_t radius = has_radii ? 0 : parse_radius(arguments.radius);
    const image in = open_png(arguments.in, "IN");
    std::vector<std::int32_t> radii;
    if (has_radii) radii = read_radii(arguments.radius, in, arguments.in);
    write_picture(arguments, in, std::move(where), done, [&](const machine& on, const picture& p) {
        if (has_radii) {
            blur(on, p, radii.data(), border);
        } else {
            blur(on, p, radius, border);
        }
    });
}

void run_dof(const dof_arguments& arguments) {
    const report done;
    check_output(arguments);
    workplace where = parse_workplace(arguments.threads, std::nullopt, arguments.device);
    const float focus = parse_finite(arguments.focus, "--focus");
    const float aperture = parse_finite(arguments.aperture, "--aperture");
    if (aperture < 0) fail("--aperture {}: expected 0 or more", arguments.aperture);
    const image in = open_png(arguments.in, "IN");
    const std::vector<float> depths = read_depths(arguments.depth, in, arguments.in);
    const focus_settings settings{
        .focus = focus, .aperture = aperture, .keep_sharp_apart = arguments.keeps_sharp_apart};
    write_picture(arguments, in, std::move(where), done, [&](const machine& on, const picture& p) {
        blur(on, p, depths.data(), settings);
    });
}

}  // namespace lookback::cli
