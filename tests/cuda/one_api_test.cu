// All functions of support/one_api.hpp on a GPU, called as on the CPU and with the same results
// (tests/one_api_test.cpp).
#include "support/device.hpp"
#include "support/one_api.hpp"

namespace lookback::test {
namespace {

TEST(OneApi, OnAGpu) {
    stream s;
    for (const known_results& known : results_everywhere) {
        lookback::gpu gpu(s);
        gpu_memory<device_array<std::uint32_t>> memory;
        EXPECT_EQ(hash_of(call_everything(gpu, memory, known.items)), known.hash)
            << known.items << " items";
    }
}

}  // namespace
}  // namespace lookback::test
