/// \file
/// What a simulation finds.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lookback::trial {

/// Thrown within the simulation when something is found. Calls of the runtime that wait then return
/// cudaErrorLaunchFailure.
class failure : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// An address in the program's code, relative to the program's beginning; 0 if unknown.
using code_place = std::uint32_t;
code_place place_of(const void* return_address);
/// File, line and function, as far as the program's debug information has them.
std::string describe(code_place place);

/// Stops the simulation. Simulated threads and the scheduler call it. Does not return.
[[noreturn]] void fail(const std::string& what);

}  // namespace lookback::trial
