// The case table for structs with operators that do not commute, and for types that own memory.
#include <memory>
#include <numeric>
#include <string>

#include "support/check_scan.hpp"

namespace lookback::test {

TEST(ScanStructs, Matrix) { check_exactly<matrix>(matrix_product{}); }
TEST(ScanStructs, MatrixStatedExact) { check_exactly<matrix>(exact_matrix_product{}); }
TEST(ScanStructs, Affine) { check_exactly<affine32>(affine{}); }
TEST(ScanStructs, Span24Bytes) { check_exactly<span_of>(join{}); }
TEST(ScanStructs, Aligned16) { check_exactly<pair16>(pair_affine{}); }

TEST(ScanStructs, StringsThatOwnMemory) {
    const std::size_t n = 3 * scan_tile_items<std::string> + 17;
    std::vector<std::string> in(n);
    for (std::size_t i = 0; i < n; ++i)
        in[i] = i % 1000 == 0 ? std::string(20, char('a' + i / 1000 % 26)) : "";
    for (const int threads : {1, 4}) {
        std::vector<std::string> out(n);
        lookback::inclusive_scan(cpu{.threads = threads}, in, out,
                                 [](const std::string& a, const std::string& b) { return a + b; });
        std::string fold;
        for (std::size_t i = 0; i < n; ++i) {
            fold += in[i];
            ASSERT_EQ(out[i], fold) << "item " << i;
        }
    }
}

// Examples from the documents.
TEST(ScanExamples, SeedArray) {
    const std::vector<int> in = {3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> out(in.size());
    lookback::inclusive_scan(in, out);
    EXPECT_EQ(out, (std::vector{3, 4, 11, 11, 15, 16, 22, 25}));
    lookback::exclusive_scan(in, out, 0);
    EXPECT_EQ(out, (std::vector{0, 3, 4, 11, 11, 15, 16, 22}));
}

TEST(ScanExamples, AllocationOffsets) {
    const std::vector<int> in = {8, 6, 7, 5, 3, 0, 9};
    std::vector<int> out(in.size());
    lookback::exclusive_scan(in, out, 0);
    EXPECT_EQ(out, (std::vector{0, 8, 14, 21, 26, 29, 29}));
}

TEST(ScanExamples, LinearRecurrence) {
    // y[i] = 2 y[i-1] + 1, y[-1] = 1
    const std::vector<affine_map<std::int64_t>> in(10, {2, 1});
    std::vector<affine_map<std::int64_t>> out(10);
    lookback::inclusive_scan(cpu{}, in, out, affine{}, affine_map<std::int64_t>{1, 1});
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(out[std::size_t(i)].shift, (std::int64_t{1} << (i + 2)) - 1);
}

}  // namespace lookback::test
