// How the simulated GPU itself is tested: each mistake that it is there to find, made by a small
// kernel, is found and called by its name; and the same kernel without the mistake passes.
#pragma once

#include <string>

#include "tests/trial.hpp"

namespace lookback::trial {

/// To be called by `body` of found: what the kernel has to have done.
inline void expect(bool right, const char* otherwise) {
    gpu().check();
    if (!right) throw failure(otherwise);
}

/// What is found in some of a few simulations of `body`: nothing, or the first report.
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

/// Whether a report has the words that the mistake is known by.
inline ::testing::AssertionResult says(const std::string& report, const std::string& what) {
    if (report.find(what) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "expected \"" << what << "\", found \"" << report << '"';
}

/// Kernels are instantiated with both.
enum class mistake { none, made };

}  // namespace lookback::trial
