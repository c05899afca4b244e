// `lookback network`: what a scan network or a sorting network costs, and its drawing.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "commands.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "output_file.hpp"
#include "strategies/networks/constructions.hpp"
#include "strategies/networks/sorting.hpp"
#include "strategies/networks/svg.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

constexpr std::uint32_t most_inputs = 4096;  // the bitonic sort's: 159,744 comparators to draw

template <class Named>
const Named* find_network(std::span<const Named> all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &Named::name);
    return found == all.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_network(const std::string& name) {
    std::vector<std::string_view> names;
    for (const auto& c : strategies::named_constructions()) names.push_back(c.name);
    for (const auto& c : strategies::named_sorting_networks()) names.push_back(c.name);
    fail("NAME {}: unknown network; expected {}", name, fmt::join(names, ", "));
}

std::uint32_t network_inputs(const network_arguments& arguments) {
    const auto inputs = parse_number<std::uint64_t>(arguments.inputs, "N");
    if (inputs == 0 || inputs > most_inputs) {
        fail("N {}: expected 1 to {} inputs", arguments.inputs, most_inputs);
    }
    return static_cast<std::uint32_t>(inputs);
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

/// Writes the drawing where it is wanted. Whether there is a place for the figures: standard
/// output, unless the drawing is there.
template <class Network>
bool draw_network(const network_arguments& arguments, const Network& net, const std::string& cost) {
    if (!arguments.out) return true;
    if (arguments.out->empty()) fail("-o: the name is empty; expected a file, or -");
    const std::string title =
        fmt::format("{} of {} inputs: {}", arguments.name, net.inputs(), cost);
    write_file(*arguments.out, strategies::draw_svg(net, title));
    return named_descriptor(*arguments.out) != STDOUT_FILENO;
}

void show_network(const network_arguments& arguments, const strategies::named_construction& how) {
    const strategies::network net = strategies::build(how.build, network_inputs(arguments));
    if (!draw_network(arguments, net,
                      fmt::format("depth {}, {} operators", net.depth(), net.size()))) {
        return;
    }
    print(
        fmt::format("network    {}\n"
                    "source     {}\n"
                    "inputs     {}\n"
                    "depth      {}\n"
                    "operators  {}\n"
                    "fan-out    {}\n"
                    "depth + operators  {} (at least {})\n",
                    how.name, how.source, net.inputs(), net.depth(), net.size(), net.fan_out(),
                    net.depth() + net.size(), 2 * net.inputs() - 2));
}

void show_network(const network_arguments& arguments,
                  const strategies::named_sorting_network& how) {
    const strategies::sorting_network net = how.build(network_inputs(arguments));
    if (!draw_network(arguments, net,
                      fmt::format("depth {}, {} comparators", net.depth(), net.size()))) {
        return;
    }
    print(
        fmt::format("network      {}\n"
                    "source       {}\n"
                    "inputs       {}\n"
                    "depth        {}\n"
                    "comparators  {}\n",
                    how.name, how.source, net.inputs(), net.depth(), net.size()));
}

}  // namespace

void run_network(const network_arguments& arguments) {
    if (const auto* scan = find_network(strategies::named_constructions(), arguments.name)) {
        return show_network(arguments, *scan);
    }
    if (const auto* sort = find_network(strategies::named_sorting_networks(), arguments.name)) {
        return show_network(arguments, *sort);
    }
    refuse_network(arguments.name);
}

}  // namespace lookback::cli
