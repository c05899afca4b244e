// partition_if into one, two and three outputs against loops.
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
            // The predicate knows an item by its address: any flags, for any type.
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
            }
        }
    }
}

}  // namespace

TEST(PartitionIf, Integers) { check_partition<std::uint32_t>(); }
TEST(PartitionIf, Structs24Bytes) { check_partition<span_of>(); }
TEST(PartitionIf, StringsThatOwnMemory) { check_partition<std::string>(); }

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
