// The kernels of a tile alone: its fold has the same bits whether the tile is reduced, scanned, or
// reduced during the scan of another tile, whatever the sizes of the two. A scan of an array has
// few of these sizes, and which of the three is done to a tile depends on timing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "support/values.hpp"

namespace lookback::test {
namespace {

using detail::half_tile_bytes;
using detail::row_bytes;
using detail::simd_op;

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Sizes around rows, halves and steps of the reduction.
template <class T>
std::vector<std::size_t> sizes_of_tiles() {
    const std::size_t row = row_bytes / sizeof(T), half = half_tile_bytes / sizeof(T);
    return {1,
            2,
            63,
            64,
            65,
            9 * row + 1,
            half - 1,
            half,
            half + 1,
            half + row,
            half + 2 * row - 1,
            half + 5 * row + 3,
            half * 5 / 4 + 3,
            2 * half - 1,
            2 * half};
}

// A tile in memory of exactly its size, so that an access beyond either end is detected.
template <class T, simd_op op>
struct tile_of {
    std::size_t items;
    std::unique_ptr<T[]> memory;
    const T* first;  // in the order of the scan

    tile_of(std::size_t n, bool backward, std::size_t from)
        : items(n), memory(new T[n]), first(backward ? memory.get() + (n - 1) : memory.get()) {
        using operation = std::conditional_t<op == simd_op::multiplies, multiplies<>, plus<>>;
        static const std::vector<T> values =
            random_values_for<T>(operation{}, 3 * half_tile_bytes / sizeof(T), 1);
        std::memcpy(memory.get(), values.data() + from, n * sizeof(T));
    }
};

template <class T, simd_op op, class In>
const detail::scan_kernel<T, In>& kernel_for(bool backward) {
    if constexpr (std::is_same_v<In, T>) {
        return detail::simd_kernel_of<op, T>(backward);
    } else {
        return static_cast<const detail::widening_scan<T, In>&>(detail::widening_kernels<T>())
            .kernel;
    }
}

template <class T, simd_op op, class In>
class kernel_check {
 public:
    explicit kernel_check(bool backward)
        : backward_(backward), kernel_(kernel_for<T, op, In>(backward)) {}

    bool is_on_this_machine() const { return kernel_.scan != nullptr; }
    bool regroups() const { return kernel_.regroups; }

    void run(std::size_t items, std::size_t next_items) const {
        const tile_of<In, op> tile(items, backward_, 0), next(next_items, backward_, 100);
        const T prefix = random_values<T>(1, 3)[0];
        const T aggregate = kernel_.reduce(tile.first, items);
        const T next_aggregate = kernel_.reduce(next.first, next_items);
        const auto alone = results(tile, nullptr, nullptr, false, false);
        ASSERT_TRUE(same_bits(alone.first.inclusive_prefix, aggregate)) << "scanned, not reduced";
        const std::vector<T> want = results(tile, nullptr, &prefix, false, false).second;
        ASSERT_TRUE(same_bits(want.back(), combine(prefix, aggregate)));
        for (const bool exclusive : {false, true}) {
            for (const bool stream : {false, true}) {
                const auto [result, out] = results(tile, &next, &prefix, exclusive, stream);
                ASSERT_TRUE(same_bits(result.next_aggregate, next_aggregate));
                ASSERT_TRUE(same_bits(result.inclusive_prefix, want.back()));
                if (exclusive) {
                    ASSERT_TRUE(same_bits(out[0], prefix));
                }
                const std::size_t later = exclusive ? 1 : 0;
                ASSERT_TRUE(items == later || std::memcmp(out.data() + later, want.data(),
                                                          (items - later) * sizeof(T)) == 0)
                    << (exclusive ? "exclusive " : "inclusive ") << (stream ? "streamed" : "");
            }
        }
    }

    // Compares with the definition, for operators with which any grouping gives the same bits.
    void run_against_a_fold(std::size_t items) const {
        const tile_of<In, op> tile(items, backward_, 0);
        const std::vector<T> out = results(tile, nullptr, nullptr, false, false).second;
        T fold = static_cast<T>(tile.first[0]);
        for (std::size_t i = 0; i < items; ++i) {
            const T item = static_cast<T>(tile.first[backward_ ? -static_cast<std::ptrdiff_t>(i)
                                                               : static_cast<std::ptrdiff_t>(i)]);
            fold = i == 0 ? item : combine(fold, item);
            ASSERT_EQ(out[i], fold) << "item " << i;
        }
    }

 private:
    static T combine(T a, T b) {
        if constexpr (op == simd_op::multiplies) return multiplies<>{}(a, b);
        if constexpr (op == simd_op::plus) return plus<>{}(a, b);
        if constexpr (op == simd_op::maximum) return maximum<>{}(a, b);
    }

    // The results, in the order of the scan.
    std::pair<detail::simd_result<T>, std::vector<T>> results(const tile_of<In, op>& tile,
                                                              const tile_of<In, op>* next,
                                                              const T* prefix, bool exclusive,
                                                              bool stream) const {
        std::vector<T> out(tile.items);
        const auto result = kernel_.scan({.in = tile.first,
                                          .out = backward_ ? &out.back() : out.data(),
                                          .items = tile.items,
                                          .prefix = prefix,
                                          .next = next ? next->first : nullptr,
                                          .next_items = next ? next->items : 0,
                                          .exclusive = exclusive,
                                          .stream = stream});
        if (backward_) std::reverse(out.begin(), out.end());
        return {result, std::move(out)};
    }

    const bool backward_;
    const detail::scan_kernel<T, In>& kernel_;
};

template <class T, simd_op op, class In = T>
void check_kernel() {
    for (const bool backward : {false, true}) {
        if (backward && !std::is_same_v<In, T>) continue;  // there is no such kernel
        const kernel_check<T, op, In> check(backward);
        if (!detail::on_all_machines<op, T>) {
            const bool has_avx512 = std::string(detail::simd_target()).starts_with("AVX3");
            ASSERT_EQ(check.is_on_this_machine(), has_avx512);
            if (!has_avx512) continue;
        }
        const std::vector<std::size_t> sizes = sizes_of_tiles<T>();
        for (const std::size_t items : sizes) {
            const std::string name =
                (backward ? "backward, " : "forward, ") + std::to_string(items);
            SCOPED_TRACE(name + " items");
            if (check.regroups()) check.run_against_a_fold(items);
            for (const std::size_t next : sizes) {
                SCOPED_TRACE(std::to_string(next) + " reduced on the way");
                if (next > items) continue;
                // A sanitizer is ten times slower: only for the longest tile.
                if (sanitized && items < sizes.back() && next < items) continue;
                check.run(items, next);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

// The wanted items of a block, for masks with every byte in every place, because the kernels look
// the bytes of a mask up in a table.
template <class T>
void check_compress(detail::compress_kernel compress) {
    const std::vector<T> in = random_values<T>(detail::class_block, 5);
    std::mt19937_64 random(11);
    std::vector<std::uint64_t> masks = {0, ~std::uint64_t{0}};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        for (int place = 0; place < 64; place += 8) masks.push_back(byte << place);
        masks.push_back(random());
        masks.push_back(random() & random() & random());
    }
    for (const std::uint64_t wanted : masks) {
        std::vector<T> want;
        for (std::size_t i = 0; i < detail::class_block; ++i) {
            if ((wanted >> i) & 1) want.push_back(in[i]);
        }
        // Of exactly this size, so that an access beyond the end is detected.
        const std::unique_ptr<T[]> out(new T[detail::class_block]);
        ASSERT_EQ(compress(in.data(), wanted, out.get()), want.size()) << wanted;
        for (std::size_t k = 0; k < want.size(); ++k) {
            ASSERT_TRUE(same_bits(out[k], want[k])) << k << " of " << wanted;
        }
    }
}

// Which keys of a block differ from the key before, by ==: NaN differs from itself, and 0 does not
// differ from -0.
template <class T>
void check_differ(detail::differ_kernel differ) {
    std::vector<T> values = {T(0), T(1), T(2), T(-1), std::numeric_limits<T>::max()};
    if constexpr (std::is_floating_point_v<T>) {
        values.insert(values.end(), {T(-0.0), std::numeric_limits<T>::quiet_NaN()});
    }
    std::mt19937_64 random(3);
    for (int round = 0; round < 300; ++round) {
        const auto keys = std::make_unique<T[]>(detail::class_block + 1);
        std::uint64_t want = 0;
        for (std::size_t i = 0; i <= detail::class_block; ++i) {
            keys[i] = values[random() % std::min<std::size_t>(values.size(), 2 + round % 6)];
            if (i > 0 && !(keys[i] == keys[i - 1])) want |= std::uint64_t{1} << (i - 1);
        }
        ASSERT_EQ(differ(keys.get() + 1), want) << "round " << round;
    }
}

}  // namespace

TEST(Compaction, KeysThatDiffer) {
    const detail::simd_compaction& kernels = detail::simd_compaction_kernels();
    check_differ<std::uint8_t>(kernels.differ_one_byte);
    check_differ<std::uint16_t>(kernels.differ_two_bytes);
    check_differ<std::uint32_t>(kernels.differ_four_bytes);
    check_differ<std::uint64_t>(kernels.differ_eight_bytes);
    check_differ<float>(kernels.differ_float);
    check_differ<double>(kernels.differ_double);
}
TEST(Compaction, ItemsOfOneByte) {
    check_compress<std::uint8_t>(detail::simd_compaction_kernels().one_byte);
}
TEST(Compaction, ItemsOfTwoBytes) {
    check_compress<std::uint16_t>(detail::simd_compaction_kernels().two_bytes);
}
TEST(Compaction, ItemsOfFourBytes) {
    check_compress<std::uint32_t>(detail::simd_compaction_kernels().four_bytes);
}
TEST(Compaction, ItemsOfEightBytes) {
    check_compress<std::uint64_t>(detail::simd_compaction_kernels().eight_bytes);
}

template <class T>
class SimdKernels : public ::testing::Test {};
using kernel_types =
    ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(SimdKernels, kernel_types);

TYPED_TEST(SimdKernels, SumOfATile) { check_kernel<TypeParam, simd_op::plus>(); }
TYPED_TEST(SimdKernels, ProductOfATile) { check_kernel<TypeParam, simd_op::multiplies>(); }
TEST(SimdKernelsOfPairs, SumOfATile) {
    check_kernel<detail::float_pair, simd_op::plus>();
    check_kernel<detail::double_pair, simd_op::plus>();
}
TYPED_TEST(SimdKernels, MaximumOfATile) { check_kernel<TypeParam, simd_op::maximum>(); }

template <class T, class... In>
void check_sums_of_narrower_items() {
    (check_kernel<T, simd_op::plus, In>(), ...);
}
TEST(SimdKernelsThatWiden, SumInFourBytesOfNarrowerItems) {
    check_sums_of_narrower_items<std::uint32_t, std::uint8_t, std::uint16_t, std::int16_t>();
}
TEST(SimdKernelsThatWiden, SumInEightBytesOfNarrowerItems) {
    check_sums_of_narrower_items<std::uint64_t, std::uint8_t, std::uint16_t, std::int16_t,
                                 std::uint32_t, std::int32_t>();
}

}  // namespace lookback::test
