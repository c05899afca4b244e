// Summed-area tables of exact sums (integers, pixels, a user's struct), compared with plain loops;
// and what is refused.
#include "support/summed_area.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ranges>

#include "support/message_of.hpp"

namespace lookback::test {

using std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

TEST(SummedArea, Bytes) { check_tables<uint8_t, uint32_t>(); }
TEST(SummedArea, BytesInWideSums) { check_tables<uint8_t, uint64_t, false>(); }
TEST(SummedArea, ShortIntegers) { check_tables<uint16_t, uint32_t, false>(); }
TEST(SummedArea, ShortIntegersInWideSums) { check_tables<uint16_t, uint64_t>(); }
TEST(SummedArea, Integers) { check_tables<int32_t, int32_t>(); }
TEST(SummedArea, WideIntegers) { check_tables<int64_t, int64_t, false>(); }
TEST(SummedArea, SumsThatWrap) { check_tables<uint8_t, uint8_t, false>(); }
TEST(SummedArea, SignedBytes) { check_tables<std::int8_t, int64_t, false>(); }
TEST(SummedArea, PixelsOfTwo) { check_tables<pixel<uint8_t, 2>, pixel<uint32_t, 2>, false>(); }
TEST(SummedArea, PixelsOfThree) { check_tables<pixel<uint8_t, 3>, pixel<uint32_t, 3>>(); }
TEST(SummedArea, PixelsOfFour) { check_tables<pixel<uint8_t, 4>, pixel<uint32_t, 4>, false>(); }
TEST(SummedArea, PixelsInPlace) { check_tables<pixel<uint16_t, 3>, pixel<uint16_t, 3>, false>(); }

TEST(SummedArea, Structs) { check_tables<tally, tally>(); }

TEST(SummedArea, ManySmallImages) {
    for (const int threads : {1, 2}) {
        const table_case c{sanitized ? 300U : 2000U, 64, 64, 0, 0, 0, threads};
        table_check<uint8_t, uint32_t>(c).run();
        table_check<float, float, tables_on_cpu, false>(c).run();
    }
}

TEST(SummedArea, OneLongRowAndColumn) {
    if (sanitized) GTEST_SKIP() << "a large image";
    const std::size_t items = 100'000'000;
    std::vector<uint8_t> in(items);
    for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<uint8_t>(i * 2654435761U >> 13);
    std::vector<uint32_t> out(items);
    for (const image_extents e : {image_extents{1, items}, {items, 1}}) {
        std::fill(out.begin(), out.end(), 0xA5A5A5A5U);
        summed_area_table(in, e, out);
        uint32_t sum = 0;
        for (std::size_t i = 0; i < items; ++i) {
            sum += in[i];
            ASSERT_EQ(out[i], sum) << e.height << " x " << e.width << ", entry " << i;
        }
    }
}

TEST(SummedArea, OfAnyIterator) {
    const std::size_t height = 300, width = 700;
    const auto numbers = std::views::iota(std::uint32_t{0}, std::uint32_t(height * width));
    const std::vector<std::uint32_t> items(numbers.begin(), numbers.end());
    const auto right = table_by_running_sums(items, height, width);
    std::vector<std::uint32_t> table(items.size());
    summed_area_table(numbers, image_extents{height, width}, table);
    EXPECT_EQ(table, right);
    std::vector<std::uint32_t> backward(items.rbegin(), items.rend());
    summed_area_table(cpu{}, backward.rbegin(), image_extents{height, width}, backward.rbegin());
    EXPECT_TRUE(std::equal(right.begin(), right.end(), backward.rbegin()));
}

TEST(SummedArea, StacksGoOnBelowARowEach) {
    const std::size_t images = 5, height = 200, width = 130;
    const auto items = random_values<std::uint32_t>(images * height * width, 3);
    const auto rows = random_values<std::uint32_t>(images * width, 4);
    std::vector<std::uint32_t> table(items.size()), right;
    for (std::size_t i = 0; i < images; ++i) {
        const auto begin = items.begin() + std::ptrdiff_t(i * height * width);
        const std::vector<std::uint32_t> image(begin, begin + std::ptrdiff_t(height * width));
        const auto one = table_by_running_sums(image, height, width, rows.data() + i * width);
        right.insert(right.end(), one.begin(), one.end());
    }
    summed_area_table(items, image_extents{height, width, images}, table, table_above{rows.data()});
    EXPECT_EQ(table, right);
}

// Two views side by side in one buffer: of the input, and of its table.
TEST(SummedArea, SideBySideInOneBuffer) {
    const std::size_t height = 70, width = 40, pitch = 2 * width + 3;
    const auto items = random_values<std::uint32_t>(height * width, 5);
    const auto right = table_by_running_sums(items, height, width);
    const image_extents e{height, width, 1, pitch, pitch};
    const std::size_t views[][2] = {{0, width}, {width + 3, 0}, {width, pitch}, {pitch, width}};
    for (const auto [from, to] : views) {
        std::vector<std::uint32_t> buffer((height + 1) * pitch + width, 7);
        for (std::size_t i = 0; i < items.size(); ++i) {
            buffer[from + i / width * pitch + i % width] = items[i];
        }
        auto expected = buffer;
        for (std::size_t i = 0; i < items.size(); ++i) {
            expected[to + i / width * pitch + i % width] = right[i];
        }
        auto* const table = buffer.data() + to;
        EXPECT_EQ(summed_area_table(buffer.data() + from, e, table),
                  table + (height - 1) * pitch + width);
        EXPECT_EQ(buffer, expected) << from << ", " << to;
    }
}

namespace {
struct thrown {};
struct throws_at {
    std::uint32_t value = 0;
    friend throws_at operator+(const throws_at& a, const throws_at& b) {
        if (a.value == 7777 || b.value == 7777) throw thrown{};
        return {a.value + b.value};
    }
};
}  // namespace

TEST(SummedArea, ExceptionsReachTheCaller) {
    for (const int threads : {1, 2, 3}) {
        for (const image_extents e :
             {image_extents{700, 2000}, {1, 400000}, {400000, 1}, {100, 100, 100}}) {
            std::vector<throws_at> in(e.images * e.height * e.width), out(in.size());
            in[in.size() / 2].value = 7777;
            EXPECT_THROW(summed_area_table(cpu{threads}, in, e, out), thrown);
        }
    }
}

TEST(SummedArea, Refuses) {
    std::vector<std::uint8_t> in(100);
    std::vector<std::uint32_t> out(100);
    const auto message = [&](const image_extents& e) {
        return message_of([&] { summed_area_table(in, e, out); });
    };
    EXPECT_EQ(message({10, 11}), "lookback: the input has 100 items; expected the extents' 110");
    EXPECT_EQ(message({10, 10, 1, 9}),
              "lookback: image_extents.in_pitch is 9; expected 0 or at least a row's 10 items");
    EXPECT_EQ(message({10, 9, 1, 0, 12}),
              "lookback: the output has 100 items; expected the extents' 117");
    const std::size_t large = std::size_t{1} << 40;
    EXPECT_EQ(
        message({large, large, 2}),
        "lookback: the image_extents, 2 images of 1099511627776 rows that begin 1099511627776 "
        "items behind one another, have more items than can be counted");
    EXPECT_EQ(message({large, 0, 2}), "no std::invalid_argument");
    EXPECT_EQ(message_of([&] {
                  exclusive_summed_area_table(in, image_extents{9, 10}, out);
              }),
              "lookback: the output has 100 items; expected the extents' 110");
    EXPECT_EQ(message_of([&] {
                  summed_area_table(cpu{-1}, in, image_extents{2, 2}, out);
              }),
              "lookback: cpu.threads is -1; expected 0 for all, or the number of threads");
    EXPECT_EQ(
        message_of([&] {
            summed_area_table(static_cast<const int*>(nullptr), image_extents{2, 2}, out.data());
        }),
        "lookback: the input is a null pointer, with 4 items");
    EXPECT_EQ(message_of([&] {
                  summed_area_table(out.data(), image_extents{3, 3, 1, 4, 5}, out.data());
              }),
              "lookback: the output overlaps the input, 0 bytes from its beginning; expected "
              "separate memory or the input itself, with the same pitch");
    for (const std::size_t ahead : {1, 2, 4, 5, 7}) {  // some columns belong to both
        EXPECT_EQ(
            message_of([&] {
                summed_area_table(out.data(), image_extents{3, 3, 1, 6, 6}, out.data() + ahead);
            }).substr(0, 39),
            "lookback: the output overlaps the input")
            << ahead;
    }
    std::vector<std::uint32_t> squares(100);
    EXPECT_EQ(message_of([&] {
                  summed_area_tables(out.data(), image_extents{3, 3}, out.data(), squares.data());
              }),
              "lookback: the output overlaps the input, 0 bytes from its beginning; expected "
              "separate memory");
    EXPECT_EQ(message_of([&] {
                  summed_area_tables(in.data(), image_extents{3, 3}, out.data(), out.data() + 8);
              }),
              "lookback: the output overlaps the table of sums, 32 bytes from its beginning; "
              "expected separate memory");
    EXPECT_EQ(message_of([&] {
                  summed_area_table(in.data(), image_extents{3, 3}, out.data(),
                                    table_above{out.data() + 8});
              }),
              "lookback: the output overlaps the row above, -32 bytes from its beginning; expected "
              "separate memory");
}

}  // namespace lookback::test
