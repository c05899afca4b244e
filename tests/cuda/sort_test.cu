// sort_keys, sort_pairs and sort_order on the GPU, compared with std::stable_sort. Large arrays are
// made and checked in device memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "lookback/sort.hpp"
#include "support/device.hpp"
#include "support/graph.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

using detail::key_word, detail::word_bits;

template <class Key>
class sort_cases {
 public:
    void run() {
        constexpr auto tuning = detail::device::sort_tuning_of<key_word<Key>, detail::no_array>();
        const auto tile = static_cast<std::size_t>(tuning.tile.items());
        const auto few = static_cast<std::size_t>(tuning.few.items());
        const auto many = static_cast<std::size_t>(tuning.many.items());
        std::vector<std::size_t> sizes = {0,        1,    2,        33,       few,         few + 1,
                                          many - 1, many, many + 1, 3 * tile, 3 * tile + 1};
        // Sizes around what is enumerated, around what one block sorts alone, around clusters of 4,
        // 8 and 16 blocks, and around what these hold.
        const std::size_t alone = tuning.alone_until, each = tuning.cluster_items;
        const std::size_t enumerated =
            detail::device::enumerated_until<tuning, key_word<Key>>(static_cast<int>(sizeof(Key)));
        for (const std::size_t n :
             {enumerated, enumerated + 1, alone, alone + 1, 8 * each + 1, 16 * each - 31}) {
            sizes.push_back(n);
        }
        const auto add_room = [&](const detail::device::sort_shape& shape) {
            const auto room = static_cast<std::size_t>(shape.blocks * shape.items());
            for (const std::size_t n : {room, room + 1}) sizes.push_back(n);
        };
        add_room(tuning.few_in_cluster);
        add_room(tuning.many_in_cluster);
        if (!reduced()) {
            for (const std::size_t n : {1000, 70'001, 1'000'003}) sizes.push_back(n);
        }
        for (const std::size_t n : sizes) {
            for (const kind how : all_kinds) {
                SCOPED_TRACE("n " + std::to_string(n) + ", kind " +
                             std::to_string(static_cast<int>(how)));
                const auto keys = keys_of<Key>(how, n);
                const std::size_t shift = n % 5;
                for (const bool descending : {false, true}) sort(keys, shift, {descending});
                constexpr int bits = word_bits<key_word<Key>>;
                sort(keys, shift, {false, 3, bits - 2});
                sort(keys, shift, {true, bits / 2, bits / 2});
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

 private:
    void sort(const std::vector<Key>& keys, std::size_t shift, sort_by by) {
        SCOPED_TRACE(std::string(by.descending ? "descending" : "ascending") + ", bits from " +
                     std::to_string(by.first_bit) + " to " + std::to_string(by.last_bit));
        const std::size_t n = keys.size();
        const auto order = order_of(keys, by);
        const auto want = in_order(keys, order);
        beside_poison<Key> in(keys, shift), out(n, (shift + 1) % 7), paired(n, 0);
        lookback::sort_keys(gpu_, in.data(), in.data() + n, out.data(), by);
        out.expect(want, "sort_keys");

        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 7U);
        const auto want_numbers = in_order(numbers, order);
        beside_poison<std::uint32_t> values(numbers, shift), values_out(n, 0), positions(n, 1);
        lookback::sort_pairs(gpu_, in.data(), in.data() + n, values.data(), paired.data(),
                             values_out.data(), by);
        paired.expect(want, "sort_pairs, keys");
        values_out.expect(want_numbers, "sort_pairs, values");
        lookback::sort_order(gpu_, in.data(), in.data() + n, positions.data(), by);
        positions.expect(order, "sort_order");

        std::vector<wide> items(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (auto& word : items[i].word) word = static_cast<std::uint32_t>(i * 6 + 1);
        }
        beside_poison<wide> wide_values(items, 1), wide_out(n, 2);
        lookback::sort_pairs(gpu_, in.data(), in.data() + n, wide_values.data(), paired.data(),
                             wide_out.data(), by);
        wide_out.expect(in_order(items, order), "sort_pairs, wide values");
        in.expect(keys, "the input");

        beside_poison<Key> keys_too(keys, shift);
        lookback::sort_pairs(gpu_, keys_too.data(), keys_too.data() + n, values.data(),
                             keys_too.data(), values.data(), by);
        keys_too.expect(want, "sort_pairs in place, keys");
        values.expect(want_numbers, "sort_pairs in place, values");
        lookback::sort_pairs(gpu_, in.data(), in.data() + n, wide_values.data(), in.data(),
                             wide_values.data(), by);
        in.expect(want, "sort_pairs in place, keys");
        wide_values.expect(in_order(items, order), "sort_pairs in place, wide values");
        device_array<std::uint32_t> count(std::vector<std::uint32_t>{static_cast<unsigned>(n)});
        // The count is a little smaller than the room, or much smaller.
        for (const std::size_t more : {3, 9000}) {
            beside_poison<Key> again(keys, shift);
            const auto room = static_cast<std::uint32_t>(n + more);
            lookback::sort_keys(gpu_, again.data(), count_at<std::uint32_t>{count.data(), room},
                                again.data(), by);
            again.expect(want, "sort_keys in place, count in device memory");
        }
    }

    lookback::gpu gpu_;
};

enum class shade : std::int16_t {};

TEST(Sort, Uint8) { sort_cases<std::uint8_t>().run(); }
TEST(Sort, Int8) { sort_cases<std::int8_t>().run(); }
TEST(Sort, Char) { sort_cases<char>().run(); }
TEST(Sort, Uint16) { sort_cases<std::uint16_t>().run(); }
TEST(Sort, Enumeration) { sort_cases<shade>().run(); }
TEST(Sort, Int32) { sort_cases<std::int32_t>().run(); }
TEST(Sort, Uint32) { sort_cases<std::uint32_t>().run(); }
TEST(Sort, Float) { sort_cases<float>().run(); }
TEST(Sort, Uint64) { sort_cases<std::uint64_t>().run(); }
TEST(Sort, Int64) { sort_cases<std::int64_t>().run(); }
TEST(Sort, Double) { sort_cases<double>().run(); }
TEST(Sort, Int128) { sort_cases<detail::int128>().run(); }

TEST(Sort, InGraphs) {
    const stream own;
    for (const std::size_t n : {700, 3000, 30'000, 300'000}) {
        lookback::gpu gpu(own);
        beside_poison<std::uint32_t> keys(n, 1), out(n, 2);
        const auto call = [&] {
            lookback::sort_keys(gpu, keys.data(), keys.data() + n, out.data());
        };
        call();  // makes the scratch memory large enough
        graph sort(own, [&] {
            call();
            call();
        });
        for (const kind how : {kind::random, kind::sparse, kind::equal, kind::random}) {
            auto some = keys_of<std::uint32_t>(how, n);
            check(cudaMemcpy(keys.data(), some.data(), n * 4, cudaMemcpyHostToDevice), "copying");
            // The stream does not wait for the copy.
            check(cudaDeviceSynchronize(), "waiting for the copy");
            sort.replay();
            check(cudaStreamSynchronize(own), "waiting");
            std::sort(some.begin(), some.end());
            out.expect(some, "sort_keys in a graph");
        }
    }
}

// ---- large arrays

bool fits(std::uint64_t bytes) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    return bytes + (std::uint64_t{1} << 30) < free;
}

template <class Key>
__device__ Key made(std::uint64_t i, std::uint64_t mask) {
    std::uint64_t x = i + 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return static_cast<Key>((x ^ (x >> 31)) & mask);
}
template <class Key>
__global__ void make(Key* keys, std::uint64_t n, std::uint64_t mask) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        keys[i] = made<Key>(i, mask);
    }
}
/// Checks that keys do not decrease, that each is the key of its value, and that values increase
/// where keys are equal. So all values are different, and the order is the stable one.
template <class Key, class Value>
__global__ void check_pairs(const Key* keys, const Value* values, std::uint64_t n,
                            std::uint64_t mask, unsigned long long* wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        bool good = values[i] < n && keys[i] == made<Key>(values[i], mask);
        if (i > 0) {
            good = good &&
                   (keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]));
        }
        if (!good) atomicAdd(wrong, 1ULL);
    }
}
/// Checks that keys do not decrease, and computes their sum and the sum of their squares.
template <class Key>
__global__ void check_keys(const Key* keys, std::uint64_t n, unsigned long long* found) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    unsigned long long falls = 0, sum = 0, squares = 0;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        if (i > 0 && keys[i] < keys[i - 1]) ++falls;
        sum += keys[i];
        squares += static_cast<unsigned long long>(keys[i]) * keys[i];
    }
    atomicAdd(found, falls);
    atomicAdd(found + 1, sum);
    atomicAdd(found + 2, squares);
}

template <class Key>
void sort_many(std::uint64_t n, std::uint64_t mask) {
    if (reduced() || !fits(3 * n * sizeof(Key))) GTEST_SKIP() << "not enough memory";
    device_array<Key> in(n), out(n);
    device_array<unsigned long long> before(std::vector<unsigned long long>(3)),
        after(std::vector<unsigned long long>(3));
    make<<<2048, 256>>>(in.data(), n, mask);
    check_keys<<<2048, 256>>>(in.data(), n, before.data());
    lookback::gpu gpu;
    lookback::sort_keys(gpu, in.data(), in.data() + n, out.data());
    check_keys<<<2048, 256>>>(out.data(), n, after.data());
    EXPECT_EQ(after.get()[0], 0U) << "keys fall";
    EXPECT_EQ(after.get()[1], before.get()[1]) << "other keys";
    EXPECT_EQ(after.get()[2], before.get()[2]) << "other keys";
}
template <class Key, class Value>
void order_many(std::uint64_t n, std::uint64_t mask) {
    if (reduced() || !fits(n * (4 * sizeof(Key) + 2 * sizeof(Value)))) {
        GTEST_SKIP() << "not enough memory";
    }
    device_array<Key> keys(n), keys_out(n);
    device_array<Value> order(n);
    device_array<unsigned long long> wrong(std::vector<unsigned long long>(1));
    make<<<2048, 256>>>(keys.data(), n, mask);
    lookback::gpu gpu;
    lookback::sort_order(gpu, keys.data(), keys.data() + n, order.data());
    lookback::sort_keys(gpu, keys.data(), keys.data() + n, keys_out.data());
    check_pairs<<<2048, 256>>>(keys_out.data(), order.data(), n, mask, wrong.data());
    EXPECT_EQ(wrong.get()[0], 0U);
}

__global__ void number(std::uint64_t* values, std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        values[i] = i;
    }
}
/// In place, for which there is memory more often.
template <class Key>
void pairs_many(std::uint64_t n, std::uint64_t mask) {
    if (reduced() || !fits(2 * n * (sizeof(Key) + 8))) GTEST_SKIP() << "not enough memory";
    device_array<Key> keys(n);
    device_array<std::uint64_t> values(n);
    device_array<unsigned long long> wrong(std::vector<unsigned long long>(1));
    make<<<2048, 256>>>(keys.data(), n, mask);
    number<<<2048, 256>>>(values.data(), n);
    lookback::gpu gpu;
    lookback::sort_pairs(gpu, keys.data(), keys.data() + n, values.data(), keys.data(),
                         values.data());
    check_pairs<<<2048, 256>>>(keys.data(), values.data(), n, mask, wrong.data());
    EXPECT_EQ(wrong.get()[0], 0U);
}

TEST(Sort, Bytes2To32) { sort_many<std::uint8_t>((std::uint64_t{1} << 32) + 1, ~0U); }
TEST(Sort, Uint32InLargeBuckets) { sort_many<std::uint32_t>((std::uint64_t{1} << 29) + 5, ~0U); }
TEST(Sort, Uint32Above2To32) { sort_many<std::uint32_t>((std::uint64_t{1} << 32) + 1, ~0U); }
TEST(Sort, PairsAbove2To32) { pairs_many<std::uint8_t>((std::uint64_t{1} << 32) + 1, 0x7fU); }
TEST(Sort, OrderInPortions) {
    order_many<std::uint32_t, std::uint32_t>((std::uint64_t{1} << 29) + 5, 0xff00fffU);
}
TEST(Sort, OrderAbove2To32) {
    order_many<std::uint8_t, std::uint64_t>((std::uint64_t{1} << 32) + 1, 0x7fU);
}

}  // namespace
}  // namespace lookback::test
