// How the simulated GPU itself is tested: a small kernel makes each mistake that the simulation
// must find, and the report must name the mistake; the same kernel without the mistake must pass.
#pragma once

#include <string>

#include "tests/trial.hpp"

namespace lookback::trial {

/// Called by the `body` of found: checks what the kernel had to do.
inline void expect(bool right, const char* otherwise) {
    gpu().check();
    if (!right) throw failure(otherwise);
}

/// Runs a few simulations of `body`. Returns the first report, or nothing if nothing was found.
template <class Body>
std::string found(Body body, int schedules = 40) {
    for (int seed = 1; seed <= schedules; ++seed) {
        gpu().begin(static_cast<std::uint64_t>(seed));
        try {
            body();
            cudaDeviceSynchronize();
            gpu().check();
        } catch (const failure& f) {
            return f.what();
        }
    }
    return "";
}

/// Whether a report contains the words for the mistake.
inline ::testing::AssertionResult says(const std::string& report, const std::string& what) {
    if (report.find(what) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "expected \"" << what << "\", found \"" << report << '"';
}

/// Kernels are instantiated with both.
enum class mistake { none, made };

}  // namespace lookback::trial
