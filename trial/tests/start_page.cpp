// The examples of docs/start_cuda.md, on a simulated GPU.
#include "examples/cuda/start.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

TEST(StartPage, DoesWhatItSays) {
    for_schedules(8, [](case_choices&) { EXPECT_TRUE(run_start_page()); });
}

}  // namespace
}  // namespace lookback::trial
