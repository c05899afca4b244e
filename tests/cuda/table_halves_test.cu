// The case table for floats of 16 bits that are folded in 32. (Their sums: half_test.cu.)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "support/case_table.hpp"

namespace lookback::test {
namespace {

template <class Half, class Op>
void run_halves(Half (*item)(std::size_t), float init) {
    std::vector<Half> items(table_items<float>);
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = item(i);
    case_table<Half, Half, float, Op>(items, {}, init).run();
}

}  // namespace

TEST(Table, ProductOfHalves) {
    // Products are exact: each 2 is followed by a half.
    const auto item = [](std::size_t i) {
        const float factors[] = {1, -1, 2, 0.5, -1, -2, 0.5};
        return __half(factors[i % 7]);
    };
    run_halves<__half, multiplies<float>>(item, 3.0F);
}
TEST(Table, MaximumOfBfloat16) {
    const auto item = [](std::size_t i) {
        const auto number = static_cast<float>(i);
        return __nv_bfloat16(i % 3 == 0 ? number : -number);
    };
    run_halves<__nv_bfloat16, maximum<float>>(item, -5.0F);
}

}  // namespace lookback::test
