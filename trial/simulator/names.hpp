/// \file
/// The names of actors and arrays in reports.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/clock.hpp"

namespace lookback::trial {

std::string name_of(actor who);
/// " (shared memory of a block)" if it is that; otherwise nothing.
std::string name_of_array(const std::byte* begin);

}  // namespace lookback::trial
