// The case table for structs of 16 and 24 bytes, with operators that do not commute.
#include "support/case_table.hpp"

namespace lookback::test {

TEST(Table, ProductOfMatrices) {
    run_table(random_values<matrix>(table_items<matrix>, 1), matrix_product{});
}
TEST(Table, JoinOf24Bytes) { run_table(random_values<span_of>(table_items<span_of>, 2), join{}); }

}  // namespace lookback::test
