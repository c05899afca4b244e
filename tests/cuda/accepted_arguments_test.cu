// What CUB takes as well: by-key scans of 16-bit floats, iterators that can only be written, that
// hold a lambda, functions whose operator() is not const, outputs with an assignment of their own,
// 16-bit counts. Each is compared with the same call on the CPU, of plain ints.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/functional>
#if __has_include(<cuda/iterator>)
#include <cuda/iterator>
#endif
#include <limits>
#include <utility>

#include "lookback/lookback.hpp"
#include "support/device.hpp"

namespace lookback::test {

// One size for each driver of scans, and for one tile and many of the others. The numbers are small
// enough that all sums are exact in 16-bit floats of 11 digits, if begun anew often enough.
std::vector<std::size_t> sizes_of_calls() {
    if (reduced()) return {1, 100, 20'000};
    return {0, 1, 100, 3000, 20'000, 200'001, 3'000'001};
}

std::vector<int> small_ints(std::size_t n) {
    std::vector<int> values(n);
    std::uint64_t x = n;
    for (int& value : values) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<int>(x >> 61) - 3;
    }
    return values;
}
// Runs of 1 to 8 items.
std::vector<int> short_runs(std::size_t n) {
    std::vector<int> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<int>((i - i / 3 % 5) / 7 % 100);
    return keys;
}

template <class T>
std::vector<T> as(const std::vector<int>& values) {
    std::vector<T> items(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        items[i] = static_cast<T>(static_cast<float>(values[i]));
    }
    return items;
}
template <class T>
std::vector<int> as_ints(const std::vector<T>& items) {
    std::vector<int> values(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        values[i] = static_cast<int>(static_cast<float>(items[i]));
    }
    return values;
}

// A GPU, and an array of ints there.
struct on_gpu {
    explicit on_gpu(const std::vector<int>& values) : in(values), out(values.size()), kept(1) {}
    stream s;
    lookback::gpu gpu{s};
    device_array<int> in, out;
    device_array<int> kept;
    const int* begin() const { return in.data(); }
    const int* end() const { return in.data() + in.size(); }
    count_to<int> count() { return {kept.data()}; }
    int found() const { return kept.get()[0]; }
    // The first that a call has written.
    std::vector<int> first_of(const device_array<int>& results, std::size_t n) const {
        auto all = results.get();
        all.resize(n);
        return all;
    }
};

struct is_positive {
    LOOKBACK_HD bool operator()(int x) const { return x > 0; }
};

// ---- 16-bit floats

template <class Half>
class SixteenBitFloats : public ::testing::Test {};
using halves = ::testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(SixteenBitFloats, halves);

TYPED_TEST(SixteenBitFloats, AreScannedByKey) {
    for (const std::size_t n : sizes_of_calls()) {
        const auto keys = short_runs(n);
        const auto values = small_ints(n);
        std::vector<int> want(n);
        inclusive_scan_by_key(keys, values, want);
        stream s;
        lookback::gpu gpu{s};
        device_array<TypeParam> of_keys(as<TypeParam>(keys)), in(as<TypeParam>(values)), out(n);
        const TypeParam* const first = of_keys.data();
        const TypeParam* const from = in.data();
        inclusive_scan_by_key(gpu, first, first + n, from, out.data());
        EXPECT_EQ(as_ints(out.get()), want) << n << " items";
        device_array<float> sums(n);
        exclusive_scan_by_key(keys, values, want, 2);
        exclusive_scan_by_key(gpu, first, first + n, from, sums.data(), 2.0F);
        EXPECT_EQ(as_ints(sums.get()), want) << n << " items";
    }
}

TYPED_TEST(SixteenBitFloats, AreSummedIn32Bits) {
    for (const std::size_t n : sizes_of_calls()) {
        const auto values = small_ints(n);
        std::vector<int> want(n);
        stream s;
        lookback::gpu gpu{s};
        // At any place; results of 32 bits, and of 16, which round them.
        for (const std::size_t offset : {0, 1, 3}) {
            SCOPED_TRACE(std::to_string(n) + " items, offset " + std::to_string(offset));
            auto placed = values;
            placed.insert(placed.begin(), offset, 100);
            device_array<TypeParam> in(as<TypeParam>(placed)), narrow(n + offset);
            device_array<float> sums(n);
            const TypeParam* const from = in.data() + offset;
            inclusive_scan(values, want);
            inclusive_scan(gpu, from, from + n, sums.data(), plus<float>{});
            EXPECT_EQ(as_ints(sums.get()), want);
            inclusive_scan(gpu, from, from + n, narrow.data() + offset, plus<float>{});
            const auto wide = sums.get();
            const auto got = narrow.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) {
                wrong += static_cast<float>(got[i + offset]) !=
                         static_cast<float>(static_cast<TypeParam>(wide[i]));
            }
            EXPECT_EQ(wrong, 0u);
            exclusive_scan(values, want, 5);
            exclusive_scan(gpu, std::make_reverse_iterator(from + n),
                           std::make_reverse_iterator(from),
                           std::make_reverse_iterator(sums.data() + n), 5.0F);
            auto reversed = values;
            std::reverse(reversed.begin(), reversed.end());
            exclusive_scan(reversed, want, 5);
            auto backward = as_ints(sums.get());
            std::reverse(backward.begin(), backward.end());
            EXPECT_EQ(backward, want);
        }
    }
}

TYPED_TEST(SixteenBitFloats, HaveLeastAndGreatestWithNaN) {
    for (const std::size_t n : sizes_of_calls()) {
        for (const bool with_nan : {false, true}) {
            std::vector<float> values(n), want(n);
            for (std::size_t i = 0; i < n; ++i) {
                values[i] = static_cast<float>(static_cast<int>(i * 7919 % 251) - 125);
            }
            if (with_nan && n > 0) values[n / 2] = std::numeric_limits<float>::quiet_NaN();
            std::vector<TypeParam> items(n);
            for (std::size_t i = 0; i < n; ++i) items[i] = static_cast<TypeParam>(values[i]);
            stream s;
            lookback::gpu gpu{s};
            device_array<TypeParam> in(items), out(n);
            const TypeParam* const from = in.data();
            for (const bool least : {false, true}) {
                if (least) {
                    inclusive_scan(values, want, minimum{});
                    inclusive_scan(gpu, from, from + n, out.data(), minimum{});
                } else {
                    inclusive_scan(values, want, maximum{});
                    inclusive_scan(gpu, from, from + n, out.data(), maximum{});
                }
                const auto got = out.get();
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    const float x = static_cast<float>(got[i]);
                    wrong += want[i] != want[i] ? x == x : x != want[i];
                }
                EXPECT_EQ(wrong, 0u) << n << " items";
            }
        }
    }
}

static_assert(!scan_init<int, const __half*> && scan_init<float, const __half*>);
static_assert(!scan_init<__half, const __nv_bfloat16*> && !scan_init<__half, const float*>);

// ---- outputs that can only be written

// Where what is written goes: item i of an array, shifted by 1000.
struct write_shifted {
    int* to;
    template <class T>
    LOOKBACK_HD void operator()(std::ptrdiff_t i, const T& x) const {
        to[i] = static_cast<int>(x) + 1000;
    }
};
std::vector<int> shifted(std::vector<int> values) {
    for (int& x : values) x += 1000;
    return values;
}

// `discard` drops what is written, `shifting(p)` writes it to p, shifted.
template <class Discard, class Shifting>
void check_written(const Discard& discard, const Shifting& shifting) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = short_runs(n);
        on_gpu on(in);
        std::vector<int> want(n), lengths(n), sums(n), rest(n);
        device_array<int> more(n);
        const auto runs = run_length_encode(in, want, lengths);
        reduce_by_key(in, in, want, sums);
        for (auto* results : {&want, &lengths, &sums}) results->resize(runs);

        run_length_encode(on.gpu, on.begin(), on.end(), on.out.data(), discard, on.count());
        EXPECT_EQ(on.found(), static_cast<int>(runs));
        EXPECT_EQ(on.first_of(on.out, runs), want);
        run_length_encode(on.gpu, on.begin(), on.end(), discard, shifting(more.data()), on.count());
        EXPECT_EQ(on.first_of(more, runs), shifted(lengths));
        unique_by_key(on.gpu, on.begin(), on.end(), on.begin(), shifting(on.out.data()), discard,
                      on.count());
        EXPECT_EQ(on.first_of(on.out, runs), shifted(want));
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), discard, shifting(more.data()),
                      on.count());
        EXPECT_EQ(on.first_of(more, runs), shifted(sums));

        std::vector<int> firsts(n), of_two(n);
        const auto longer = nontrivial_runs(in, firsts, of_two);
        for (auto* results : {&firsts, &of_two}) results->resize(longer);
        nontrivial_runs(on.gpu, on.begin(), on.end(), discard, shifting(more.data()), on.count());
        EXPECT_EQ(on.found(), static_cast<int>(longer));
        EXPECT_EQ(on.first_of(more, longer), shifted(of_two));

        want.assign(n, 0);
        const auto kept = partition_if(in, want, rest, is_positive{});
        want.resize(kept);
        rest.resize(n - kept);
        partition_if(on.gpu, on.begin(), on.end(), on.out.data(), discard, on.count(),
                     is_positive{});
        EXPECT_EQ(on.first_of(on.out, kept), want);
        partition_if(on.gpu, on.begin(), on.end(), shifting(on.out.data()), shifting(more.data()),
                     on.count(), is_positive{});
        EXPECT_EQ(on.found(), static_cast<int>(kept));
        EXPECT_EQ(on.first_of(on.out, kept), shifted(want));
        EXPECT_EQ(on.first_of(more, n - kept), shifted(rest));

        inclusive_scan(on.gpu, on.begin(), on.end(), discard);
        inclusive_scan(on.gpu, on.begin(), on.end(), shifting(more.data()));
        want.resize(n);
        inclusive_scan(in, want);
        EXPECT_EQ(more.get(), shifted(want));
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), shifting(more.data()));
        inclusive_scan_by_key(in, in, want);
        EXPECT_EQ(more.get(), shifted(want));
    }
}

TEST(OutputsThatAreOnlyWritten, OfThrust) {
    check_written(thrust::make_discard_iterator(),
                  [](int* to) { return thrust::make_tabulate_output_iterator(write_shifted{to}); });
}
#if __has_include(<cuda/iterator>)
TEST(OutputsThatAreOnlyWritten, OfLibcuxx) {
    check_written(cuda::discard_iterator{},
                  [](int* to) { return cuda::make_tabulate_output_iterator(write_shifted{to}); });
}
#endif

// ---- functions whose operator() is not const: each is called on a copy, so `calls` is 0 or 1

struct adds_once {
    int calls = 0;
    LOOKBACK_HD int operator()(int a, int b) { return a + b + 1000 * calls++; }
};
struct is_positive_once {
    bool called = false;
    LOOKBACK_HD bool operator()(int x) {
        const bool first = !called;
        called = true;
        return first && x > 0;
    }
};
struct is_equal_once {
    bool called = false;
    LOOKBACK_HD bool operator()(int a, int b) {
        const bool first = !called;
        called = true;
        return first && a == b;
    }
};

TEST(FunctionsThatAreNotConst, AreCalledOnCopies) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = short_runs(n);
        on_gpu on(in);
        std::vector<int> want(n), rest(n);
        inclusive_scan(in, want);
        inclusive_scan(on.gpu, on.begin(), on.end(), on.out.data(), adds_once{});
        EXPECT_EQ(on.out.get(), want);
        exclusive_scan(in, want, 7);
        exclusive_scan(on.gpu, on.begin(), on.end(), on.out.data(), 7, adds_once{});
        EXPECT_EQ(on.out.get(), want);
        inclusive_scan_by_key(in, in, want);
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), adds_once{},
                              is_equal_once{});
        EXPECT_EQ(on.out.get(), want);
        const auto kept = partition_if(in, want, rest, is_positive{});
        device_array<int> more(n);
        select_if(on.gpu, on.begin(), on.end(), on.out.data(), on.count(), is_positive_once{});
        EXPECT_EQ(on.found(), static_cast<int>(kept));
        want.resize(kept);
        EXPECT_EQ(on.first_of(on.out, kept), want);
        partition_if(on.gpu, on.begin(), on.end(), on.out.data(), more.data(), on.count(),
                     is_positive_once{});
        rest.resize(n - kept);
        EXPECT_EQ(on.first_of(more, n - kept), rest);
        want.resize(n);
        rest.resize(n);
        const auto runs = reduce_by_key(in, in, want, rest);
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), more.data(),
                      on.count(), adds_once{}, is_equal_once{});
        rest.resize(runs);
        EXPECT_EQ(on.first_of(more, runs), rest);
        unique(on.gpu, on.begin(), on.end(), on.out.data(), on.count(), is_equal_once{});
        EXPECT_EQ(on.found(), static_cast<int>(runs));
    }
}

// ---- iterators that hold a lambda

template <class In>
void check_computed(const In& first, std::size_t n, int factor) {
    std::vector<int> in(n), want(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i % 5) * factor;
    on_gpu on(in);
    const auto last = first + static_cast<std::ptrdiff_t>(n);
    inclusive_scan(in, want, plus<>{}, 1);
    inclusive_scan(on.gpu, first, last, on.out.data(), plus<>{}, 1);
    EXPECT_EQ(on.out.get(), want) << n << " items";
    exclusive_scan_by_key(in, in, want, 1);
    exclusive_scan_by_key(on.gpu, first, last, first, on.out.data(), 1);
    EXPECT_EQ(on.out.get(), want) << n << " items";
    const auto runs = unique(in, want);
    unique(on.gpu, first, last, on.out.data(), on.count());
    want.resize(runs);
    EXPECT_EQ(on.first_of(on.out, runs), want) << n << " items";
}
// (nvcc takes such a lambda from an ordinary function only, not from a test's body.)
void check_transformed_by_lambdas() {
    for (const std::size_t n : sizes_of_calls()) {
        const int factor = static_cast<int>(n % 7) + 2;
        check_computed(thrust::make_transform_iterator(
                           thrust::counting_iterator<int>(0),
                           [factor] __host__ __device__(int i) -> int { return i % 5 * factor; }),
                       n, factor);
        check_computed(thrust::make_transform_iterator(
                           thrust::counting_iterator<int>(0),
                           cuda::proclaim_return_type<int>(
                               [factor] __device__(int i) { return i % 5 * factor; })),
                       n, factor);
#if __has_include(<cuda/iterator>)
        check_computed(
            cuda::transform_iterator(cuda::counting_iterator<int>(0),
                                     cuda::proclaim_return_type<int>(
                                         [factor] __device__(int i) { return i % 5 * factor; })),
            n, factor);
#endif
    }
}
TEST(IteratorsThatHoldALambda, AreRead) { check_transformed_by_lambdas(); }

// ---- items of outputs

// Its own assignment doubles, and leaves the tag alone.
struct doubled {
    int value;
    int tag;
    doubled() = default;
    LOOKBACK_HD explicit doubled(int) : value(-1), tag(-1) {}
    LOOKBACK_HD doubled& operator=(int x) {
        value = 2 * x;
        return *this;
    }
};
// The same, with no way to make one of an int.
struct only_assigned {
    int value;
    int tag;
    LOOKBACK_HD only_assigned& operator=(int x) {
        value = 2 * x;
        return *this;
    }
};

template <class T>
class ItemsOfOutputs : public ::testing::Test {};
using assigned_types = ::testing::Types<doubled, only_assigned>;
TYPED_TEST_SUITE(ItemsOfOutputs, assigned_types);
TYPED_TEST(ItemsOfOutputs, AreGivenResultsByTheirOwnAssignment) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = short_runs(n);
        on_gpu on(in);
        device_array<TypeParam> out(n);
        int tag = 0;
        std::memset(&tag, poison, sizeof(tag));
        const auto check_out = [&](const std::vector<int>& want, std::size_t count) {
            const auto got = out.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < count; ++i) {
                wrong += got[i].value != 2 * want[i] || got[i].tag != tag;
            }
            EXPECT_EQ(wrong, 0u);
            out.fill_with_poison();
        };
        std::vector<int> want(n), keys(n);
        inclusive_scan(in, want);
        inclusive_scan(on.gpu, on.begin(), on.end(), out.data());
        check_out(want, n);
        inclusive_scan_by_key(in, in, want);
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), out.data());
        check_out(want, n);
        const auto runs = reduce_by_key(in, in, keys, want);
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), on.out.data(), out.data(),
                      on.count());
        check_out(want, runs);
        run_length_encode(in, keys, want);
        run_length_encode(on.gpu, on.begin(), on.end(), on.out.data(), out.data(), on.count());
        check_out(want, runs);
        const auto kept = select_if(in, want, is_positive{});
        select_if(on.gpu, on.begin(), on.end(), out.data(), on.count(), is_positive{});
        check_out(want, kept);
        const axis_extents two_columns{1, n / 2, 2};
        inclusive_scan(in, two_columns, want);
        inclusive_scan(on.gpu, on.begin(), two_columns, out.data());
        check_out(want, n / 2 * 2);
        const axis_extents columns{1, n / 50, 50};
        inclusive_scan(in, columns, want);
        inclusive_scan(on.gpu, on.begin(), columns, out.data());
        check_out(want, n / 50 * 50);
    }
}

// ---- counts of 16 bits; an operator that can be asked what it returns for accumulators only

TEST(CountsOf16Bits, AreReadAndWritten) {
    const auto in = short_runs(32'767);
    on_gpu on(in);
    std::vector<int> want(in.size());
    for (const int n : {0, 1, 5000, 32'767}) {
        device_array<std::int16_t> counts(std::vector<std::int16_t>{
            static_cast<std::int16_t>(n), std::int16_t{-1}, std::int16_t{-1}});
        unique(on.gpu, on.begin(), count_at<std::int16_t>{counts.data(), in.size()}, on.out.data(),
               count_to<std::int16_t>{counts.data() + 1});
        const auto runs = unique(in.begin(), in.begin() + n, want.begin());
        const auto found = counts.get();
        EXPECT_EQ(found[0], n);
        EXPECT_EQ(found[1], static_cast<std::int16_t>(runs));
        EXPECT_EQ(found[2], -1);
        EXPECT_EQ(on.first_of(on.out, runs),
                  std::vector<int>(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(runs)));
    }
    device_array<std::int16_t> too_narrow(1);
    device_array<char> many(40'000);
    EXPECT_THROW(unique(on.gpu, many.data(), many.data() + 40'000, many.data(),
                        count_to<std::int16_t>{too_narrow.data()}),
                 std::invalid_argument);
}

struct point {
    int x;
    point() = default;
    LOOKBACK_HD explicit point(int x_) : x(x_) {}
};
struct adds_points {
    template <class T>
    LOOKBACK_HD auto operator()(const T& a, const T& b) const {
        return T(a.x + b.x);
    }
};
TEST(OperatorsThatDeduceTheirResult, AreAskedForItOfAccumulatorsOnly) {
    for (const std::size_t n : sizes_of_calls()) {
        const auto in = short_runs(n);
        on_gpu on(in);
        std::vector<int> want(n);
        device_array<point> out(n);
        device_array<point> init(std::vector<point>{point(9)});
        const value_at<point> there{init.data()};
        const auto same = [&] {
            const auto got = out.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) wrong += got[i].x != want[i];
            return wrong == 0;
        };
        exclusive_scan(in, want, 9);
        exclusive_scan(on.gpu, on.begin(), on.end(), out.data(), there, adds_points{});
        EXPECT_TRUE(same());
        inclusive_scan_by_key(in, in, want, 9);
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), out.data(), there,
                              adds_points{});
        EXPECT_TRUE(same());
    }
}

}  // namespace lookback::test
