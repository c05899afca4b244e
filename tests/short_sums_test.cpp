// Sums of a few integers, which are compiled into the program (detail/cpu/short_sums.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/values.hpp"

namespace lookback::test {

template <class T>
class ShortSums : public ::testing::Test {};
using integers =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, char, long long, wchar_t>;
TYPED_TEST_SUITE(ShortSums, integers);

// Every number of items up to more than the most, at every place within a vector, in place and not.
// Memory beside the results must not change.
TYPED_TEST(ShortSums, AreThoseOfALoop) {
    using T = TypeParam;
    const auto add = [](T a, T b) {
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    };
    constexpr T beside = static_cast<T>(0x5A);
    for (std::size_t n = 0; n <= 70; ++n) {
        const auto values = random_values<T>(n + 8, n);
        for (std::size_t offset = 0; offset < 3; ++offset) {
            for (const bool in_place : {false, true}) {
                for (const T init : {T{0}, T{77}, std::numeric_limits<T>::max()}) {
                    for (const bool exclusive : {false, true}) {
                        auto data = values;
                        data[offset + n] = beside;
                        std::vector<T> other(n + 8, beside);
                        std::vector<T>& out = in_place ? data : other;
                        const T* const first = data.data() + offset;
                        T* const to = out.data() + offset;
                        std::vector<T> want(n);
                        T running = init;
                        for (std::size_t i = 0; i < n; ++i) {
                            if (exclusive) want[i] = running;
                            running = add(running, values[offset + i]);
                            if (!exclusive) want[i] = running;
                        }
                        if (exclusive) {
                            EXPECT_EQ(exclusive_scan(first, first + n, to, init), to + n);
                        } else if (init == 0) {
                            inclusive_scan(first, first + n, to);
                        } else {
                            inclusive_scan(first, first + n, to, plus<>{}, init);
                        }
                        EXPECT_EQ(std::vector<T>(to, to + n), want) << n << " items at " << offset;
                        EXPECT_EQ(to[n], beside);
                        if (offset > 0) {
                            EXPECT_EQ(to[-1], in_place ? values[offset - 1] : beside);
                        }
                    }
                }
            }
        }
    }
}

// To the compiler, long long is another type than the integers of the vectors, and it sees the
// caller's variables: the sums must be written all the same.
TEST(ShortSumsOfLocals, AreWritten) {
    const std::array<long long, 1> one{7};
    std::array<long long, 1> sum{};
    inclusive_scan(one, sum);
    EXPECT_EQ(sum[0], 7);
    const std::array<unsigned long long, 5> some{1, 2, 3, 4, 5};
    std::array<unsigned long long, 5> sums{};
    exclusive_scan(some, sums);
    EXPECT_EQ(sums, (std::array<unsigned long long, 5>{0, 1, 3, 6, 10}));
}

}  // namespace lookback::test
