// segmented_sort_keys, segmented_sort_pairs and segmented_sort_order on the CPU: segments of all
// lengths, keys of all types and shapes, threads; in place; and what is refused.
#include "lookback/segmented_sort.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "support/message_of.hpp"
#include "support/segment_lengths.hpp"
#include "support/sorting.hpp"

namespace lookback::test {
namespace {

enum class color : std::int16_t {};

struct wide {
    std::uint32_t word[6];
    friend bool operator==(const wide&, const wide&) = default;
};

template <class Key>
class segment_cases {
 public:
    explicit segment_cases(std::size_t items) {
        constexpr std::size_t fits = detail::finish_items<Key, detail::no_array>;
        std::vector<std::size_t> edges = {32, 1 << 14};
        if (items > fits) edges.push_back(fits);
        for (const segment_lengths& segments : lengths_of_all_kinds(items, edges)) {
            check(segments);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }

 private:
    void check(const segment_lengths& segments) {
        const std::size_t n = segments.items();
        const auto shapes = key_shapes<Key>(n);
        const auto& [shape, keys] = shapes[cases_++ % shapes.size()];
        const cpu where{.threads = static_cast<int>(cases_ % 3)};
        constexpr int bits = detail::word_bits<detail::key_word<Key>>;
        for (const sort_by by : {sort_by{}, sort_by{true}, sort_by{false, bits / 4, bits - 1}}) {
            const std::string what = segments.name + ", " +
                                     describe_sort(shape, n, where.threads, by.descending) +
                                     ", from bit " + std::to_string(by.first_bit);
            check(keys, segments, where, by, what);
        }
    }

    static void check(const std::vector<Key>& keys, const segment_lengths& segments,
                      const cpu& where, const sort_by& by, const std::string& what) {
        const std::size_t n = keys.size();
        const auto order = order_in_segments(keys, segments.lengths, by);
        const auto want = taken_in(order, keys);
        const auto offsets = segments.offsets<std::int64_t>();
        const segment_offsets in{offsets.begin(), offsets.end()};

        guarded_output<Key> out(n), paired(n);
        segmented_sort_keys(where, keys.begin(), keys.end(), in, out.begin(), by);
        ASSERT_NO_FATAL_FAILURE(out.expect(want, what));
        std::vector<Key> both = keys;
        segmented_sort_keys(where, both, in, both, by);
        ASSERT_TRUE(same_bytes(both, want)) << "in place: " << what;
        // What the type of the keys makes no difference for.
        if constexpr (std::is_same_v<Key, std::int32_t>)
            by_narrow_offsets(keys, want, segments, by, what);
        if constexpr (sizeof(Key) == 1 || std::is_same_v<Key, double>) {
            with_wide_values(keys, order, segments, where, by, what);
        }

        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0U);
        guarded_output<std::uint32_t> values_out(n), order_out(n);
        segmented_sort_pairs(where, keys.begin(), keys.end(), numbers.begin(), in, paired.begin(),
                             values_out.begin(), by);
        ASSERT_NO_FATAL_FAILURE(paired.expect(want, what));
        ASSERT_NO_FATAL_FAILURE(values_out.expect(order, what));
        segmented_sort_order(where, keys.begin(), keys.end(), in, order_out.begin(), by);
        ASSERT_NO_FATAL_FAILURE(order_out.expect(order, what));
    }

    static void by_narrow_offsets(const std::vector<Key>& keys, const std::vector<Key>& want,
                                  const segment_lengths& segments, const sort_by& by,
                                  const std::string& what) {
        const auto offsets = segments.offsets<unsigned>();
        std::vector<Key> both = keys;
        segmented_sort_keys(cpu{2}, both,
                            segment_offsets{offsets.data(), offsets.data() + offsets.size()}, both,
                            by);
        ASSERT_TRUE(same_bytes(both, want)) << "narrow offsets: " << what;
    }

    static void with_wide_values(const std::vector<Key>& keys,
                                 const std::vector<std::uint32_t>& order,
                                 const segment_lengths& segments, const cpu& where,
                                 const sort_by& by, const std::string& what) {
        const auto offsets = segments.offsets<std::int64_t>();
        const std::size_t n = keys.size();
        std::vector<wide> items(n);
        for (std::size_t i = 0; i < n; ++i) items[i].word[i % 6] = static_cast<std::uint32_t>(i);
        const auto want = taken_in(order, keys);
        const auto want_items = taken_in(order, items);
        std::vector<Key> both = keys;
        segmented_sort_pairs(where, both, items, segment_offsets{offsets.begin(), offsets.end()},
                             both, items, by);
        ASSERT_TRUE(same_bytes(both, want) && items == want_items) << "wide, in place: " << what;
    }

    std::size_t cases_ = 0;
};

TEST(SegmentedSort, Bytes) { segment_cases<std::uint8_t>(40'000); }
TEST(SegmentedSort, Enumerations) { segment_cases<color>(3'000); }
TEST(SegmentedSort, Int32) { segment_cases<std::int32_t>(200'000); }
TEST(SegmentedSort, Uint64) { segment_cases<std::uint64_t>(40'000); }
TEST(SegmentedSort, Int128) { segment_cases<detail::int128>(3'000); }
TEST(SegmentedSort, Float) { segment_cases<float>(10'000); }
TEST(SegmentedSort, Double) { segment_cases<double>(3'000); }

// Segments that all threads sort together, and small ones between them.
TEST(SegmentedSort, Large) {
    const segment_lengths segments{"large", {3, 1'000'000, 0, 100'000, 17, 400'000}};
    const auto offsets = segments.offsets<int>();
    for (const auto& [shape, keys] : key_shapes<std::uint32_t>(segments.items())) {
        const auto order = order_in_segments(keys, segments.lengths, {});
        std::vector<std::uint32_t> sorted(keys.size()), positions(keys.size());
        segmented_sort_keys(keys, segment_offsets{offsets.begin(), offsets.end()}, sorted);
        EXPECT_TRUE(sorted == taken_in(order, keys)) << shape;
        segmented_sort_order(keys, segment_offsets{offsets.begin(), offsets.end()}, positions);
        EXPECT_TRUE(positions == order) << shape;
    }
}

TEST(SegmentedSort, ByAProjection) {
    const std::vector<std::string> words = {"pear", "fig", "apple", "kiwi", "plum", "fig"};
    const std::vector<int> offsets = {0, 3, 3, 6};
    const segment_offsets segments{offsets.begin(), offsets.end()};
    const auto length = [](const std::string& word) { return word.size(); };
    std::vector<std::string> sorted(words.size());
    segmented_sort_keys(words, segments, sorted, length);
    EXPECT_EQ(sorted, (std::vector<std::string>{"fig", "pear", "apple", "fig", "kiwi", "plum"}));
    std::vector<std::int8_t> order(words.size());
    segmented_sort_order(words, segments, order, length, sort_by{.descending = true});
    EXPECT_EQ(order, (std::vector<std::int8_t>{2, 0, 1, 3, 4, 5}));
    auto both = words;
    segmented_sort_keys(cpu{1}, both, segments, both, length);
    EXPECT_EQ(both, sorted);
}

TEST(SegmentedSort, Refusals) {
    std::vector<int> keys = {3, 1, 2}, out(3), offsets = {0, 2, 3};
    const auto sort = [&](const std::vector<int>& of) {
        segmented_sort_keys(keys, segment_offsets{of.begin(), of.end()}, out);
    };
    EXPECT_EQ(message_of([&] { sort({}); }),
              "lookback: there are no offsets; expected one more than there are segments");
    EXPECT_EQ(message_of([&] { sort({1, 3}); }), "lookback: the first offset is 1; expected 0");
    EXPECT_EQ(message_of([&] {
                  sort({0, 2});
              }),
              "lookback: the last offset is 2; expected the number of items, 3");
    EXPECT_EQ(message_of([&] {
                  sort({0, 2, 1, 3});
              }),
              "lookback: offsets decrease from 2 to 1 at entry 2; expected each to be at least the "
              "one before");
    const segment_offsets segments{offsets.begin(), offsets.end()};
    EXPECT_THROW(segmented_sort_keys(keys, segments, offsets), std::invalid_argument);
    EXPECT_THROW(segmented_sort_keys(keys, segments, out, sort_by{false, 3, 33}),
                 std::invalid_argument);
    EXPECT_THROW(segmented_sort_order(keys, segments, keys), std::invalid_argument);
    const int items = 3;
    segmented_sort_keys(cpu{}, keys.begin(), count_at{&items, 3}, segments, out.begin());
    EXPECT_EQ(out, (std::vector<int>{1, 3, 2}));
}

}  // namespace
}  // namespace lookback::test
