#include "support/strategy_cases.hpp"

namespace lookback::test {

TEST(Strategies, InOnePass) {
    run_strategy_tables([](auto&& f) { strategies::for_each_single_pass(f); });
}

}  // namespace lookback::test
