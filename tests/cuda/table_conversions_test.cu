// The case table where items, accumulators and results have different types.
#include "support/case_table.hpp"

namespace lookback::test {

TEST(Table, BytesSummedIn64Bits) {
    const auto items = random_values<std::uint8_t>(table_items<std::uint64_t>, 1);
    case_table<std::uint8_t, std::uint64_t, std::uint64_t, plus<std::uint64_t>>(items, {}, 7).run();
}
TEST(Table, IntegersToDoubles) {
    const auto items = random_values<std::int32_t>(table_items<std::int32_t>, 2);
    case_table<std::int32_t, double, std::int32_t, plus<>>(items, {}, -3).run();
}

}  // namespace lookback::test
