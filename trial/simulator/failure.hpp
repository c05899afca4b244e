/// \file
/// What a simulation can find.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lookback::trial {

/// Within the simulation; calls of the runtime's that wait return cudaErrorLaunchFailure then.
class failure : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// An address in the program's code, from where the program begins: 0 where nothing is known.
using code_place = std::uint32_t;
code_place place_of(const void* return_address);
/// File, line and function, as far as the program's debug information tells.
std::string describe(code_place place);

/// Stops the simulation, from a simulated thread or from the scheduler. Does not return.
[[noreturn]] void fail(const std::string& what);

}  // namespace lookback::trial
