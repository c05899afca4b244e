// All functions of support/one_api.hpp on a simulated GPU: the same calls as on the CPU give the
// same results (tests/one_api_test.cpp).
#include "support/one_api.hpp"

#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

TEST(OneApi, OnASimulatedGpu) {
    for_schedules(8, [](case_choices& choices) {
        const test::known_results known =
            test::results_everywhere[choices.said("size", choices.below(4))];
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        test::gpu_memory<gpu_array<std::uint32_t>> memory;
        EXPECT_EQ(test::hash_of(test::call_everything(gpu, memory, known.items)), known.hash);
    });
}

}  // namespace
}  // namespace lookback::trial
