// Sums and products of floats by key and by segments: the tree, and the same bits in every run.
#include <algorithm>
#include <optional>

#include "support/compaction.hpp"
#include "support/row_tree.hpp"

namespace lookback::test {
namespace {

// Folds by the tree of docs/design.md.
template <class T, class Op>
std::vector<T> tree_of_folds(const std::vector<T>& in, const std::vector<std::uint8_t>& heads,
                             const std::optional<T>& init, bool exclusive, const Op& op) {
    constexpr std::size_t row = 64 / sizeof(T);
    const std::size_t tile = detail::segment_tile_items<T>;
    std::vector<T> out(in.size());
    std::optional<T> before;       // the open segment's part in this tile
    T carry = nothing_yet<T>(op);  // the fold of that part up to this row
    const auto after = [&](const std::optional<T>& a, T b) { return a ? op(*a, b) : b; };
    for (std::size_t first = 0; first < in.size(); first += row) {
        if (first > 0 && first % tile == 0) {
            before = after(before, carry);
            carry = nothing_yet<T>(op);
        }
        std::vector<T> lane(row, nothing_yet<T>(op));
        std::vector<bool> head(row);
        for (std::size_t i = 0; i < row && first + i < in.size(); ++i) {
            lane[i] = in[first + i];
            head[i] = heads[first + i] != 0;
        }
        lane = row_sums(lane, head, op);
        bool open = true;
        for (std::size_t i = 0; i < row && first + i < in.size(); ++i) {
            if (head[i]) {
                open = false;
                before = init;
                carry = nothing_yet<T>(op);
            }
            const T inclusive = after(before, op(carry, lane[i]));
            if (!exclusive) out[first + i] = inclusive;
            if (exclusive && head[i]) out[first + i] = *init;
            if (exclusive && first + i + 1 < in.size()) out[first + i + 1] = inclusive;
        }
        carry = open ? op(carry, lane[row - 1]) : lane[row - 1];
    }
    return out;
}

template <class T, class Op>
void check_tree(const Op& op) {
    const std::size_t tile = detail::segment_tile_items<T>;
    for (const std::size_t n : {std::size_t{5}, std::size_t{64}, 2 * tile - 1, 5 * tile + 77}) {
        auto in = values_to_fold<T>(n, op);
        for (std::size_t i = 0; i < n; ++i) {  // zeros of both signs, also whole segments of them
            if (i % 7 < 2 || i % 1000 < 100) in[i] = i % 3 == 0 ? T(0) : -T(0);
        }
        const T init = T(0.3);
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            std::vector<std::uint8_t> heads(n);
            for (std::size_t i = 0; i < n; ++i) heads[i] = i == 0 || keys[i] != keys[i - 1];
            for (const int threads : thread_counts) {
                const cpu where{.threads = threads};
                std::vector<T> out(n);
                inclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin(), op);
                ASSERT_TRUE(same_bits(out, tree_of_folds<T>(in, heads, std::nullopt, false, op)))
                    << name;
                inclusive_segmented_scan(where, in.begin(), in.end(), head_flags{heads.begin()},
                                         out.begin(), init, op);
                ASSERT_TRUE(same_bits(out, tree_of_folds<T>(in, heads, init, false, op))) << name;
                exclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin(),
                                      init, op);
                ASSERT_TRUE(same_bits(out, tree_of_folds<T>(in, heads, init, true, op))) << name;
            }
        }
    }
}

}  // namespace

TEST(SegmentedFloats, HaveTheTreeOfTheDesign) {
    check_tree<float>(plus<>{});
    check_tree<double>(plus<>{});
    check_tree<float>(multiplies<>{});
    check_tree<double>(multiplies<>{});
}

TEST(SegmentedFloats, HaveTheSameBitsInEveryRun) {
    const std::size_t n = 20 * detail::small_tile_items<segment_value<float>> + 5;
    const auto in = random_values<float>(n, 1);
    std::vector<std::uint32_t> keys(n);
    for (const std::size_t length : {std::size_t{70000}, std::size_t{700}, std::size_t{65}}) {
        // Segments of `length`, 64 and 3 items in turn; in some places only pairs.
        const std::size_t period = length + 67;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t in_period = i % period;
            keys[i] = static_cast<std::uint32_t>(3 * (i / period) + (in_period >= length) +
                                                 (in_period >= length + 64));
            if (i % 5000 < 500) keys[i] = static_cast<std::uint32_t>(1000000 + i / 2);
        }
        std::vector<float> want(n), want_exclusive(n), out(n), out_exclusive(n);
        inclusive_scan_by_key(cpu{.threads = 1}, keys.begin(), keys.end(), in.begin(),
                              want.begin());
        exclusive_scan_by_key(cpu{.threads = 1}, keys.begin(), keys.end(), in.begin(),
                              want_exclusive.begin(), 0.5F);
        for (const int threads : thread_counts) {
            for (int round = 0; round < 10; ++round) {
                const cpu where{.threads = threads};
                inclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin());
                exclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(),
                                      out_exclusive.begin(), 0.5F);
                ASSERT_TRUE(same_bits(out, want)) << "threads " << threads;
                ASSERT_TRUE(same_bits(out_exclusive, want_exclusive)) << "threads " << threads;
            }
        }
        // And the results are close to the right ones.
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const bool head = i == 0 || keys[i] != keys[i - 1];
            ASSERT_NEAR(out_exclusive[i], head ? 0.5 : sum + 0.5, 1e-2) << i;
            sum = head ? in[i] : sum + in[i];
            ASSERT_NEAR(out[i], sum, 1e-2) << i;
        }
    }
}

}  // namespace lookback::test
