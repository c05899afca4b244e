// `lookback network`: what a scan network costs, and its drawing.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <span>
#include <vector>

#include "commands.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "output_file.hpp"
#include "strategies/networks/constructions.hpp"
#include "strategies/networks/svg.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

constexpr std::uint32_t most_inputs = 4096;  // Kogge & Stone's: 45,057 operators to draw

const strategies::named_construction& find_construction(const std::string& name) {
    std::vector<std::string_view> names;
    for (const auto& c : strategies::named_constructions()) {
        if (c.name == name) return c;
        names.push_back(c.name);
    }
    fail("NAME {}: unknown network; expected {}", name, fmt::join(names, ", "));
}

void write_file(const std::string& path, std::string_view text) {
    output_file file(path);
    const auto bytes = std::as_bytes(std::span(text));
    if (file.is_sequential()) {
        file.append(bytes);
    } else {
        file.write_at(0, bytes);
    }
    output_file::commit(std::array{&file});
}

}  // namespace

void run_network(const network_arguments& arguments) {
    const auto& construction = find_construction(arguments.name);
    const auto inputs = parse_number<std::uint64_t>(arguments.inputs, "N");
    if (inputs == 0 || inputs > most_inputs) {
        fail("N {}: expected 1 to {} inputs", arguments.inputs, most_inputs);
    }
    const auto n = static_cast<std::uint32_t>(inputs);
    const strategies::network net = strategies::build(construction.build, n);
    if (arguments.out) {
        if (arguments.out->empty()) fail("-o: the name is empty; expected a file, or -");
        const std::string title = fmt::format("{} of {} inputs: depth {}, {} operators",
                                              construction.name, n, net.depth(), net.size());
        write_file(*arguments.out, strategies::draw_svg(net, title));
        if (named_descriptor(*arguments.out) == STDOUT_FILENO) return;
    }
    print(
        fmt::format("network    {}\n"
                    "source     {}\n"
                    "inputs     {}\n"
                    "depth      {}\n"
                    "operators  {}\n"
                    "fan-out    {}\n"
                    "depth + operators  {} (at least {})\n",
                    construction.name, construction.source, n, net.depth(), net.size(),
                    net.fan_out(), net.depth() + net.size(), 2 * n - 2));
}

}  // namespace lookback::cli
