// Calls all functions of support/one_api.hpp on the CPU. trial/tests/one_api.cpp and
// tests/cuda/one_api_test.cu make the same calls on a simulated GPU and on a real one, with the
// same results.
#include "support/one_api.hpp"

#include <gtest/gtest.h>

#include <list>

namespace lookback::test {
namespace {

class host_memory {
 public:
    std::span<const std::uint32_t> upload(const std::vector<std::uint32_t>& values) {
        return arrays_.emplace_back(values);
    }
    std::span<std::uint32_t> room(std::size_t items) {
        return arrays_.emplace_back(items, 0xA5A5A5A5U);
    }
    std::vector<std::uint32_t> download(std::span<const std::uint32_t> some) {
        return {some.begin(), some.end()};
    }

 private:
    std::list<std::vector<std::uint32_t>> arrays_;
};

TEST(OneApi, OnTheCpu) {
    for (const known_results& known : results_everywhere) {
        host_memory memory;
        EXPECT_EQ(hash_of(call_everything(cpu{}, memory, known.items)), known.hash)
            << known.items << " items";
    }
}

}  // namespace
}  // namespace lookback::test
