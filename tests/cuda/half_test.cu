// 16-bit floats as items: scans by key, sums in 32 bits, minima and maxima with NaN, sorts.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <limits>

#include "lookback/scan.hpp"
#include "lookback/segmented.hpp"
#include "lookback/sort.hpp"
#include "support/device.hpp"
#include "support/plain_loops.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

// A size for each driver of scans, and for one tile and for many tiles of scans by key.
std::vector<std::size_t> sizes() {
    if (reduced()) return {1, 100, 20'000};
    return {0, 1, 100, 3000, 20'000, 200'001, 3'000'001};
}

// The sums of runs of these fit in bfloat16, and the sum of all fits in a float.
std::vector<int> small_ints(std::size_t n) {
    std::vector<int> values(n);
    std::uint64_t x = n;
    for (int& value : values) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<int>(x >> 61) - 3;
    }
    return values;
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

}  // namespace

template <class Half>
class SixteenBitFloats : public ::testing::Test {};
using halves = ::testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(SixteenBitFloats, halves);

TYPED_TEST(SixteenBitFloats, AreScannedByKey) {
    for (const std::size_t n : sizes()) {
        const auto keys = plain::short_runs(n);
        const auto values = small_ints(n);
        stream s;
        lookback::gpu gpu{s};
        device_array<TypeParam> of_keys(as<TypeParam>(keys)), in(as<TypeParam>(values)), out(n);
        const TypeParam* const first = of_keys.data();
        const TypeParam* const from = in.data();
        inclusive_scan_by_key(gpu, first, first + n, from, out.data());
        EXPECT_EQ(as_ints(out.get()), plain::inclusive_scan_by_key(keys, values)) << n << " items";
        device_array<float> sums(n);
        exclusive_scan_by_key(gpu, first, first + n, from, sums.data(), 2.0F);
        EXPECT_EQ(as_ints(sums.get()), plain::exclusive_scan_by_key(keys, values, 2))
            << n << " items";
    }
}

TYPED_TEST(SixteenBitFloats, AreSummedIn32Bits) {
    for (const std::size_t n : sizes()) {
        const auto values = small_ints(n);
        stream s;
        lookback::gpu gpu{s};
        // At any offset; results of 32 bits, and results of 16 bits, which are rounded.
        for (const std::size_t offset : {0, 1, 3}) {
            SCOPED_TRACE(std::to_string(n) + " items, offset " + std::to_string(offset));
            auto placed = values;
            placed.insert(placed.begin(), offset, 100);
            device_array<TypeParam> in(as<TypeParam>(placed)), narrow(n + offset);
            device_array<float> sums(n);
            const TypeParam* const from = in.data() + offset;
            inclusive_scan(gpu, from, from + n, sums.data(), plus<float>{});
            EXPECT_EQ(as_ints(sums.get()), plain::inclusive_scan(values));
            inclusive_scan(gpu, from, from + n, narrow.data() + offset, plus<float>{});
            const auto wide = sums.get();
            const auto got = narrow.get();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) {
                wrong += static_cast<float>(got[i + offset]) !=
                         static_cast<float>(static_cast<TypeParam>(wide[i]));
            }
            EXPECT_EQ(wrong, 0u);
            exclusive_scan(gpu, std::make_reverse_iterator(from + n),
                           std::make_reverse_iterator(from),
                           std::make_reverse_iterator(sums.data() + n), 5.0F);
            auto reversed = values;
            std::reverse(reversed.begin(), reversed.end());
            auto backward = as_ints(sums.get());
            std::reverse(backward.begin(), backward.end());
            EXPECT_EQ(backward, plain::exclusive_scan(reversed, 5));
        }
    }
}

TYPED_TEST(SixteenBitFloats, HaveLeastAndGreatestWithNaN) {
    for (const std::size_t n : sizes()) {
        for (const bool with_nan : {false, true}) {
            std::vector<float> values(n), want;
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
                    want = plain::inclusive_scan(values, minimum{});
                    inclusive_scan(gpu, from, from + n, out.data(), minimum{});
                } else {
                    want = plain::inclusive_scan(values, maximum{});
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

TYPED_TEST(SixteenBitFloats, AreSorted) {
    constexpr auto counted_from =
        detail::device::sort_tuning_of<std::uint16_t, detail::no_array>().count_all_from;
    auto all = sizes();
    if (!reduced()) all.push_back(counted_from + 3);
    lookback::gpu gpu;
    for (const std::size_t n : all) {
        for (const kind how : {kind::random, kind::edges}) {
            const auto keys = keys_of<TypeParam>(how, n);
            for (const bool descending : {false, true}) {
                SCOPED_TRACE(std::to_string(n) + (descending ? " items, falling" : " items"));
                const auto order = order_of(keys, {descending});
                beside_poison<TypeParam> in(keys, 1), out(n, 3);
                beside_poison<std::uint32_t> positions(n, 1);
                sort_keys(gpu, in.data(), in.data() + n, out.data(), {descending});
                out.expect(in_order(keys, order), "sort_keys");
                sort_order(gpu, in.data(), in.data() + n, positions.data(), {descending});
                positions.expect(order, "sort_order");
            }
        }
    }
}

static_assert(!scan_init<int, const __half*> && scan_init<float, const __half*>);
static_assert(!scan_init<__half, const __nv_bfloat16*> && !scan_init<__half, const float*>);

}  // namespace lookback::test
