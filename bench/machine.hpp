/// \file
/// What a result must say about where it comes from.
#pragma once

#include <map>
#include <string>

namespace lookback::bench {

/// Names and values: the processor, its memory, and the versions of what was built with.
std::map<std::string, std::string> describe_machine();

}  // namespace lookback::bench
