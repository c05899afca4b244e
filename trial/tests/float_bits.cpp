// Sums of floats have the bits that a GPU gave, whatever the simulation's schedule.
#include "support/float_bits.hpp"

#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

TEST(FloatBits, AreThoseOfAGpu) {
    for_schedules(6, [](case_choices& choices) {
        lookback::gpu gpu;
        detail::device::access::use_pipeline(gpu, choices.said("pipelined", !choices.one_in(3)));
        detail::device::access::copy_in_bulk(gpu, choices.said("in bulk", !choices.one_in(3)));
        EXPECT_EQ(test::float_bits(gpu), test::bits_of_a_gpu);
    });
}

}  // namespace
}  // namespace lookback::trial
