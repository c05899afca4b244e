// Initial values and counts in device memory, and arrays of any alignment.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "lookback/pixel.hpp"
#include "support/check_scan.hpp"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

// A size for each driver.
const std::uint64_t some_sizes[] = {100, 3000, 200'000, 3'000'000, 6'000'000};

std::vector<std::uint64_t> sizes() {
    if (reduced()) return {100, 20'000};
    return {std::begin(some_sizes), std::end(some_sizes)};
}

template <class T>
struct always {
    T value;
    LOOKBACK_HD T operator()(std::uint64_t) const { return value; }
};

}  // namespace

TEST(InitialValue, IsReadFromDeviceMemoryWhenTheScanRuns) {
    stream s;
    inspector steps(s);
    lookback::gpu gpu(s);
    device_array<std::int32_t> init(1);
    for (const std::uint64_t n : sizes()) {
        device_array<std::int32_t> in(n), out(n);
        const exact_items<std::int32_t> items{n};
        fill(s, in.data(), n, items);
        for (const std::int32_t value : {0, 17, -123456789}) {
            for (const bool exclusive : {false, true}) {
                SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(value));
                // Set on the stream just before the scan.
                fill(s, init.data(), 1, always<std::int32_t>{value});
                const value_at<std::int32_t> there{init.data()};
                if (exclusive) {
                    lookback::exclusive_scan(gpu, in.data(), in.data() + n, out.data(), there);
                } else {
                    lookback::inclusive_scan(gpu, in.data(), in.data() + n, out.data(), plus{},
                                             there);
                }
                fill(s, init.data(), 1, always<std::int32_t>{1 << 30});
                check_steps(steps, s, out.data(), n, items, plus{},
                            {.exclusive = exclusive, .has_init = true, .init = value});
                EXPECT_EQ(steps.result(), "");
            }
        }
    }
}

template <class N>
class CountsInDeviceMemory : public ::testing::Test {};
using count_types =
    ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::size_t, long long>;
TYPED_TEST_SUITE(CountsInDeviceMemory, count_types);

TYPED_TEST(CountsInDeviceMemory, LimitTheScan) {
    using N = TypeParam;
    stream s;
    inspector steps(s), rest(s);
    lookback::gpu gpu(s);
    device_array<N> count(1);
    const exact_items<std::int32_t> items{3};
    for (const std::uint64_t at_most : sizes()) {
        device_array<std::int32_t> in(at_most), out(at_most);
        fill(s, in.data(), at_most, items);
        for (const N n : {N{0}, N{1}, static_cast<N>(at_most / 2), static_cast<N>(at_most - 1),
                          static_cast<N>(at_most), static_cast<N>(at_most + 1000),
                          std::numeric_limits<N>::max()}) {
            SCOPED_TRACE("count " + std::to_string(n) + " of at most " + std::to_string(at_most));
            const auto scanned = std::min<std::uint64_t>(static_cast<std::uint64_t>(n), at_most);
            for (const bool exclusive : {false, true}) {
                check(cudaMemsetAsync(out.data(), poison, at_most * 4, s), "poisoning");
                fill(s, count.data(), 1, always<N>{n});
                const count_at<N> until{count.data(), at_most};
                if (exclusive) {
                    EXPECT_EQ(lookback::exclusive_scan(gpu, in.data(), until, out.data(), 5),
                              out.data() + at_most);
                } else {
                    EXPECT_EQ(lookback::inclusive_scan(gpu, in.data(), until, out.data()),
                              out.data() + at_most);
                }
                check_steps(steps, s, out.data(), scanned, items, plus{},
                            {.exclusive = exclusive, .has_init = exclusive, .init = 5});
                rest.compare(out.data() + scanned, nullptr, 0, 0, (at_most - scanned) * 4);
                EXPECT_EQ(steps.result(), "");
                EXPECT_EQ(rest.result(4), "") << "bytes past the count";
            }
        }
    }
}

// Offsets change the speed, but not the bits.
template <class T, class Items>
void check_every_offset(Items items) {
    stream s;
    inspector same(s);
    lookback::gpu gpu(s);
    for (const std::uint64_t n : sizes()) {
        device_array<T> in(n + 32), want(n), out(n + 64);
        fill(s, in.data(), n, items);
        lookback::inclusive_scan(gpu, in.data(), in.data() + n, want.data());
        for (int from = 0; from < 4; ++from) {
            T* const first = in.data() + from;
            fill(s, first, n, items);
            for (int to = 0; to < 4; ++to) {
                SCOPED_TRACE(std::to_string(n) + " items, input off by " + std::to_string(from) +
                             ", output off by " + std::to_string(to));
                check(cudaMemsetAsync(out.data(), poison, out.size() * sizeof(T), s), "poisoning");
                T* const result = out.data() + 16 + to;
                lookback::inclusive_scan(gpu, first, first + n, result);
                same.compare(result, want.data(), n * sizeof(T), 16 * sizeof(T), 16 * sizeof(T));
                EXPECT_EQ(same.result(sizeof(T), 16), "");
            }
            // In place.
            lookback::inclusive_scan(gpu, first, first + n, first);
            same.compare(first, want.data(), n * sizeof(T));
            EXPECT_EQ(same.result(sizeof(T)), "") << "in place, off by " << from;
        }
    }
}

// How many items behind a boundary of 16 bytes an input and an output begin.
struct shifts {
    std::uint64_t in, out;
};

// One scan, compared with `sums`.
template <class A, class In, class Out>
void check_sums(lookback::gpu& gpu, const std::vector<In>& items, const std::vector<Out>& sums,
                kind what, bool backward, shifts shift) {
    const std::uint64_t n = items.size();
    std::vector<In> placed(n + shift.in);
    std::copy(items.begin(), items.end(), placed.begin() + shift.in);
    device_array<In> in(placed);
    device_array<Out> out(n + 64);
    std::vector<Out> want = out.get();
    std::copy(sums.begin(), sums.end(), want.begin() + 16 + shift.out);
    const In* const from = in.data() + shift.in;
    Out* const to = out.data() + 16 + shift.out;
    const auto scan = [&](auto first, auto last, auto result) {
        if (what == kind::inclusive) {
            inclusive_scan(gpu, first, last, result, plus<A>{});
        } else if (what == kind::inclusive_init) {
            inclusive_scan(gpu, first, last, result, plus<A>{}, A{77});
        } else {
            exclusive_scan(gpu, first, last, result, A{77}, plus<A>{});
        }
    };
    if (backward) {
        scan(std::reverse_iterator(from + n), std::reverse_iterator(from),
             std::reverse_iterator(to + n));
    } else {
        scan(from, from + n, to);
    }
    EXPECT_TRUE(out.get() == want)
        << n << " items, off by " << shift.in << " and " << shift.out << ", kind "
        << static_cast<int>(what) << (backward ? ", backward" : "");
}

// Where tiles are moved, items of 1 and 2 bytes are added by words; with few tiles, lanes exchange
// the ends of what they store. Whole tiles, and parts of tiles and chunks, both directions, at any
// offset.
template <class In, class Out = In, class A = In>
void check_sums_anywhere() {
    constexpr std::uint64_t tile = detail::device::large_tile_items<A>;
    constexpr std::uint64_t most_light = std::rbegin(detail::device::light<A>)->most_items;
    constexpr std::uint64_t large = (most_light / tile + 1) * tile;
    std::vector<std::uint64_t> sizes = {1 << 12, 1 << 18, large};
    if (!reduced()) sizes.insert(sizes.end(), {large - 1, large + 1, large + tile - 79});
    stream s;
    lookback::gpu pipelined(s), staged(s);
    detail::device::access::use_pipeline(staged, false);
    for (const std::uint64_t n : sizes) {
        const auto items = random_values<In>(n, n);
        for (const kind what : {kind::inclusive, kind::inclusive_init, kind::exclusive}) {
            for (const bool backward : {false, true}) {
                const auto sums = sequential_scan<Out>(items, what, backward, plus<>{}, A{77});
                for (const shifts shift :
                     {shifts{0, 0}, {0, 1}, {5, 0}, {1, 2}, {3, 3}, {15, 13}}) {
                    check_sums<A>(pipelined, items, sums, what, backward, shift);
                    if (n <= most_light) continue;
                    SCOPED_TRACE("staged");
                    check_sums<A>(staged, items, sums, what, backward, shift);
                }
            }
        }
    }
}

TEST(SumsAnywhere, OfBytes) { check_sums_anywhere<std::uint8_t>(); }
TEST(SumsAnywhere, OfSignedBytes) { check_sums_anywhere<std::int8_t>(); }
TEST(SumsAnywhere, OfSignedToUnsignedBytes) {
    check_sums_anywhere<std::int8_t, std::uint8_t, std::int8_t>();
}
TEST(SumsAnywhere, OfInt16) { check_sums_anywhere<std::int16_t>(); }
TEST(SumsAnywhere, OfUint16ToInt16) {
    check_sums_anywhere<std::uint16_t, std::int16_t, std::uint16_t>();
}
TEST(SumsAnywhere, OfInt32) { check_sums_anywhere<std::int32_t>(); }
TEST(SumsAnywhere, OfPixelsOf3Bytes) { check_sums_anywhere<pixel<std::uint8_t, 3>>(); }
TEST(SumsAnywhere, OfPixelsOf4Bytes) { check_sums_anywhere<pixel<std::uint8_t, 4>>(); }
TEST(SumsAnywhere, OfPixelsOf3Times16Bits) { check_sums_anywhere<pixel<std::uint16_t, 3>>(); }

TEST(Alignment, OfBytesChangesNothing) {
    check_every_offset<std::uint8_t>(exact_items<std::uint8_t>{1});
}
TEST(Alignment, OfInt32ChangesNothing) {
    check_every_offset<std::int32_t>(exact_items<std::int32_t>{2});
}
TEST(Alignment, OfFloatsChangesNoBit) { check_every_offset<float>(rounding_items<float>{3}); }

}  // namespace lookback::test
