#include "support/strategy_cases.hpp"

namespace lookback::test {

TEST(Strategies, BlocksInSharedMemory) {
    run_strategy_tables([](auto&& f) { strategies::for_each_array_block(f); });
}

}  // namespace lookback::test
