// The case table for floats: sums of small whole numbers, which are exact in any order, and minima
// and maxima, where NaN wins. (Sums that round: reproducible_test.cu.)
#include <cmath>
#include <limits>

#include "support/case_table.hpp"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

template <class T>
std::vector<T> whole_numbers() {
    std::vector<T> values(table_items<T>);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = exact_items<T>{6}(i);
    return values;
}

// Values whose running minimum or maximum keeps changing, in the direction of `slope`.
template <class T>
std::vector<T> sloping(double slope) {
    auto values = random_values<T>(table_items<T>, 7);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<T>(values[i] * 100 + slope * static_cast<double>(i));
    }
    return values;
}

}  // namespace

TEST(Table, SumOfFloat) { run_table(whole_numbers<float>(), plus{}, 5.0F); }
TEST(Table, SumOfDouble) { run_table(whole_numbers<double>(), plus{}, 5.0); }
TEST(Table, MaximumOfFloat) { run_table(sloping<float>(0.5), maximum{}); }
TEST(Table, MinimumOfDouble) { run_table(sloping<double>(-0.5), minimum{}); }

TEST(Table, MaximumOfFloatWithNan) {
    auto values = sloping<float>(0.5);
    values[5000] = std::numeric_limits<float>::infinity();
    values[9000] = std::numeric_limits<float>::quiet_NaN();
    run_table(values, maximum{});
}

}  // namespace lookback::test
