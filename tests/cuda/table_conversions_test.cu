// The case table with different types for items, accumulators and results.
#include "support/case_table.hpp"

namespace lookback::test {

TEST(Table, BytesSummedIn64Bits) {
    const auto items = random_values<std::uint8_t>(table_items<std::uint64_t>, 1);
    case_table<std::uint8_t, std::uint64_t, std::uint64_t, plus<std::uint64_t>>(items, {}, 7).run();
}
TEST(Table, BytesSummedIn32Bits) {
    const auto items = random_values<std::uint8_t>(table_items<std::uint32_t>, 3);
    case_table<std::uint8_t, std::uint32_t, std::uint32_t, plus<std::uint32_t>>(items, {}, 9).run();
}
TEST(Table, IntegersMultipliedIn64Bits) {
    auto items = random_values<std::int32_t>(table_items<std::int64_t>, 6);
    for (auto& item : items) item |= 1;  // so that no product is 0
    case_table<std::int32_t, std::int64_t, std::int64_t, multiplies<std::int64_t>>(items, {}, 7)
        .run();
}
TEST(Table, GreatestOfBytesIn32Bits) {
    // Slowly increasing, so that the maximum keeps changing.
    auto items = random_values<std::uint8_t>(table_items<std::uint32_t>, 7);
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i] = std::min(items[i], static_cast<std::uint8_t>(10 + i * 240 / items.size()));
    }
    case_table<std::uint8_t, std::uint8_t, std::uint32_t, maximum<std::uint32_t>>(items, {}, 2)
        .run();
}
TEST(Table, WideSumsTo16Bits) {
    const auto items = random_values<std::int64_t>(table_items<std::int64_t>, 4);
    case_table<std::int64_t, std::uint16_t, std::int64_t, plus<>>(items, {}, -5).run();
}

/// Three bytes at any address, read by a conversion of the user's.
struct colour {
    std::uint8_t red, green, blue;
    LOOKBACK_HD explicit operator std::uint32_t() const {
        return red + 256U * green + 65536U * blue;
    }
    friend bool operator==(const colour&, const colour&) = default;
};
TEST(Table, ColoursSummedIn32Bits) {
    const auto items = random_values<colour>(table_items<std::uint32_t>, 5);
    case_table<colour, std::uint32_t, std::uint32_t, plus<std::uint32_t>>(items, {}, 9).run();
}
// The results are wider than the accumulators.
TEST(Table, IntegersToDoubles) {
    const auto items = random_values<std::int32_t>(table_items<std::int32_t>, 2);
    case_table<std::int32_t, double, std::int32_t, plus<>>(items, {}, -3).run();
}

}  // namespace lookback::test
