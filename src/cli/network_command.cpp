// `lookback network`: the costs of a scan network or a sorting network, and its drawing.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

constexpr std::uint32_t most_inputs = 4096;  // for the bitonic sort, 159,744 comparators to draw

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

using figures = std::vector<std::pair<std::string_view, std::string>>;

// Draws a network if -o is given. Then prints its costs to standard output, unless the drawing goes
// there: its depth, how many `parts` it has, and `more`.
template <class Named, class Network>
void show_network(const network_arguments& arguments, const Named& how, const Network& net,
                  std::string_view parts, const figures& more) {
    if (arguments.out) {
        if (arguments.out->empty()) fail("-o: the name is empty; expected a file, or -");
        const std::string title = fmt::format("{} of {} inputs: depth {}, {} {}", arguments.name,
                                              net.inputs(), net.depth(), net.size(), parts);
        write_file(*arguments.out, strategies::draw_svg(net, title));
        if (named_descriptor(*arguments.out) == STDOUT_FILENO) return;
    }
    std::string text;
    const auto add = [&](std::string_view what, const auto& figure) {
        text += fmt::format("{:<{}}  {}\n", what, parts.size(), figure);
    };
    add("network", how.name);
    add("source", how.source);
    add("inputs", net.inputs());
    add("depth", net.depth());
    add(parts, net.size());
    for (const auto& [what, figure] : more) add(what, figure);
    print(text);
}

}  // namespace

void run_network(const network_arguments& arguments) {
    if (const auto* scan = find_network(strategies::named_constructions(), arguments.name)) {
        const auto net = strategies::build(scan->build, network_inputs(arguments));
        const std::size_t least = 2 * std::size_t{net.inputs()} - 2;
        return show_network(arguments, *scan, net, "operators",
                            {{"fan-out", fmt::to_string(net.fan_out())},
                             {"depth + operators",
                              fmt::format("{} (at least {})", net.depth() + net.size(), least)}});
    }
    if (const auto* sort = find_network(strategies::named_sorting_networks(), arguments.name)) {
        return show_network(arguments, *sort, sort->build(network_inputs(arguments)), "comparators",
                            {});
    }
    refuse_network(arguments.name);
}

}  // namespace lookback::cli
