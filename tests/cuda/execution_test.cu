// The lookback::gpu object itself: its device, captures, host threads that share it, and kernels
// that it starts early.
#include <memory>
#include <memory_resource>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "lookback/axis_scan.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/kernel/device_prefix.hpp"
#include "lookback/partition.hpp"
#include "support/compaction_cases.hpp"
#include "support/generated.hpp"
#include "support/graph.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

struct less_than {
    std::uint32_t limit;
    __host__ __device__ bool operator()(std::uint32_t x) const { return x < limit; }
};

/// Makes the second device current as long as it lives.
class on_second_device {
 public:
    on_second_device() { check(cudaSetDevice(1), "going to the second device"); }
    ~on_second_device() { cudaSetDevice(0); }
    on_second_device(const on_second_device&) = delete;
    on_second_device& operator=(const on_second_device&) = delete;
};
bool has_second_device() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "counting devices");
    return devices > 1;
}

/// Notes which device is current when memory is allocated and when it is freed.
class watched_memory final : public std::pmr::memory_resource {
 public:
    std::vector<int> devices;

 private:
    void note() {
        int device = -1;
        cudaGetDevice(&device);
        devices.push_back(device);
    }
    void* do_allocate(std::size_t bytes, std::size_t) override {
        note();
        void* p = nullptr;
        check(cudaMalloc(&p, bytes), "allocating device memory");
        return p;
    }
    void do_deallocate(void* p, std::size_t, std::size_t) override {
        note();
        cudaFree(p);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

}  // namespace

TEST(Devices, MemoryIsRefusedOnAnotherOne) {
    if (!has_second_device()) GTEST_SKIP() << "there is one device";
    watched_memory memory;
    lookback::gpu gpu(nullptr, &memory);
    device_array<std::uint32_t> in(std::vector<std::uint32_t>{5, 1, 5}), out(3);
    {
        const on_second_device other;
        const std::string refused =
            "lookback: the current device is 1; expected the one that this lookback::gpu was made "
            "for, 0";
        EXPECT_EQ(message_of([&] { gpu.reserve<int>(1000); }), refused);
        EXPECT_EQ(message_of([&] { gpu.reserve(1000); }), refused);
        EXPECT_EQ(message_of([&] { gpu.reserve_scratch(1000); }), refused);
        EXPECT_EQ(message_of([&] { reserve<float>(gpu, {1, 100'000, 64}); }), refused);
        EXPECT_EQ(message_of([&] { reserve<float>(gpu, {100, 1000, 1}); }), refused);
        EXPECT_EQ(message_of([&] { const prefix_workspace<int> places(gpu, 10); }), refused);
        EXPECT_EQ(
            message_of([&] { select_if(gpu, in.data(), in.data() + 3, out.data(), less_than{3}); }),
            refused);
    }
    EXPECT_EQ(memory.devices, std::vector<int>{});
    EXPECT_EQ(select_if(gpu, in.data(), in.data() + 3, out.data(), less_than{3}), 1U);
    EXPECT_EQ(memory.devices, std::vector<int>{0});
}

TEST(Devices, MemoryIsGivenBackOnItsOwn) {
    if (!has_second_device()) GTEST_SKIP() << "there is one device";
    watched_memory memory;
    for (const cudaStream_t s : {cudaStream_t{nullptr}, cudaStreamPerThread}) {
        auto gpu = std::make_unique<lookback::gpu>(s, &memory);
        gpu->reserve<int>(1000);
        const on_second_device other;
        gpu.reset();
        int current = -1;
        check(cudaGetDevice(&current), "finding the current device");
        EXPECT_EQ(current, 1);
    }
    EXPECT_EQ(memory.devices, (std::vector<int>{0, 0, 0, 0}));
}

// After a reset, the shared memory that kernels may use is set again.
TEST(Devices, ResetBetweenObjects) {
    const std::uint64_t n = reduced() ? 300'000 : 20'000'003;
    for (int life = 0; life < 2; ++life) {
        {
            stream s;
            inspector steps(s);
            device_array<std::int32_t> in(n), out(n);
            const exact_items<std::int32_t> items{7};
            fill(s, in.data(), n, items);
            lookback::gpu gpu(s);
            lookback::inclusive_scan(gpu, in.data(), in.data() + n, out.data());
            check_steps(steps, s, out.data(), n, items, plus{});
            EXPECT_EQ(steps.result(), "") << "life " << life;
        }
        check(cudaDeviceReset(), "resetting the device");
    }
}

TEST(Captures, OfAnotherThreadSurviveTheEndOfAnObject) {
    const std::uint64_t n = 1000;
    stream s, other;
    device_array<std::int32_t> data(std::vector<std::int32_t>(n, 1));
    lookback::gpu gpu(s);
    gpu.reserve<std::int32_t>(n);
    auto ends = std::make_unique<lookback::gpu>(other);
    ends->reserve<std::int32_t>(n);
    ends->reserve_scratch(n);
    graph scan(s, [&] {
        std::thread([&] { ends.reset(); }).join();
        lookback::inclusive_scan(gpu, data.data(), data.data() + n, data.data());
    });
    scan.replay();
    s.wait();
    EXPECT_EQ(data.get().back(), static_cast<std::int32_t>(n));
}

TEST(Captures, CallsThatWaitAreRefusedAndLeaveThemWhole) {
    const std::uint64_t n = 1000;
    stream s;
    std::vector<std::uint32_t> ones(n, 1);
    device_array<std::uint32_t> data(ones), out(n), rest(n);
    lookback::gpu gpu(s);
    gpu.reserve(n);
    const auto refused = [](const auto& call) {
        try {
            call();
            ADD_FAILURE() << "a call has waited inside a capture";
        } catch (const cuda_error& e) {
            EXPECT_EQ(e.code(), cudaErrorStreamCaptureUnsupported) << e.what();
            EXPECT_NE(std::string(e.what()).find("count_to"), std::string::npos) << e.what();
        }
    };
    std::uint32_t* const first = data.data();
    std::uint32_t* const last = data.data() + n;
    const less_than low{1}, middle{2};
    graph scan(s, [&] {
        refused([&] { select_if(gpu, first, last, out.data(), low); });
        lookback::inclusive_scan(gpu, first, last, first);
        refused([&] { lookback::unique(gpu, first, last, out.data()); });
        refused([&] { partition_if(gpu, first, last, out.data(), low); });
        refused([&] {
            partition_if(gpu, first, last, out.data(), out.data() + n / 2, rest.data(), low,
                         middle);
        });
    });
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    scan.replay();
    s.wait();
    EXPECT_EQ(data.get().back(), n);
    inspector untouched(s);
    untouched.compare(out.data(), nullptr, 0, 0, n * sizeof(std::uint32_t));
    EXPECT_EQ(untouched.result(), "");
}

// Each call uses what the call before it has left: flags of offsets, counts, the workspace.
TEST(HostThreads, ShareAnObject) {
    const std::uint64_t n = reduced() ? 3000 : 100'003;
    const int turns = reduced() ? 3 : 300;
    stream s;
    lookback::gpu gpu(s);
    const auto work = [&](std::uint32_t thread, std::string& error) {
        inspector same(s);
        std::vector<std::uint32_t> items(n), want(n), offsets;
        std::size_t few = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            items[i] = static_cast<std::uint32_t>(i % (5 + thread));
            if (i % (100 + thread) == 0) offsets.push_back(static_cast<std::uint32_t>(i));
            want[i] = items[i] + (i % (100 + thread) == 0 ? 0 : want[i - 1]);
            if (items[i] == 0) ++few;
        }
        offsets.push_back(static_cast<std::uint32_t>(n));
        device_array<std::uint32_t> in(items), out(n), d_want(want), d_offsets(offsets), zeros(n);
        const segment_offsets segments{d_offsets.data(), d_offsets.data() + offsets.size()};
        for (int turn = 0; turn < turns && error.empty(); ++turn) {
            inclusive_segmented_scan(gpu, in.data(), in.data() + n, segments, out.data());
            same.compare(out.data(), d_want.data(), n * sizeof(std::uint32_t));
            const std::size_t got =
                select_if(gpu, in.data(), in.data() + n, zeros.data(), less_than{1});
            if (got != few) {
                error = std::to_string(got) + " instead of " + std::to_string(few) + " zeros";
            }
            if (error.empty()) error = same.result(sizeof(std::uint32_t));
            if (!error.empty()) error += ", turn " + std::to_string(turn);
        }
    };
    std::vector<std::string> errors(4);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < errors.size(); ++t) {
        threads.emplace_back([&, t] {
            try {
                work(t, errors[t]);
            } catch (const std::exception& e) {
                errors[t] = e.what();
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& error : errors) EXPECT_EQ(error, "");
}

namespace {

/// Reads before it waits, and again afterwards.
__global__ void look_twice(const std::uint64_t* at, std::uint64_t* seen) {
    seen[0] = detail::device::load_relaxed(at);
    detail::device::wait_for_previous_kernel();
    seen[1] = detail::device::load_relaxed(at);
}

}  // namespace

// A kernel that may start early starts while the scan before it ends, not while an earlier one
// runs.
TEST(EarlyStarts, AreOneKernelAhead) {
    int major = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking");
    if (major < 9) GTEST_SKIP() << "kernels do not start early on this device";
    const std::uint64_t n = reduced() ? 300'000 : 20'000'000;
    stream s;
    device_array<std::uint64_t> in(std::vector<std::uint64_t>(n, 1)), out(n), small(1000), seen(2);
    lookback::gpu slow(s), quick(s);
    detail::device::access::limit_blocks(slow, 1);
    std::uint64_t* const last = out.data() + n - 1;
    cudaLaunchAttribute may_start_early{};
    may_start_early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    may_start_early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(1);
    how.blockDim = dim3(1);
    how.stream = s;
    how.attrs = &may_start_early;
    how.numAttrs = 1;
    for (int run = 0; run < 3; ++run) {  // the first run makes room
        check(cudaMemsetAsync(last, 0, sizeof(*last), s), "clearing");
        lookback::inclusive_scan(slow, in.data(), in.data() + n, out.data());
        lookback::inclusive_scan(quick, in.data(), in.data() + 1000, small.data());
        check(cudaLaunchKernelEx(&how, look_twice, static_cast<const std::uint64_t*>(last),
                                 seen.data()),
              "launching");
        s.wait();
        EXPECT_EQ(seen.get(), (std::vector<std::uint64_t>{n, n})) << "run " << run;
    }
}

}  // namespace lookback::test
