// Outputs that overlap inputs, or each other: what works, and what is refused.
#include <numeric>
#include <string>
#include <vector>

#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "support/compaction_cases.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

constexpr std::uint64_t n = 200'003;  // several tiles

struct odd {
    __host__ __device__ bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
struct below_100 {
    __host__ __device__ bool operator()(std::uint32_t x) const { return x < 100; }
};
struct always {
    __host__ __device__ bool operator()(std::uint32_t) const { return true; }
};
struct never {
    template <class T>
    __host__ __device__ bool operator()(const T&, const T&) const {
        return false;
    }
};

std::vector<std::uint32_t> numbers_behind(std::uint64_t below) {
    std::vector<std::uint32_t> all(below + n);
    std::iota(all.begin() + static_cast<std::ptrdiff_t>(below), all.end(), 0U);
    return all;
}

}  // namespace

TEST(Overlaps, OutputsMayRunIntoTheInputFromBelow) {
    const auto want = numbers_behind(0);
    for (const std::uint64_t below : {std::uint64_t{1}, std::uint64_t{1024}, n / 2, n}) {
        for (const bool pipelined : {true, false}) {
            lookback::gpu way;
            if (!pipelined) detail::device::access::use_pipeline(way, false);
            device_array<std::uint32_t> buffer(numbers_behind(below));
            const std::uint32_t* const in = buffer.data() + below;
            ASSERT_EQ(lookback::unique(way, in, in + n, buffer.data()), n);
            auto got = buffer.get();
            got.resize(n);
            EXPECT_EQ(got, want) << below << " below";
        }
    }
}

TEST(Overlaps, TightOutputsRightBelowTheInput) {
    lookback::gpu gpu;
    std::vector<std::uint64_t> bytes(2 + n / 8, 0x0303030303030303U);
    std::fill(bytes.begin() + 2 + 1000, bytes.end(), 0x0404040404040404U);
    device_array<std::uint64_t> buffer(bytes);
    device_array<std::uint8_t> values(2);
    const auto* const in = reinterpret_cast<const std::uint8_t*>(buffer.data() + 2);
    const auto* const end = reinterpret_cast<const std::uint8_t*>(buffer.data() + bytes.size());
    ASSERT_EQ(run_length_encode(gpu, in, end, values.data(), buffer.data()), 2U);
    EXPECT_EQ(values.get(), (std::vector<std::uint8_t>{3, 4}));
    EXPECT_EQ(buffer.get()[0], 8000U);
    EXPECT_EQ(buffer.get()[1], n / 8 * 8 - 8000);
}

TEST(Overlaps, WiderItemsThatRunIntoTheInputAreAnErrorOfCallsThatWait) {
    lookback::gpu gpu;
    device_array<std::uint64_t> buffer(128 + n), wide(n);
    device_array<std::uint8_t> values(n), keys_out(n);
    const auto* const in = reinterpret_cast<const std::uint8_t*>(buffer.data() + 128);
    const std::string error =
        "lookback: an output of 200003 items has run into an input, 1024 bytes behind its "
        "beginning, and neither is right any more; expected separate memory";
    // Each byte is a run, whatever has overwritten it.
    EXPECT_EQ(message_of([&] {
                  run_length_encode(gpu, in, in + n, values.data(), buffer.data(), never{});
              }),
              error);
    EXPECT_EQ(message_of([&] {
                  reduce_by_key(gpu, in, in + n, values.data(), keys_out.data(), buffer.data(),
                                plus<std::uint64_t>{}, never{});
              }),
              error);
    EXPECT_EQ(message_of([&] {
                  unique_by_key(gpu, in, in + n, wide.data(), keys_out.data(), buffer.data(),
                                never{});
              }),
              error);
    EXPECT_EQ(message_of([&] { select_if(gpu, in, in + n, buffer.data(), always{}); }), error);
}

TEST(Overlaps, PartitionIntoOneIsRefusedWhereItTouchesTheInput) {
    lookback::gpu gpu;
    device_array<std::uint32_t> buffer(2 * n + 1);
    device_array<std::uint64_t> count(1);
    std::uint32_t* const at = buffer.data();
    const std::string error =
        "lookback: the output overlaps the input, -4096 bytes from its beginning; "
        "expected separate memory";
    EXPECT_EQ(message_of([&] {
                  partition_if(gpu, at + 1024, at + 1024 + n, at, count_to{count.data()}, odd{});
              }),
              error);
    EXPECT_EQ(message_of([&] { partition_if(gpu, at + 1024, at + 1024 + n, at, odd{}); }), error);
    inspector untouched(nullptr);
    untouched.compare(at, nullptr, 0, 0, (2 * n + 1) * sizeof(std::uint32_t));
    EXPECT_EQ(untouched.result(), "");
    buffer.set(std::vector<std::uint32_t>(2 * n, 1));
    EXPECT_EQ(partition_if(gpu, at + n, at + 2 * n, at, odd{}), n);
    EXPECT_EQ(partition_if(gpu, at, at + n, at + n, odd{}), n);
}

TEST(Overlaps, TwoOutputsInOnePlaceAreRefused) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(numbers_behind(0)), a(n), b(n);
    device_array<std::uint64_t> counts(2);
    const std::string error =
        "lookback: two outputs begin at the same place; expected separate memory";
    const std::uint32_t* const first = x.data();
    const std::uint32_t* const last = x.data() + n;
    const count_to to{counts.data()};
    const auto says = [&](const auto& call) { EXPECT_EQ(message_of(call), error); };
    says([&] { partition_if(gpu, first, last, a.data(), a.data(), to, odd{}); });
    says([&] { partition_if(gpu, first, last, a.data(), a.data(), odd{}); });
    const auto partition = [&](std::uint32_t* one, std::uint32_t* two, std::uint32_t* rest) {
        partition_if(gpu, first, last, one, two, rest, to, odd{}, below_100{});
    };
    says([&] { partition(a.data(), a.data(), b.data()); });
    says([&] { partition(a.data(), b.data(), a.data()); });
    says([&] { partition(a.data(), b.data(), b.data()); });
    says([&] { unique_by_key(gpu, first, last, first, a.data(), a.data(), to); });
    says([&] { run_length_encode(gpu, first, last, a.data(), a.data(), to); });
    says([&] { nontrivial_runs(gpu, first, last, a.data(), a.data(), to); });
    says([&] { reduce_by_key(gpu, first, last, first, a.data(), a.data(), to); });
    inspector untouched(nullptr);
    untouched.compare(a.data(), nullptr, 0, 0, n * sizeof(std::uint32_t));
    EXPECT_EQ(untouched.result(), "");
    // Outputs from both ends of one array never meet.
    EXPECT_EQ(
        partition_if(gpu, first, last, a.data(), std::make_reverse_iterator(a.data() + n), odd{}),
        n / 2);
    EXPECT_EQ(a.get().front(), 1U);
    EXPECT_EQ(a.get().back(), 0U);
}

TEST(Overlaps, TwoOutputsThatRunIntoEachOtherAreAnErrorOfCallsThatWait) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(numbers_behind(0)), buffer(n + 100);
    const std::uint32_t* const first = x.data();
    const std::uint32_t* const last = x.data() + n;
    std::uint32_t* const a = buffer.data() + 100;
    std::uint32_t* const b = buffer.data();
    const std::string error =
        "lookback: two outputs, of 200003 and of 200003 items, have run into each other, and "
        "neither is right; expected separate memory";
    const auto says = [&](const auto& call) { EXPECT_EQ(message_of(call), error); };
    says([&] { unique_by_key(gpu, first, last, first, a, b); });
    says([&] { reduce_by_key(gpu, first, last, first, b, a); });
    says([&] { run_length_encode(gpu, first, last, a, b); });
}

}  // namespace lookback::test
