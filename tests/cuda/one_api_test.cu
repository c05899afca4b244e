// Every public function on a GPU, in the same words and with the same results as on the CPU
// (tests/one_api_test.cpp).
#include <list>

#include "support/device.hpp"
#include "support/one_api.hpp"

namespace lookback::test {
namespace {

class device_memory {
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
        check(cudaDeviceSynchronize(), "running what was started");
        check(cudaMemcpy(values.data(), some.data(), some.size_bytes(), cudaMemcpyDeviceToHost),
              "copying from the device");
        return values;
    }

 private:
    std::list<device_array<std::uint32_t>> arrays_;
};

TEST(OneApi, OnAGpu) {
    stream s;
    for (const known_results& known : results_everywhere) {
        lookback::gpu gpu(s);
        device_memory memory;
        EXPECT_EQ(hash_of(call_everything(gpu, memory, known.items)), known.hash)
            << known.items << " items";
    }
}

}  // namespace
}  // namespace lookback::test
