/// \file
/// How reports call the actors and arrays of a simulation.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/clock.hpp"

namespace lookback::trial {

std::string name_of(actor who);
/// " (shared memory of ...)" where it is, or nothing.
std::string name_of_array(const std::byte* begin);

}  // namespace lookback::trial
