/// \file
/// Draws a network as in figure 1 of Merrill & Garland 2016: items from left to right, time from
/// top to bottom. There are labels only where there is room: up to 32 inputs.
#pragma once

#include <string>

#include "network.hpp"
#include "sorting.hpp"

namespace lookback::strategies {

/// Returns an SVG document. A wire leads straight down from where its value was made, and bends
/// where another column takes the value.
std::string draw_svg(const network& net, const std::string& title);

/// The same for a sorting network. A comparator is a line between two columns, with a dot at either
/// end. Comparators of one step whose lines would meet lie below each other.
std::string draw_svg(const sorting_network& net, const std::string& title);

}  // namespace lookback::strategies
