// reduce_by_key, compared with loops.
#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <stdexcept>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

// Types with a kernel. Items are small whole numbers, so that floats may be grouped in any way.
template <class T, class Op>
void check_kernel(const Op& op) {
    const std::size_t tile = detail::run_tile_items<std::uint32_t, T>;
    const std::size_t n = 3 * tile + 77;
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = static_cast<T>(numbered<std::uint32_t>(i) >> 25);
    if constexpr (std::is_floating_point_v<T>) {
        for (std::size_t i = 50; i < n; i += 997) values[i] = std::numeric_limits<T>::quiet_NaN();
    }
    keep_in_folds(values, op);
    for (const auto& [name, keys] : key_patterns(n, tile)) {
        const auto found = find_runs(keys);
        std::vector<std::uint32_t> keys_out(n);
        std::vector<T> folds(n);
        ASSERT_EQ(reduce_by_key(cpu{}, keys.begin(), keys.end(), values.begin(), keys_out.begin(),
                                folds.begin(), op),
                  found.keys.size());
        for (std::size_t r = 0; r < found.keys.size(); ++r) {
            T want = values[found.begins[r]];
            for (std::size_t i = 1; i < found.lengths[r]; ++i) {
                want = static_cast<T>(op(want, values[found.begins[r] + i]));
            }
            ASSERT_TRUE(folds[r] == want || (folds[r] != folds[r] && want != want))
                << "run " << r << ", " << name;
        }
    }
}
template <class T>
void check_kernels() {
    check_kernel<T>(plus<T>{});
    check_kernel<T>(minimum<>{});
    check_kernel<T>(maximum<>{});
    if constexpr (std::is_integral_v<T>) {
        check_kernel<T>(multiplies<>{});
        check_kernel<T>(bit_and<>{});
        check_kernel<T>(bit_or<>{});
        check_kernel<T>(bit_xor<>{});
    }
}

// Reduces in pieces of whole tiles. Each piece goes on with the run that the one before left open.
template <class T, class Op>
void check_pieces(const Op& op) {
    const std::size_t tile = detail::run_tile_items<std::uint32_t, T>;
    const std::size_t n = 6 * tile + 65;
    const auto values = random_values<T>(n, 3);
    for (const auto& [name, keys] : key_patterns(n, tile)) {
        const auto found = find_runs(keys);
        std::vector<std::uint8_t> heads(n);
        for (const std::size_t begin : found.begins) heads[begin] = 1;
        std::vector<std::uint32_t> want_keys(n);
        std::vector<T> want(n);
        want.resize(reduce_by_key(cpu{1}, keys.begin(), keys.end(), values.begin(),
                                  want_keys.begin(), want.begin(), op));
        for (const std::size_t piece : {tile, 2 * tile}) {
            std::vector<std::uint32_t> got_keys;
            std::vector<T> got;
            std::optional<detail::run_summary<std::size_t, T>> before;
            for (std::size_t first = 0; first < n; first += piece) {
                const std::size_t count = std::min(piece, n - first);
                watched_output<std::uint32_t> piece_keys(count + 1);
                std::vector<T> folds(count + 1);
                const std::size_t runs =
                    detail::fold_runs<T>(cpu{2}, keys.data() + first, count, values.data() + first,
                                         detail::by_flags(heads.data() + first), piece_keys.begin(),
                                         folds.begin(), op, before);
                const std::ptrdiff_t opened = before ? 1 : 0;
                ASSERT_TRUE(!before || piece_keys.items[0] == piece_keys.poison) << name;
                const auto last = static_cast<std::ptrdiff_t>(runs - 1);
                got_keys.insert(got_keys.end(), piece_keys.begin() + opened,
                                piece_keys.begin() + last + 1);
                got.insert(got.end(), folds.begin(), folds.begin() + last);
                before = {1, folds[runs - 1]};
            }
            got.push_back(before->open);
            ASSERT_TRUE(got_keys == found.keys) << name << ", pieces of " << piece;
            ASSERT_TRUE(got == want) << name << ", pieces of " << piece;
        }
    }
}

}  // namespace

// An operator that does not commute, on 24 bytes: any swap or gap shows.
TEST(ReduceByKey, AgainstALoop) {
    const std::size_t tile = detail::run_tile_items<std::uint32_t, span_of>;
    for (const std::size_t n : sizes_around(tile)) {
        const auto values = random_values<span_of>(n, 1);
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            const runs_of_keys runs = find_runs(keys);
            std::vector<span_of> want;
            for (std::size_t r = 0; r < runs.keys.size(); ++r) {
                const std::size_t last = runs.begins[r] + runs.lengths[r] - 1;
                want.push_back({runs.lengths[r], runs.begins[r], last});
            }
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const cpu where{.threads = threads};
                watched_output<std::uint32_t> keys_out(n);
                watched_output<span_of> folds(n);
                ASSERT_EQ(reduce_by_key(where, keys.begin(), keys.end(), values.begin(),
                                        keys_out.begin(), folds.begin(), join{}),
                          want.size())
                    << what;
                ASSERT_NO_FATAL_FAILURE(keys_out.expect(runs.keys, what));
                ASSERT_NO_FATAL_FAILURE(folds.expect(want, what));
                auto keys_both = keys;
                auto values_both = values;
                ASSERT_EQ(
                    reduce_by_key(where, keys_both.begin(), keys_both.end(), values_both.begin(),
                                  keys_both.begin(), values_both.begin(), join{}),
                    want.size());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(keys_both, runs.keys, keys, what));
                ASSERT_NO_FATAL_FAILURE(expect_in_place(values_both, want, values, what));
            }
        }
    }
}

TEST(ReduceByKey, BuiltInOperators) {
    check_kernels<std::int8_t>();
    check_kernels<std::uint16_t>();
    check_kernels<std::int32_t>();
    check_kernels<std::uint64_t>();
    check_kernels<float>();
    check_kernels<double>();
}

TEST(ReduceByKey, SumsBytesIntoSixtyFourBits) {
    const std::size_t n = 300000;
    const std::vector<std::uint8_t> keys(n, 7), values(n, 255);
    std::vector<std::uint8_t> keys_out(1);
    std::vector<std::uint64_t> sums(1);
    ASSERT_EQ(reduce_by_key(cpu{}, keys.begin(), keys.end(), values.begin(), keys_out.begin(),
                            sums.begin(), plus<std::uint64_t>{}),
              1U);
    EXPECT_EQ(sums[0], n * 255);
}

TEST(ReduceByKey, StringsAndTheirExceptions) {
    const std::size_t n = 5 * detail::run_tile_items<int, std::string> + 3;
    std::vector<int> keys(n), keys_out(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = int(i / 700);
    const std::vector<std::string> values(n, "ab");
    std::vector<std::string> folds(n);
    const auto concatenate = [](const std::string& a, const std::string& b) { return a + b; };
    for (const int threads : thread_counts) {
        const std::size_t runs =
            reduce_by_key(cpu{threads}, keys.begin(), keys.end(), values.begin(), keys_out.begin(),
                          folds.begin(), concatenate);
        ASSERT_EQ(runs, (n + 699) / 700);
        for (std::size_t r = 0; r + 1 < runs; ++r) ASSERT_EQ(folds[r].size(), 1400U);
        std::atomic<std::size_t> calls{0};
        const auto throwing = [&](const std::string& a, const std::string& b) {
            if (++calls == n / 2) throw std::runtime_error("operator");
            return a + b;
        };
        EXPECT_THROW(reduce_by_key(cpu{threads}, keys.begin(), keys.end(), values.begin(),
                                   keys_out.begin(), folds.begin(), throwing),
                     std::runtime_error);
    }
}

TEST(ReduceByKey, InPieces) {
    check_pieces<float>(plus<>{});
    check_pieces<matrix>(matrix_product{});
}

TEST(ReduceByKey, RefusesOutputsOverTheOtherInput) {
    std::vector<int> keys(10), values(10), out(10);
    const auto within = [](const std::string& name) {
        return "lookback: an output begins within the array of " + name +
               ", 8 bytes from its beginning; expected separate memory";
    };
    EXPECT_EQ(refusal([&] {
                  reduce_by_key(cpu{}, keys.begin(), keys.end(), values.begin(), out.begin(),
                                keys.begin() + 2);
              }),
              within("keys"));
    EXPECT_EQ(refusal([&] {
                  reduce_by_key(cpu{}, keys.begin(), keys.end(), values.begin(), values.begin() + 2,
                                out.begin());
              }),
              within("values"));
    EXPECT_EQ(refusal([&] {
                  unique_by_key(cpu{}, keys.begin(), keys.end(), values.begin(), out.begin(),
                                keys.begin() + 2);
              }),
              within("keys"));
}

TEST(ReduceByKey, EmptyInput) {
    const std::vector<int> none;
    std::vector<int> out;
    EXPECT_EQ(
        reduce_by_key(cpu{}, none.begin(), none.end(), none.begin(), out.begin(), out.begin()), 0U);
}

}  // namespace lookback::test
