// Sums and products of floats by key: the tree, and the same bits in every run.
#include <algorithm>
#include <deque>
#include <optional>

#include "support/compaction.hpp"
#include "support/row_tree.hpp"

namespace lookback::test {
namespace {

// Folds by the tree of docs/design.md. `in_rows` is for numbers in contiguous memory.
template <class T, class Op>
std::vector<T> tree_of_folds(const std::vector<T>& values, const std::vector<std::uint32_t>& keys,
                             bool in_rows, const Op& op) {
    const std::size_t n = values.size(), row = 64 / sizeof(T);
    const std::size_t tile = detail::run_tile_items<std::uint32_t, T>;
    std::vector<T> sums;
    std::optional<T> before, open;  // parts of the open run: in earlier tiles, in this one
    const auto add = [&](std::optional<T>& to, T x) { to = to ? op(*to, x) : x; };
    const auto close = [&] {
        if (open) add(before, *open);
        sums.push_back(*before);
        before.reset();
        open.reset();
    };
    const auto ends_before = [&](std::size_t i) { return i > 0 && keys[i] != keys[i - 1]; };
    for (std::size_t first = 0; first < n; first += 64) {
        const std::size_t end = std::min(n, first + 64);
        const bool begins_tile = first % tile == 0;
        if (begins_tile && open) {
            add(before, *open);
            open.reset();
        }
        bool has_head = false;
        for (std::size_t i = first; i < end; ++i) has_head = has_head || ends_before(i);
        if (!has_head && !begins_tile && end == first + 64) {
            for (const T* v = &values[first]; v < values.data() + end; v += 8) {
                add(open,
                    op(op(op(v[0], v[1]), op(v[2], v[3])), op(op(v[4], v[5]), op(v[6], v[7]))));
            }
        } else if (in_rows && (has_head || begins_tile)) {
            for (std::size_t at = first; at < end; at += row) {
                const std::size_t count = std::min(row, end - at);
                std::vector<T> lane(row, nothing_yet<T>(op));
                std::vector<bool> head(row);
                for (std::size_t i = 0; i < count; ++i) {
                    lane[i] = values[at + i];
                    head[i] = ends_before(at + i);
                }
                lane = row_sums(lane, head, op);
                for (std::size_t i = 0; i < count; ++i) {
                    if (head[i]) close();
                    if (i + 1 == count || head[i + 1]) add(open, lane[i]);
                }
            }
        } else {
            for (std::size_t i = first; i < end; ++i) {
                if (ends_before(i)) close();
                add(open, values[i]);
            }
        }
    }
    close();
    return sums;
}

template <class T, class Op>
void check_tree(const Op& op) {
    const std::size_t tile = detail::run_tile_items<std::uint32_t, T>;
    for (const std::size_t n :
         {std::size_t{5}, std::size_t{64}, std::size_t{150}, 12 * tile + 77}) {
        const auto values = values_to_fold<T>(n, op);
        const std::deque<T> scattered(values.begin(), values.end());
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            const auto want = tree_of_folds(values, keys, true, op);
            const auto want_of_scattered = tree_of_folds(values, keys, false, op);
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const auto check = [&, &keys = keys](auto first, const std::vector<T>& expected) {
                    std::vector<std::uint32_t> keys_out(n);
                    std::vector<T> sums(n);
                    ASSERT_EQ(reduce_by_key(cpu{threads}, keys.begin(), keys.end(), first,
                                            keys_out.begin(), sums.begin(), op),
                              expected.size())
                        << what;
                    sums.resize(expected.size());
                    ASSERT_TRUE(sums == expected) << what;
                };
                for (int round = 0; round < 3; ++round) {
                    ASSERT_NO_FATAL_FAILURE(check(values.begin(), want));
                    ASSERT_NO_FATAL_FAILURE(check(scattered.begin(), want_of_scattered));
                    auto both = values;
                    auto keys_both = keys;
                    reduce_by_key(cpu{threads}, keys_both.begin(), keys_both.end(), both.begin(),
                                  keys_both.begin(), both.begin(), op);
                    ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, values, what));
                }
            }
        }
    }
}

}  // namespace

TEST(RunsFloats, HaveTheTreeOfTheDesign) {
    check_tree<float>(plus<>{});
    check_tree<double>(plus<>{});
    check_tree<float>(multiplies<>{});
    check_tree<double>(multiplies<>{});
}

}  // namespace lookback::test
