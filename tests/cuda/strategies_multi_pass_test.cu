#include "support/strategy_cases.hpp"

namespace lookback::test {

TEST(Strategies, InSeveralPasses) {
    run_strategy_tables([](auto&& f) { strategies::for_each_multi_pass(f); });
}

}  // namespace lookback::test
