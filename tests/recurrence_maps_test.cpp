// Rows of linear recurrences as one scan of affine maps, however it is grouped: beside a loop.
#include "table/device/recurrence_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace lookback::on_device {
namespace {

using table::complex_number;

template <class T>
class RecurrenceMaps : public testing::Test {};
using numbers = testing::Types<float, double, complex_number<float>, complex_number<double>>;
TYPED_TEST_SUITE(RecurrenceMaps, numbers);

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;

template <class T>
using part_of = decltype(real_of(T{}));

// Numbers whose sums and products are exact, zeros of both signs among them.
template <class T>
T any_number(std::mt19937& random) {
    const auto part = [&] {
        const int whole = static_cast<int>(random() % 4) - 2;
        return whole == 0 && random() % 2 == 0 ? part_of<T>{-0.0} : static_cast<part_of<T>>(whole);
    };
    if constexpr (is_complex<T>) {
        return {part(), part()};
    } else {
        return part();
    }
}

template <class T>
bool is_finite(const T& x) {
    if constexpr (is_complex<T>) {
        return std::isfinite(x.real) && std::isfinite(x.imaginary);
    } else {
        return std::isfinite(x);
    }
}

template <class T>
struct rows_of_numbers {
    std::size_t rows, length;
    std::vector<T> a, x;

    rows_of_numbers(std::size_t number, std::size_t items, std::mt19937& random)
        : rows(number), length(items) {
        for (std::size_t i = 0; i < rows * length; ++i) {
            a.push_back(any_number<T>(random));
            x.push_back(any_number<T>(random));
        }
    }

    // The map of items [begin, end), grouped at random.
    affine_map<T> fold(std::size_t begin, std::size_t end, std::mt19937& random) const {
        if (end - begin == 1) {
            const maps_of_rows<T> maps{{a.data(), x.data()}, length};
            return maps[static_cast<std::ptrdiff_t>(begin)];
        }
        const std::size_t cut = begin + 1 + random() % (end - begin - 1);
        const affine_map<T> before = fold(begin, cut, random);
        return affine_in_rows{}(before, fold(cut, end, random));
    }

    std::vector<T> solve(std::mt19937& random) const {
        std::vector<T> y(rows * length);
        const shifts_to<T> to{y.data()};
        for (std::size_t i = 0; i < y.size(); ++i) {
            to[static_cast<std::ptrdiff_t>(i)] = fold(0, i + 1, random);
        }
        return y;
    }
};

TYPED_TEST(RecurrenceMaps, AreThoseOfALoop) {
    std::mt19937 random(1);
    for (const std::size_t length : {1, 2, 3, 7, 11}) {
        for (const std::size_t rows : {1, 2, 5, 6}) {
            const rows_of_numbers<TypeParam> given(rows, length, random);
            const auto y = given.solve(random);
            for (std::size_t i = 0; i < y.size(); ++i) {
                TypeParam expected = given.x[i];
                if (i % length != 0) expected = given.a[i] * y[i - 1] + given.x[i];
                ASSERT_EQ(y[i], expected) << i << " of " << rows << " rows of " << length;
            }
        }
    }
}

TYPED_TEST(RecurrenceMaps, HandNothingOnToOtherRows) {
    std::mt19937 random(2);
    using part = part_of<TypeParam>;
    for (const part wrong : {std::numeric_limits<part>::infinity(), part(NAN)}) {
        rows_of_numbers<TypeParam> given(4, 5, random);
        given.x[7] = TypeParam{wrong};
        given.a[5] = given.a[10] = given.a[15] = TypeParam{wrong};  // of no matter
        const auto y = given.solve(random);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const bool may_be_wrong = i >= 7 && i < 10;
            if (!may_be_wrong || i == 7) {
                EXPECT_EQ(is_finite(y[i]), !may_be_wrong) << i;
            }
        }
    }
}

TYPED_TEST(RecurrenceMaps, NegativeZerosBeginNoRow) {
    std::mt19937 random(3);
    using part = part_of<TypeParam>;
    rows_of_numbers<TypeParam> given(2, 6, random);
    const part smallest = std::numeric_limits<part>::min();
    for (std::size_t i = 0; i < given.a.size(); ++i) {
        given.a[i] = TypeParam{i % 2 == 0 ? smallest : -smallest};  // whose product is -0
        given.x[i] = TypeParam{i % 6 == 0 ? part(NAN) : part(1)};
    }
    given.a[9] = TypeParam{part(-0.0)};
    for (const TypeParam& y : given.solve(random)) EXPECT_FALSE(is_finite(y));
}

}  // namespace
}  // namespace lookback::on_device
