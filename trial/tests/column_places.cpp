// Scans down columns on trial, at chosen places: arrays off boundaries by any number of bytes,
// items and results of other sizes and alignments than accumulators, more tiles than a block has
// stages.
#include <cmath>
#include <cstring>
#include <optional>
#include <random>

#include "lookback/axis_scan.hpp"
#include "lookback/pixel.hpp"
#include "support/segments.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using detail::device::access;

/// How many bytes behind a boundary the arrays begin.
struct shifts {
    std::uint64_t in, out;
};

/// Inclusive sums by `blocks` blocks, by the pipelined driver or the staged one.
template <class In, class Out, class A>
void sum_columns(case_choices& choices, const axis_extents& e, shifts shift, unsigned blocks,
                 bool pipelined) {
    const std::uint64_t n = e.outer * e.length * e.inner;
    std::vector<std::uint8_t> bytes(n * sizeof(In));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(choices.bits());
    std::vector<In> items(n);
    std::memcpy(static_cast<void*>(items.data()), bytes.data(), bytes.size());
    std::vector<Out> want;
    for (const A& sum : test::down_columns<A>(items, e, std::nullopt, false, plus<A>{})) {
        want.push_back(static_cast<Out>(sum));
    }
    gpu_array<std::uint8_t> in(bytes.size() + shift.in), out(n * sizeof(Out) + shift.out);
    in.set(bytes, shift.in);
    lookback::gpu gpu;
    access::limit_blocks(gpu, blocks);
    access::use_pipeline(gpu, pipelined);
    // The public function would compile the kernels of rows too.
    detail::device::scan_columns<false, A>(
        gpu, reinterpret_cast<const In*>(in.data() + shift.in), e,
        reinterpret_cast<Out*>(out.data() + shift.out),
        detail::device::begin_each_with<A>(detail::no_initial_value{}), plus<A>{});
    const std::vector<std::uint8_t> got = out.get(n * sizeof(Out), shift.out);
    EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size()), 0);
    EXPECT_TRUE(out.is_untouched_around(n * sizeof(Out), shift.out));
}
template <class In, class Out, class A>
void on_trial(const axis_extents& e, shifts shift, unsigned blocks = 2) {
    for_schedules(3, [&](case_choices& c) {
        for (const bool pipelined : {true, false}) {
            sum_columns<In, Out, A>(c, e, shift, blocks, pipelined);
        }
    });
}

constexpr axis_extents odd_rows{1, 600, 301};

// A size and an alignment for which the least room is left in a stage.
struct bytes17 {
    std::uint8_t byte[17];
    friend LOOKBACK_HD bytes17 operator+(const bytes17& a, const bytes17& b) {
        bytes17 sum;
        for (int k = 0; k < 17; ++k) sum.byte[k] = static_cast<std::uint8_t>(a.byte[k] + b.byte[k]);
        return sum;
    }
};
TEST(ColumnPlaces, ItemsOf17Bytes) { on_trial<bytes17, bytes17, bytes17>({1, 100, 301}, {1, 2}); }

TEST(ColumnPlaces, PixelsOf3Bytes) {
    using pixel3 = pixel<std::uint8_t, 3>;
    on_trial<pixel3, pixel3, pixel3>(odd_rows, {5, 10});
}
TEST(ColumnPlaces, BytesAtOddBytes) {
    on_trial<std::uint8_t, std::uint8_t, std::uint8_t>({3, 1000, 129}, {15, 2});
}
TEST(ColumnPlaces, BytesTo64Bits) {
    on_trial<std::uint8_t, std::int64_t, std::int64_t>({2, 300, 129}, {15, 8});
}

// The same size, but another alignment.
struct four_bytes {
    std::uint8_t byte[4];
    LOOKBACK_HD operator std::uint32_t() const {
        return byte[0] + 256U * byte[1] + 65536U * byte[2] + 16777216U * byte[3];
    }
};
struct two_bytes {
    std::uint8_t byte[2];
    LOOKBACK_HD operator std::uint32_t() const { return byte[0] + 256U * byte[1]; }
};
struct colour {
    std::uint8_t byte[4];
    colour() = default;
    LOOKBACK_HD colour(std::uint32_t word) {
        for (int k = 0; k < 4; ++k) byte[k] = static_cast<std::uint8_t>(word >> (8 * k));
    }
    friend LOOKBACK_HD colour operator+(const colour& a, const colour& b) {
        colour sum;
        for (int k = 0; k < 4; ++k) sum.byte[k] = static_cast<std::uint8_t>(a.byte[k] + b.byte[k]);
        return sum;
    }
};
TEST(ColumnPlaces, FourBytesToAWord) {
    on_trial<four_bytes, std::uint32_t, std::uint32_t>(odd_rows, {1, 0});
}
TEST(ColumnPlaces, TwoBytesToAHalfWord) {
    on_trial<two_bytes, std::uint16_t, std::uint32_t>(odd_rows, {1, 0});
}
TEST(ColumnPlaces, WordsToColours) { on_trial<std::uint32_t, colour, colour>(odd_rows, {0, 1}); }

// Two stages of wide items or results may not fit.
TEST(ColumnPlaces, ResultsWiderThanAccumulators) {
    on_trial<std::int32_t, std::int64_t, std::int32_t>(odd_rows, {0, 0});
}
TEST(ColumnPlaces, ItemsWiderThanAccumulators) {
    on_trial<std::int64_t, std::int32_t, std::int32_t>(odd_rows, {0, 0});
}
TEST(ColumnPlaces, BytesToWiderResults) {
    on_trial<std::uint8_t, std::uint32_t, std::uint8_t>(odd_rows, {1, 0});
    on_trial<std::int16_t, std::int64_t, std::int16_t>(odd_rows, {2, 0});
}
TEST(ColumnPlaces, BytesBy32BitsTo64Bits) {
    on_trial<std::uint8_t, std::int64_t, std::int32_t>(odd_rows, {1, 0});
}

// Tiles of more items than they have room for accumulators: each way to load, and each driver.
TEST(ColumnPlaces, WordsByWiderAccumulators) {
    on_trial<std::int32_t, std::int32_t, std::int64_t>({1, 150, 301}, {4, 8});
    on_trial<std::uint32_t, std::uint8_t, std::uint64_t>({1, 700, 64}, {0, 3});
}
TEST(ColumnPlaces, HalfWordsByWiderAccumulators) {
    on_trial<std::uint16_t, std::uint16_t, std::uint32_t>({1, 1000, 64}, {0, 2});
    on_trial<std::uint16_t, std::uint16_t, std::uint64_t>({2, 700, 131}, {2, 0});
}

// On boundaries, in tiles that are one piece of memory and end within a vector.
TEST(ColumnPlaces, OddEnds) {
    on_trial<std::uint32_t, std::uint32_t, std::uint32_t>({1, 1, 3}, {0, 0});
    on_trial<std::uint32_t, std::uint32_t, std::uint32_t>({1, 5001, 3}, {0, 0});
    on_trial<std::uint8_t, std::uint8_t, std::uint8_t>({1, 5001, 9}, {0, 0});
    on_trial<std::uint16_t, std::uint16_t, std::uint32_t>({3, 7, 5}, {0, 0});
}

// One block, whose stages are used again.
constexpr axis_extents many_tiles{1, 1280 * 14, 8};
TEST(ColumnPlaces, ManyTilesInBulk) {
    on_trial<std::uint32_t, std::uint32_t, std::uint32_t>(many_tiles, {0, 4}, 1);
}
TEST(ColumnPlaces, ManyTilesInWords) {
    on_trial<std::uint32_t, std::uint32_t, std::uint32_t>(many_tiles, {4, 0}, 1);
}
TEST(ColumnPlaces, ManyTilesToWiderResults) {
    on_trial<std::uint16_t, std::uint32_t, std::uint32_t>(many_tiles, {0, 4}, 1);
}
TEST(ColumnPlaces, ManyTilesOfBytes) {
    on_trial<std::uint8_t, std::uint8_t, std::uint32_t>({1, 4 * 1280 * 14, 9}, {1, 2}, 1);
}

// So many rows of two wide results are items of a plain scan.
TEST(ColumnPlaces, LongPairsOfWiderResults) {
    for_schedules(1, [](case_choices& choices) {
        for (const bool pipelined : {true, false}) {
            sum_columns<std::uint8_t, std::int64_t, std::int64_t>(choices, {1, 262'145, 2}, {3, 8},
                                                                  4, pipelined);
        }
    });
}

// What padded_rows.hpp reserves room for.
void expect_few_rows(std::size_t size) {
    std::mt19937_64 random(size);
    std::uniform_real_distribution<double> any(0, 1);
    const auto below = [&](double most) {  // of any order of magnitude
        return 1 + static_cast<std::uint64_t>(std::pow(most, any(random)));
    };
    for (int i = 0; i < 10'000; ++i) {
        const axis_extents e{below(50), below(100'000), below(10'000)};
        const auto shape = detail::device::shape_of_columns(e, size, size);
        if (shape.whole_rows()) continue;
        ASSERT_LE(shape.rows, static_cast<unsigned>(detail::device::most_strip_rows(size)))
            << e.outer << " x " << e.length << " x " << e.inner << ", width " << shape.width;
    }
}
TEST(ColumnPlaces, StripsHaveFewRows) {
    for (std::size_t size = 1; size <= 64; ++size) expect_few_rows(size);
}

TEST(Divisors, Of32Bits) {
    std::mt19937_64 random(1);
    for (const std::uint32_t value : {1U, 2U, 3U, 7U, 641U, 65535U, 65536U, 65537U, (1U << 31) - 1,
                                      1U << 31, (1U << 31) + 1, ~0U - 1, ~0U}) {
        const detail::device::divisor32 by(value);
        const auto check = [&](std::uint32_t n) {
            ASSERT_EQ(by.quotient(n), n / value) << n << " / " << value;
            ASSERT_EQ(by.remainder(n), n % value) << n << " % " << value;
        };
        for (std::uint32_t i = 0; i < 1000; ++i) {
            check(i);
            check(~0U - i);
            check(value * i);
            check(value * i - 1);
            check(static_cast<std::uint32_t>(random()));
        }
    }
}

}  // namespace
}  // namespace lookback::trial
