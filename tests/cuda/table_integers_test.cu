// The case table for integers of 4 and 8 bytes.
#include "support/case_table.hpp"

namespace lookback::test {
namespace {

// Random values that grow: a running maximum keeps changing, so that it shows if a tile was left
// out.
template <class T>
std::vector<T> growing_values(std::size_t n, T step) {
    auto values = random_values<T>(n, 5);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<T>(values[i] % (step * 1000) + static_cast<T>(i) * step);
    }
    return values;
}

}  // namespace

TEST(Table, SumOfInt32) {
    run_table(random_values<std::int32_t>(table_items<std::int32_t>, 1), plus{});
}
TEST(Table, ExclusiveOrOfUint32) {
    run_table(random_values<std::uint32_t>(table_items<std::uint32_t>, 2), bit_xor{});
}
TEST(Table, MaximumOfInt64) {
    run_table(growing_values<std::int64_t>(table_items<std::int64_t>, 1'000'000), maximum{});
}
TEST(Table, SumOfUint64) {
    run_table(random_values<std::uint64_t>(table_items<std::uint64_t>, 4), plus{});
}

}  // namespace lookback::test
