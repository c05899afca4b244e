// Numbers as text: the type that is chosen, the ends of each type, and errors with their position.

#include "text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "error.hpp"

using namespace lookback::cli;

template <class T>
static std::vector<T> values(const text_numbers& numbers) {
    EXPECT_EQ(numbers.type, dtype_of<T>());
    std::vector<T> v(numbers.bytes.size() / sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), numbers.bytes.data(), numbers.bytes.size());
    return v;
}

template <class T>
static std::string text_of(const std::vector<T>& numbers) {
    byte_buffer text;
    append_text(std::span<const T>(numbers), false, text);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

static std::string message(std::string_view text, std::optional<dtype> type) {
    try {
        parse_text(text, {type, "x"});
    } catch (const error& problem) {
        return problem.what();
    }
    return "no error";
}

TEST(text, takes_the_narrowest_of_three_types) {
    EXPECT_EQ(values<std::int64_t>(parse_text("1 -2\n+3\t", {{}, "x"})),
              (std::vector<std::int64_t>{1, -2, 3}));
    EXPECT_EQ(values<std::uint64_t>(parse_text("0 18446744073709551615", {{}, "x"})),
              (std::vector<std::uint64_t>{0, ~std::uint64_t{0}}));
    EXPECT_EQ(values<double>(parse_text("1 2.5 -1e3", {{}, "x"})),
              (std::vector<double>{1, 2.5, -1000}));
    EXPECT_EQ(values<double>(parse_text("-1 18446744073709551615", {{}, "x"})),
              (std::vector<double>{-1, 0x1p64}));
    EXPECT_TRUE(values<std::int64_t>(parse_text(" \n ", {{}, "x"})).empty());
}

// Integers that have been read are not read again as floats, except those whose float is another
// number.
TEST(text, takes_one_type_for_all_numbers_of_a_long_text) {
    std::string text;
    std::vector<double> numbers;
    for (int i = 0; i < 1'000'000; ++i) {
        numbers.push_back(static_cast<double>((i - 5) * std::int64_t{9'007'199'254'749}));
        text += std::to_string((i - 5) * std::int64_t{9'007'199'254'749}) + (i % 7 ? " " : "\n");
    }
    numbers.push_back(0.5);
    for (const int threads : {1, 3}) {
        EXPECT_EQ(values<double>(parse_text(text + "0.5", {{}, "x"}, threads)), numbers);
        const auto zeros = values<double>(parse_text("-0 " + text + "0.5", {{}, "x"}, threads));
        EXPECT_TRUE(std::signbit(zeros.at(0)));
        EXPECT_EQ(zeros.size(), numbers.size() + 1);
    }
    EXPECT_EQ(message(text + "0.5 x", {}), "x:142859:5: 'x' is not a number");
}

TEST(text, reads_what_it_writes) {
    const auto check = []<class T>(T value) {
        std::string text = text_of(std::vector<T>{value});
        ASSERT_EQ(text.back(), '\n');
        text.pop_back();
        EXPECT_EQ(parse_number<T>(text, "x"), value) << text;
    };
    for (const dtype_entry& e : dtypes) {
        with_type(e.type, [&]<class T>(std::type_identity<T>) {
            using limits = std::numeric_limits<T>;
            for (const T value : {limits::lowest(), limits::min(), limits::max(), T{0}, T{1}}) {
                check(value);
            }
        });
    }
    for (const double value : {0.1, 1e23, -5e-324, HUGE_VAL}) check(value);
    for (const float value : {0.1F, 1e10F, -1e-45F, HUGE_VALF}) check(value);
}

TEST(text, writes_the_fewest_digits) {
    EXPECT_EQ(text_of(std::vector{0.1, 6.0, 1e300}), "0.1\n6\n1e+300\n");
    EXPECT_EQ(text_of(std::vector{0.1F}), "0.1\n");
    EXPECT_EQ(text_of(std::vector<std::int8_t>{65}), "65\n");
}

TEST(text, reads_numbers_too_small_for_the_type_as_0) {
    EXPECT_EQ(parse_number<double>("1e-400", "x"), 0);
    EXPECT_EQ(parse_number<float>("1e-60", "x"), 0);
    EXPECT_TRUE(std::signbit(parse_number<float>("-1e-60", "x")));
}

TEST(text, reads_minus_0_as_0) {
    EXPECT_EQ(values<std::uint8_t>(parse_text("-0 -00 1", {dtype::uint8, "x"})),
              (std::vector<std::uint8_t>{0, 0, 1}));
    EXPECT_EQ(parse_number<std::int32_t>("-0", "x"), 0);
    EXPECT_TRUE(std::signbit(parse_number<double>("-0", "x")));
    EXPECT_EQ(message("-", dtype::uint8), "x:1:1: '-' is not a number");
    EXPECT_EQ(message("-0-0", dtype::uint8), "x:1:1: '-0-0' is not a number");
}

// Short integers are read in another way than numbers that are long, have a point, or stand at the
// end.
TEST(text, reads_a_number_in_the_same_way_wherever_it_stands) {
    std::vector<std::string> numbers{"+7",  "-0",      "0",   "-1",   "1.5",
                                     "1e3", "-2.5e-3", "007", "1e400"};
    for (const char* const digits : {"12345678901234567890", "99999999999999999999",
                                     "10000000000000000000", "00000000000000000009"}) {
        for (std::size_t count = 1; count <= 20; ++count) {
            numbers.push_back(std::string(digits).substr(0, count));
            numbers.push_back("-" + numbers.back());
            numbers.push_back(numbers.back() + "x");
            numbers.push_back(numbers.back().substr(0, count) + ":");
        }
    }
    std::mt19937_64 bits(5);
    for (int i = 0; i < 2000; ++i) {
        std::string number =
            std::to_string(bits() >> (i % 64)) + std::to_string(bits() >> (i % 61));
        number = number.substr(0, 1 + bits() % 22);
        number.insert(bits() % (number.size() + 1), bits() % 9 == 0 ? "e" : ".");
        numbers.push_back((bits() % 3 == 0 ? "-" : "") + number);
    }
    const std::string far = "\n" + std::string(50, ' ');
    for (const dtype_entry& e : dtypes) {
        for (const std::string& number : numbers) {
            const std::string error = message(number, e.type);
            EXPECT_EQ(message(number + far, e.type), error);
            EXPECT_EQ(message(number + "\t 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", e.type),
                      error);
            if (error != "no error") continue;
            with_type(e.type, [&]<class T>(std::type_identity<T>) {
                const T alone = parse_number<T>(number, "x");
                const T first = values<T>(parse_text(number + far, {e.type, "x"})).at(0);
                EXPECT_EQ(std::memcmp(&alone, &first, sizeof(T)), 0) << number << " " << e.name;
            });
        }
    }
}

TEST(text, says_what_is_wrong_and_where) {
    EXPECT_EQ(message("1 2\n 30 four 5", {}), "x:2:5: 'four' is not a number");
    EXPECT_EQ(message("1\n\n\n22 33\n4 5 \t6x 7 8 9 10 11 12 13", {}),
              "x:5:6: '6x' is not a number");
    EXPECT_EQ(message("1 1.5", dtype::int32), "x:1:3: '1.5' is not an integer; expected int32");
    EXPECT_EQ(message("1 300", dtype::uint8),
              "x:1:3: '300' is out of range for uint8; expected 0 to 255");
    EXPECT_EQ(message("-1", dtype::uint8),
              "x:1:1: '-1' is out of range for uint8; expected 0 to 255");
    EXPECT_EQ(message("-129", dtype::int8),
              "x:1:1: '-129' is out of range for int8; expected -128 to 127");
    EXPECT_EQ(
        message("1e39", dtype::float32),
        "x:1:1: '1e39' is out of range for float32; expected -3.4028235e+38 to 3.4028235e+38");
    EXPECT_EQ(message(std::string_view("1 a\0\n", 4), {}), "x:1:3: 'a\\x00' is not a number");
    EXPECT_EQ(message(std::string(50, 'z'), {}),
              "x:1:1: '" + std::string(40, 'z') + "'... is not a number");
}
