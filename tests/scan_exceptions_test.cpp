// An operator that throws, and one that counts its calls.
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/check_scan.hpp"

namespace lookback::test {
namespace {

struct throws_at {
    std::atomic<long>* calls;
    long at;
    int operator()(int a, int b) const {
        if (calls->fetch_add(1) == at) throw std::runtime_error("call " + std::to_string(at));
        return a ^ b;
    }
};

long thread_count() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

}  // namespace

TEST(ScanExceptions, ReachTheCallerAndLeaveTheLibraryUsable) {
    const std::size_t n = 12 * scan_tile_items<int> + 3;
    const std::vector<int> in(n, 1);
    std::vector<int> out(n);
    long threads_before = 0;
    for (int round = 0; round < (sanitized ? 3 : 20); ++round) {
        for (const int threads : {1, 2, 7, 16}) {
            for (const long at : {0L, 1L, long(n / 3), long(n) - 2}) {
                for (const bool in_place : {false, true}) {
                    std::atomic<long> calls{0};
                    const int* from = in_place ? out.data() : in.data();
                    EXPECT_THROW(lookback::inclusive_scan(cpu{.threads = threads}, from, from + n,
                                                          out.data(), throws_at{&calls, at}),
                                 std::runtime_error);
                    const long after = calls;
                    if (round == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    EXPECT_EQ(calls, after) << "somebody still works";
                }
            }
        }
        lookback::inclusive_scan(cpu{.threads = 16}, in, out);
        ASSERT_EQ(out[n - 1], int(n));
        if (round == 0) threads_before = thread_count();
    }
    EXPECT_LE(thread_count(), threads_before) << "threads are left behind";
}

// Short scans have their own code: results before the item that throws are written, the others are
// not touched.
TEST(ScanExceptions, LeaveShortScansWhereTheyHappen) {
    for (const int n : {2, 3, 63, 64, 65}) {
        for (const int at : {0, (n - 2) / 2, n - 2}) {
            for (const bool in_place : {false, true}) {
                const std::vector<int> in(static_cast<std::size_t>(n), 1);
                std::vector<int> out(in.size(), in_place ? 1 : -1);
                const int* from = in_place ? out.data() : in.data();
                std::atomic<long> calls{0};
                EXPECT_THROW(
                    lookback::inclusive_scan(from, from + n, out.data(), throws_at{&calls, at}),
                    std::runtime_error);
                EXPECT_EQ(calls, at + 1);
                for (int i = 0; i < n; ++i) {
                    const int want = i <= at ? (i + 1) % 2 : in_place ? 1 : -1;
                    EXPECT_EQ(out[static_cast<std::size_t>(i)], want) << i << " of " << n;
                }
            }
        }
    }
}

// A scan that is called within cancelled work is still done as a whole, and still throws.
TEST(ScanExceptions, CancelledCallersGetWholeScans) {
    const std::size_t n = 12 * scan_tile_items<int> + 3;
    const std::vector<int> in(n, 1);
    for (const int threads : {0, 2, 5}) {
        std::vector<int> out(n, -1);
        bool thrown = false;
        tbb::task_group group;
        group.run_and_wait([&] {
            group.cancel();
            lookback::inclusive_scan(cpu{.threads = threads}, in, out);
            std::atomic<long> calls{0};
            try {
                std::vector<int> scratch(n);
                lookback::inclusive_scan(cpu{.threads = threads}, in, scratch,
                                         throws_at{&calls, 100});
            } catch (const std::runtime_error&) {
                thrown = true;
            }
        });
        EXPECT_TRUE(thrown) << "threads " << threads;
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], static_cast<int>(i + 1));
    }
}

// The operator is called on real items only, in order, and at most about twice for each item: once
// to reduce, once to scan (with a second application to add the prefix).
TEST(ScanOperator, IsCalledOnRealItemsOnly) {
    struct marked {
        std::uint32_t mark, count;
    };
    struct counting {
        std::atomic<std::size_t>*calls, *strangers;
        marked operator()(const marked& a, const marked& b) const {
            calls->fetch_add(1, std::memory_order_relaxed);
            if (a.mark != 0xC0FFEE || b.mark != 0xC0FFEE) strangers->fetch_add(1);
            return {0xC0FFEE, a.count + b.count};
        }
    };
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{2}, std::size_t{1000}, 9 * scan_tile_items<marked> + 5}) {
        for (const int threads : {1, 2, 16}) {
            std::atomic<std::size_t> calls{0}, strangers{0};
            const std::vector<marked> in(n, {0xC0FFEE, 1});
            std::vector<marked> out(n);
            lookback::inclusive_scan(cpu{.threads = threads}, in, out,
                                     counting{&calls, &strangers});
            EXPECT_EQ(strangers, 0u);
            EXPECT_GE(calls, n - 1);
            EXPECT_LE(calls, 3 * n + 100) << "threads " << threads;
            if (n <= scan_tile_items<marked>) {
                EXPECT_EQ(calls, n - 1);
            }
            EXPECT_EQ(out[n - 1].count, n);
        }
    }
}

}  // namespace lookback::test
