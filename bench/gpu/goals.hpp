/// \file
/// What speed the project wants on an H200, and whether the cells reach it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "result.hpp"

namespace lookback::bench {

using figure = std::function<std::optional<double>(const cell&)>;
using choice = std::function<bool(const cell&)>;

std::string with_digits(double value);

/// The smallest (or largest) figure of the chosen cells, which has to be at least (or at most)
/// `limit`. A chosen cell without a figure was not measured, or its results were wrong; then the
/// goal is missed.
goal extreme(const std::string& text, const std::vector<cell>& cells, const choice& chosen,
             const figure& of, double limit, bool at_least);

std::vector<goal> scan_goals(const std::vector<cell>& cells);
std::vector<goal> compaction_goals(const std::vector<cell>& cells);
std::vector<goal> sort_goals(const std::vector<cell>& cells);
std::vector<goal> segmented_sort_goals(const std::vector<cell>& cells);
std::vector<goal> table_goals(const std::vector<cell>& cells);

}  // namespace lookback::bench
