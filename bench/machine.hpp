/// \file
/// What a result must say about the machine that it was measured on.
#pragma once

#include <map>
#include <string>

namespace lookback::bench {

/// Names and values: the processor, its memory, and the versions of the compiler and of the
/// libraries that the program was built with.
std::map<std::string, std::string> describe_machine();

}  // namespace lookback::bench
