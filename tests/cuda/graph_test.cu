// Scans in captured graphs, replayed with other data and other counts in the same memory.
#include <string>

#include "support/generated.hpp"
#include "support/graph.hpp"

namespace lookback::test {
namespace {

// A size for each driver.
std::vector<std::uint64_t> sizes() {
    if (reduced()) return {1000, 20'001};
    return {1000, 200'003, 3'000'001, 8'000'003};
}

struct count_of {
    std::uint64_t value;
    __device__ std::uint64_t operator()(std::uint64_t) const { return value; }
};

}  // namespace

TEST(Graphs, AThousandReplaysWithOtherData) {
    for (const std::uint64_t n : sizes()) {
        stream s;
        inspector steps(s);
        device_array<std::int32_t> in(n), out(n);
        lookback::gpu gpu(s);
        gpu.reserve<std::int32_t>(n);
        graph scan(s, [&] { lookback::inclusive_scan(gpu, in.data(), in.data() + n, out.data()); });
        for (std::uint64_t replay = 0; replay < (reduced() ? 3 : 1000); ++replay) {
            const exact_items<std::int32_t> items{replay};
            fill(s, in.data(), n, items);
            scan.replay();
            // Between replays, the same object sometimes scans without the graph.
            if (replay % 50 == 7) {
                lookback::inclusive_scan(gpu, in.data(), in.data() + n, out.data());
            }
            check_steps(steps, s, out.data(), n, items, plus{});
            ASSERT_EQ(steps.result(), "") << n << " items, replay " << replay;
        }
    }
}

TEST(Graphs, SeveralScansInOneGraph) {
    const std::uint64_t n = reduced() ? 20'001 : 5'000'003;
    stream s;
    inspector first(s), second(s);
    device_array<std::int32_t> a(n), b(n), c(n);
    lookback::gpu gpu(s);
    gpu.reserve<std::int32_t>(n);
    graph scans(s, [&] {
        lookback::inclusive_scan(gpu, a.data(), a.data() + n, b.data());
        lookback::inclusive_scan(gpu, a.data(), a.data() + n / 10, c.data());
        lookback::inclusive_scan(gpu, c.data(), c.data() + n / 10, c.data());
        lookback::inclusive_scan(gpu, a.data(), a.data() + n / 10, c.data());
    });
    for (std::uint64_t replay = 0; replay < (reduced() ? 2 : 100); ++replay) {
        const exact_items<std::int32_t> items{replay};
        fill(s, a.data(), n, items);
        scans.replay();
        check_steps(first, s, b.data(), n, items, plus{});
        check_steps(second, s, c.data(), n / 10, items, plus{});
        ASSERT_EQ(first.result(), "") << "replay " << replay;
        ASSERT_EQ(second.result(), "") << "replay " << replay;
    }
}

TEST(Graphs, CountsThatChangeBetweenReplays) {
    for (const std::uint64_t at_most : sizes()) {
        stream s;
        inspector steps(s), rest(s);
        device_array<std::int32_t> in(at_most), out(at_most);
        device_array<std::uint64_t> count(1);
        lookback::gpu gpu(s);
        gpu.reserve<std::int32_t>(at_most);
        graph scan(s, [&] {
            lookback::inclusive_scan(gpu, in.data(), count_at<std::uint64_t>{count.data(), at_most},
                                     out.data());
        });
        for (std::uint64_t replay = 0; replay < (reduced() ? 4 : 300); ++replay) {
            const exact_items<std::int32_t> items{replay};
            // Sometimes no items, sometimes all; otherwise any number.
            const std::uint64_t n = replay % 10 == 3   ? 0
                                    : replay % 10 == 1 ? at_most
                                                       : hash(replay) % (at_most + 1);
            fill(s, in.data(), at_most, items);
            fill(s, count.data(), 1, count_of{n});
            check(cudaMemsetAsync(out.data(), poison, at_most * sizeof(std::int32_t), s), "");
            scan.replay();
            check_steps(steps, s, out.data(), n, items, plus{});
            rest.compare(out.data() + n, nullptr, 0, 0, (at_most - n) * sizeof(std::int32_t));
            ASSERT_EQ(steps.result(), "") << n << " of at most " << at_most;
            ASSERT_EQ(rest.result(), "") << "bytes past the count: " << n << " of " << at_most;
        }
    }
}

TEST(Graphs, WorkspaceThatIsTooSmallIsAnError) {
    const std::uint64_t n = 20'000'003;  // more tiles than a workspace has at first
    stream s;
    inspector steps(s);
    device_array<std::int32_t> in(n), out(n);
    const exact_items<std::int32_t> items{8};
    fill(s, in.data(), n, items);
    lookback::gpu gpu(s);
    const auto scan = [&](std::uint64_t some) {
        lookback::inclusive_scan(gpu, in.data(), in.data() + some, out.data());
    };
    const auto check_now = [&](std::uint64_t some) {
        check_steps(steps, s, out.data(), some, items, plus{});
        EXPECT_EQ(steps.result(), "") << some << " items";
        check(cudaMemsetAsync(out.data(), poison, n * sizeof(std::int32_t), s), "poisoning");
    };
    // Twice: without a workspace, and with a workspace that is too small.
    for (const std::uint64_t some : {100'000ULL, 20'000'003ULL}) {
        try {
            graph refused(s, [&] { scan(some); });
            ADD_FAILURE() << some << " items: captured, where memory was needed";
        } catch (const cuda_error& e) {
            EXPECT_EQ(e.code(), cudaErrorStreamCaptureUnsupported) << e.what();
            EXPECT_NE(std::string(e.what()).find("gpu::reserve"), std::string::npos) << e.what();
        }
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        scan(100'000);
        check_now(100'000);
    }
    // First a graph with the small workspace, then a larger workspace.
    graph small(s, [&] { scan(100'000); });
    gpu.reserve<std::int32_t>(n);
    graph large(s, [&] { scan(n); });
    for (int replay = 0; replay < 3; ++replay) {
        large.replay();
        check_now(n);
        small.replay();
        check_now(100'000);
    }
}

}  // namespace lookback::test
