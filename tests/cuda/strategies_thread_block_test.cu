#include "support/strategy_cases.hpp"

namespace lookback::test {

TEST(Strategies, BlocksInRegisters) {
    run_strategy_tables([](auto&& f) { strategies::for_each_thread_block(f); });
}

}  // namespace lookback::test
