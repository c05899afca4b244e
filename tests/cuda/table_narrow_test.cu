// The case table for integers of 1 and 2 bytes.
#include "support/case_table.hpp"

namespace lookback::test {

TEST(Table, SumOfUint8) {
    run_table(random_values<std::uint8_t>(table_items<std::uint8_t>, 1), plus{});
}
TEST(Table, MinimumOfInt8) {
    // Slowly decreasing, so that the minimum keeps changing.
    const std::size_t n = table_items<std::int8_t>;
    auto values = random_values<std::int8_t>(n, 2);
    for (std::size_t i = 0; i < n; ++i) {
        const auto lowest = 100 - static_cast<std::int64_t>(i * 200 / n);
        values[i] = static_cast<std::int8_t>(std::max<std::int64_t>(values[i], lowest));
    }
    run_table(values, minimum{});
}
TEST(Table, ExclusiveOrOfUint8) {
    run_table(random_values<std::uint8_t>(table_items<std::uint8_t>, 4), bit_xor{});
}
TEST(Table, AndOfInt16) {
    // Each bit is set in all items up to one, later than that of the bit before.
    const std::size_t n = table_items<std::int16_t>;
    std::vector<std::int16_t> values(n, -1);
    for (std::size_t bit = 0; bit < 16; ++bit) {
        values[n * (bit + 1) / 17] = static_cast<std::int16_t>(~(1U << bit));
    }
    run_table(values, bit_and{});
}
TEST(Table, SumOfUint16) {
    run_table(random_values<std::uint16_t>(table_items<std::uint16_t>, 3), plus{});
}

}  // namespace lookback::test
