// partition_if and partition_flagged into one, two and three outputs, compared with loops.
#include <atomic>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

template <class T>
void check_partition() {
    const std::size_t tile = detail::compaction_tile_items<T>;
    for (const std::size_t n : sizes_around(tile)) {
        const auto in = numbered_values<T>(n);
        for (const auto& [name, flags] : flag_patterns(n, tile)) {
            // The predicate identifies an item by its address, so that any type can have any flags.
            const auto flagged = [&](const T& x) {
                return flags[std::size_t(&x - in.data())] != 0;
            };
            const auto third = [&](const T& x) { return (&x - in.data()) % 3 == 0; };
            std::vector<T> kept, rest, second, remains;
            for (const T& x : in) {
                (flagged(x) ? kept : rest).push_back(x);
                if (!flagged(x)) (third(x) ? second : remains).push_back(x);
            }
            std::vector<T> all = kept;
            all.insert(all.end(), rest.begin(), rest.end());
            std::vector<T> backward = kept;
            backward.insert(backward.end(), rest.rbegin(), rest.rend());
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const cpu where{.threads = threads};
                const auto first = in.begin(), last = in.end();
                watched_output<T> one(n), out_kept(n), out_rest(n);
                ASSERT_EQ(partition_if(where, first, last, one.begin(), flagged), kept.size());
                ASSERT_NO_FATAL_FAILURE(one.expect(all, what));
                ASSERT_EQ(
                    partition_if(where, first, last, out_kept.begin(), out_rest.begin(), flagged),
                    kept.size());
                ASSERT_NO_FATAL_FAILURE(out_kept.expect(kept, what));
                ASSERT_NO_FATAL_FAILURE(out_rest.expect(rest, what));
                watched_output<T> a(n), b(n), c(n);
                ASSERT_EQ(partition_if(where, first, last, a.begin(), b.begin(), c.begin(), flagged,
                                       third),
                          (partition_counts{kept.size(), second.size()}));
                ASSERT_NO_FATAL_FAILURE(a.expect(kept, what));
                ASSERT_NO_FATAL_FAILURE(b.expect(second, what));
                ASSERT_NO_FATAL_FAILURE(c.expect(remains, what));
                watched_output<T> reversed(n);
                ASSERT_EQ(
                    partition_if(where, first, last, reversed.begin(), rest_reversed, flagged),
                    kept.size());
                ASSERT_NO_FATAL_FAILURE(reversed.expect(backward, what));
                watched_output<T> x(n), y(n), z(n), w(n);
                const auto flag = flags.begin();
                ASSERT_EQ(partition_flagged(where, first, last, flag, x.begin(), y.begin()),
                          kept.size());
                ASSERT_NO_FATAL_FAILURE(x.expect(kept, what));
                ASSERT_NO_FATAL_FAILURE(y.expect(rest, what));
                ASSERT_EQ(partition_flagged(where, first, last, flag, z.begin()), kept.size());
                ASSERT_NO_FATAL_FAILURE(z.expect(all, what));
                std::size_t count = 0;
                partition_flagged(where, first, last, flag, w.begin(), rest_reversed,
                                  count_to{&count});
                ASSERT_EQ(count, kept.size());
                ASSERT_NO_FATAL_FAILURE(w.expect(backward, what));
            }
        }
    }
}

}  // namespace

TEST(PartitionIf, Integers) { check_partition<std::uint32_t>(); }
TEST(PartitionIf, Structs24Bytes) { check_partition<span_of>(); }
TEST(PartitionIf, StringsThatOwnMemory) { check_partition<std::string>(); }

TEST(PartitionFlagged, Ranges) {
    const std::vector<int> in = {5, 1, 4, 2, 3};
    const std::vector<char> flags = {1, 0, 1, 0, 0};
    std::vector<int> out(5), rest(3);
    EXPECT_EQ(partition_flagged(in, flags, out, rest_reversed), 2U);
    EXPECT_EQ(out, (std::vector{5, 4, 3, 2, 1}));
    EXPECT_EQ(partition_flagged(cpu{1}, in, flags, out), 2U);
    EXPECT_EQ(out, (std::vector{5, 4, 1, 2, 3}));
    std::vector<int> kept(5), others(5);
    EXPECT_EQ(partition_flagged(in, flags, kept, others), 2U);
    EXPECT_EQ(others, (std::vector{1, 2, 3, 0, 0}));
    EXPECT_THROW(partition_flagged(in, flags, kept, rest), std::invalid_argument);
    EXPECT_THROW(partition_flagged(in, std::vector<char>(4), out), std::invalid_argument);
}
TEST(PartitionFlagged, RefusesOutputsOverItsArrays) {
    std::vector<std::uint8_t> items(8, 1), flags(8, 1), out(8);
    const auto refused = [](const auto& call) { EXPECT_THROW(call(), std::invalid_argument); };
    refused([&] { partition_flagged(items, flags, items, out); });
    refused([&] { partition_flagged(items, flags, out, flags); });
    refused([&] { partition_flagged(items, flags, flags); });
    refused([&] { partition_flagged(items, flags, items, rest_reversed); });
    refused([&] { partition_flagged(items, flags, flags, rest_reversed); });
    refused([&] { partition_flagged(items, flags, out, out); });
}

TEST(PartitionIf, CallsThePredicatesOnceForEachItem) {
    const std::size_t n = 20 * detail::compaction_tile_items<std::uint32_t> + 5;
    const auto in = numbered_values<std::uint32_t>(n);
    std::vector<std::uint32_t> out(n), second(n), rest(n);
    std::atomic<std::size_t> calls{0}, second_calls{0};
    const auto odd = [&](std::uint32_t x) { return ++calls, x % 2 != 0; };
    const auto high = [&](std::uint32_t x) { return ++second_calls, x > 1U << 31; };
    const std::size_t kept = partition_if(cpu{}, in.begin(), in.end(), out.begin(), odd);
    EXPECT_EQ(calls, n);
    calls = 0;
    partition_if(cpu{}, in.begin(), in.end(), out.begin(), second.begin(), rest.begin(), odd, high);
    EXPECT_EQ(calls, n);
    EXPECT_EQ(second_calls, n - kept);
}

}  // namespace lookback::test
