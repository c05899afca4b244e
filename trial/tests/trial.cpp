#include "tests/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace lookback::trial {

namespace {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

int schedules_run = 0;

// Runs one simulation. Returns whether nothing was found.
bool run(std::uint64_t seed, const std::function<void(case_choices&)>& body) {
    ++schedules_run;
    gpu().begin(seed);
    case_choices choices(seed + 1'000'003);
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string what;
    try {
        body(choices);
        cudaDeviceSynchronize();
        gpu().check();
    } catch (const std::exception& e) {
        what = e.what();
    }
    // What the simulation has found comes first: all later calls fail because of it.
    try {
        gpu().check();
    } catch (const failure& found) {
        what = found.what();
    }
    if (what.empty() && !::testing::Test::HasFailure()) return true;
    ADD_FAILURE() << what << "\n  found by schedule " << schedules_run << " of this program"
                  << "\n  the case: " << choices.text << "\n  the schedule: " << gpu().how.text()
                  << "\n  run it again: LOOKBACK_TRIAL_SEED=" << seed << " build/.../"
                  << program_invocation_short_name << " --gtest_filter=" << test->test_suite_name()
                  << "." << test->name();
    return false;
}

}  // namespace

void for_schedules(int schedules, const std::function<void(case_choices&)>& body) {
    if (const std::uint64_t seed = number_from("LOOKBACK_TRIAL_SEED", 0); seed != 0) {
        run(seed, body);
        return;
    }
    // The program's tests share this time.
    const auto seconds = static_cast<double>(number_from("LOOKBACK_TRIAL_SECONDS", 0)) /
                         std::max(1, ::testing::UnitTest::GetInstance()->test_to_run_count());
    if (seconds == 0) {
        const auto all =
            number_from("LOOKBACK_TRIAL_SCHEDULES", static_cast<std::uint64_t>(schedules));
        for (std::uint64_t seed = 1; seed <= all; ++seed) {
            if (!run(seed, body)) return;
        }
        return;
    }
    const std::uint64_t first = std::random_device{}() | 1U;
    std::uint64_t seed = first;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(seconds)) {
        if (!run(seed++, body)) return;
    }
    std::printf("  seeds %llu to %llu\n", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(seed - 1));
}

}  // namespace lookback::trial
