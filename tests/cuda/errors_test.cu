// What is refused, and what happens if CUDA fails.
#include <thrust/iterator/counting_iterator.h>

#include <cstdlib>
#include <memory_resource>
#include <new>
#include <string>

#include "lookback/partition.hpp"
#include "lookback/segmented.hpp"
#include "support/generated.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

/// A memory resource for workspaces. It can be made to run out of memory.
class limited_memory final : public std::pmr::memory_resource {
 public:
    bool empty = false;
    int given = 0;

 private:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        if (empty) throw std::bad_alloc();
        void* p = nullptr;
        check(cudaMalloc(&p, bytes), "allocating device memory");
        ++given;
        return p;
    }
    void do_deallocate(void* p, std::size_t, std::size_t) override {
        cudaFree(p);
        --given;
    }
    bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

struct odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

__global__ void stop() { __trap(); }

// Runs in its own process, because the device cannot be used afterwards. Ends the process with 0 if
// the scan reports the failure.
[[noreturn]] void scan_after_a_failure() {
    stream s;
    device_array<int> in(1000), out(1000);
    lookback::gpu gpu(s);
    lookback::inclusive_scan(gpu, in.data(), in.data() + 1000, out.data());
    s.wait();
    stop<<<1, 1, 0, s>>>();
    if (cudaStreamSynchronize(s) == cudaSuccess) std::_Exit(3);
    try {
        lookback::inclusive_scan(gpu, in.data(), in.data() + 1000, out.data());
    } catch (const cuda_error& e) {
        const bool explained = std::string(e.what()).rfind("lookback: ", 0) == 0;
        std::_Exit(e.code() != cudaSuccess && explained ? 0 : 4);
    }
    std::_Exit(5);
}

}  // namespace

TEST(Errors, NameTheArgumentAndItsValue) {
    lookback::gpu gpu;
    device_array<int> in(10), out(10);
    int* const null = nullptr;
    int* const a = in.data();
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, a + 5, a, out.data()); }),
              "lookback: the input ends before it begins (-5 items); expected first <= last");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, a, a + 5, null); }),
              "lookback: the output is a null pointer, with 5 items");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, null, null + 2, out.data()); }),
              "lookback: the input is a null pointer, with 2 items");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, a, a + 3, a + 2); }),
              "lookback: the output overlaps the input, 8 bytes from its beginning; expected "
              "separate memory or the input itself");
    const count_at<int> no_array{nullptr, 5};
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, a, no_array, out.data()); }),
              "lookback: count_at.at is a null pointer");
    // Nothing was started.
    inspector untouched(nullptr);
    untouched.compare(out.data(), nullptr, 0, 0, 10 * sizeof(int));
    EXPECT_EQ(untouched.result(), "");
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, MoreItemsThanTicketsForTheirTiles) {
    lookback::gpu gpu;
    // Computed input, and an output that is no array: calls are refused before anything is
    // allocated or written.
    const thrust::counting_iterator<std::int64_t> in(0);
    auto* const out = reinterpret_cast<std::int64_t*>(4096);
    const std::int64_t most = (std::int64_t{1} << 31) * 5'440;
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(gpu, in, in + (most + 1), out); }),
              "lookback: 11682311045121 items are more than one call can take; expected at most "
              "11682311045120");
    const count_at<std::uint64_t> many{reinterpret_cast<std::uint64_t*>(4096),
                                       std::size_t{1} << 60};
    EXPECT_NE(message_of([&] {
                  lookback::inclusive_scan(gpu, in, many, out);
              }).find("1152921504606846976 items are more than one call can take"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  lookback::unique(gpu, in, in + (std::int64_t{1} << 60), out,
                                   count_to<std::uint64_t>{reinterpret_cast<std::uint64_t*>(4096)});
              }).find("1152921504606846976 items are more than one call can take"),
              std::string::npos);
}

TEST(Errors, NothingToDoIsFine) {
    lookback::gpu gpu;
    int* const null = nullptr;
    EXPECT_EQ(lookback::inclusive_scan(gpu, null, null, null), null);
    EXPECT_EQ(lookback::inclusive_segmented_scan(gpu, null, null, head_flags{null}, null), null);
    EXPECT_EQ(lookback::partition_if(gpu, null, null, null, odd{}), 0U);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Errors, MemoryThatRunsOut) {
    limited_memory memory;
    {
        const std::uint64_t n = 20'000'003;
        stream s;
        inspector steps(s);
        device_array<int> in(n), out(n);
        const exact_items<int> items{1};
        fill(s, in.data(), n, items);
        lookback::gpu gpu(s, &memory);
        const auto scan = [&](std::uint64_t some) {
            lookback::inclusive_scan(gpu, in.data(), in.data() + some, out.data());
            check_steps(steps, s, out.data(), some, items, plus{});
            EXPECT_EQ(steps.result(), "") << some << " items";
        };
        memory.empty = true;
        EXPECT_THROW(scan(100'000), std::bad_alloc);
        memory.empty = false;
        scan(100'000);
        memory.empty = true;
        EXPECT_THROW(scan(n), std::bad_alloc);
        scan(100'000);  // there is room for these
        memory.empty = false;
        scan(n);
        EXPECT_GT(memory.given, 0);
    }
    EXPECT_EQ(memory.given, 0) << "workspaces that were not given back";
}

TEST(Errors, MoreMemoryThanThereIs) {
    lookback::gpu gpu;
    EXPECT_THROW(gpu.reserve<std::int32_t>(std::uint64_t{1} << 60), cuda_error);
    // The error is cleared: the next call works.
    device_array<int> in(std::vector<int>{1, 2, 3});
    lookback::inclusive_scan(gpu, in.data(), in.data() + 3, in.data());
    EXPECT_EQ(in.get(), (std::vector{1, 3, 6}));
}

TEST(ErrorsDeathTest, LaunchThatFails) {
    if (reduced()) GTEST_SKIP() << "fails on purpose";
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process
    EXPECT_EXIT(scan_after_a_failure(), ::testing::ExitedWithCode(0), "");
}

}  // namespace lookback::test
