// Every public function on a simulated GPU, in the same words and with the same results as on the
// CPU (tests/one_api_test.cpp).
#include "support/one_api.hpp"

#include <list>

#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

class simulated_memory {
 public:
    std::span<const std::uint32_t> upload(const std::vector<std::uint32_t>& values) {
        auto& array = arrays_.emplace_back(values);
        return {array.data(), values.size()};
    }
    std::span<std::uint32_t> room(std::size_t items) {
        auto& array = arrays_.emplace_back(items);
        return {array.data(), items};
    }
    std::vector<std::uint32_t> download(std::span<const std::uint32_t> some) {
        std::vector<std::uint32_t> values(some.size());
        cudaDeviceSynchronize();
        cudaMemcpy(values.data(), some.data(), some.size_bytes(), cudaMemcpyDeviceToHost);
        return values;
    }

 private:
    std::list<gpu_array<std::uint32_t>> arrays_;
};

TEST(OneApi, OnASimulatedGpu) {
    for_schedules(8, [](case_choices& choices) {
        const test::known_results known =
            test::results_everywhere[choices.said("size", choices.below(4))];
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        simulated_memory memory;
        EXPECT_EQ(test::hash_of(test::call_everything(gpu, memory, known.items)), known.hash);
    });
}

}  // namespace
}  // namespace lookback::trial
