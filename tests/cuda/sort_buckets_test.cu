// Sorting medium arrays on the GPU in buckets: sizes around those that are sorted so, buckets
// around the room of a block, and keys that differ only in some bits, all keys or all but one. The
// same for arrays that are a little larger, which are sorted by hybrid sorts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "lookback/sort.hpp"
#include "support/device.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

using detail::device::sort_shape;

template <class Key>
class bucket_cases {
    using word = key_word<Key>;
    static constexpr int bits = word_bits<word>;

 public:
    void run() {
        constexpr auto tuning = detail::device::sort_tuning_of<word, detail::no_array>();
        const sort_shape shapes[] = {tuning.few_in_bucket, tuning.many_in_bucket};
        for (const sort_shape& shape : shapes) {
            const auto room = static_cast<std::size_t>(shape.items());
            const std::size_t even = 256 * (room - static_cast<std::size_t>(shape.threads()));
            for (const std::size_t n : {even, even + 1}) {
                sort(keys_of<Key>(kind::random, n), {});
                if (n > even) sort(keys_of<Key>(kind::random, n), {false, 3, bits - 2});
            }
            // Buckets are chosen by the highest bits, or by lower bits if those are the same in all
            // keys.
            for (const int place : {bits - 8, bits - 16}) {
                sort(crowded(even / 2, room, place), {place < bits - 8});
                sort(crowded(even / 2, room + 1, place), {place < bits - 8});
            }
            for (const int above : {0, 1, bits - 8, bits - 3, bits}) {
                sort(below(even / 2 + 1, above, false), {above % 2 == 1});
            }
            sort(below(even / 2 + 1, 5, true), {});
        }
        const auto n = static_cast<std::size_t>(tuning.hybrid_from) + 4321;
        const auto room = static_cast<std::size_t>(tuning.few_in_local.items());
        for (const int above : {1, 5, bits - 17}) sort(below(n, above, false), {above == 5});
        sort(below(n, 5, true), {});
        // The bucket has up to half as many as there is room for by chance.
        for (const std::size_t crowd : {room / 3, room + 1}) {
            for (const int low_bits : {0, 3, bits - 16}) sort(gathered(n, crowd, low_bits), {});
        }
        sort(nearly_sorted(n), {});
        // One block counts all keys, and a counter of 16 bits wraps to where it began.
        detail::device::access::limit_blocks(gpu_, 1);
        sort(gathered(n, 65'536, bits - 16), {});
    }

 private:
    // Keys with the same highest bits. With `stray`, one key differs, which a sample does not have.
    static std::vector<Key> below(std::size_t n, int above, bool stray) {
        auto keys = keys_of<Key>(kind::random, n);
        const auto all = static_cast<word>(~word{0});
        for (std::size_t i = 0; i < n; ++i) {
            const auto own = above == bits ? word{0} : static_cast<word>(all >> above);
            const auto mine = static_cast<word>(detail::word_of_key(keys[i]) & own);
            keys[i] = detail::key_of_word<Key>(static_cast<word>(mine | (all ^ own) / 3 * 2));
        }
        if (stray) keys[1] = detail::key_of_word<Key>(word{77});
        return keys;
    }

    // One value of the digit has `crowd` keys; the other values share the rest evenly.
    static std::vector<Key> crowded(std::size_t n, std::size_t crowd, int place) {
        auto keys = keys_of<Key>(kind::random, n);
        const auto below = static_cast<word>((word{1} << place) - 1);
        for (std::size_t i = 0; i < n; ++i) {
            const auto digit = static_cast<word>(i < crowd ? 5 : 6 + i % 250);
            const auto rest = static_cast<word>(detail::word_of_key(keys[i]) & below);
            keys[i] = detail::key_of_word<Key>(static_cast<word>(digit << place | rest));
        }
        std::shuffle(keys.begin(), keys.end(), std::mt19937(7));
        return keys;
    }

    // The highest 16 bits of `crowd` keys are the same, and of the others only the lowest differ.
    static std::vector<Key> gathered(std::size_t n, std::size_t crowd, int low_bits) {
        auto keys = keys_of<Key>(kind::random, n);
        const auto low = static_cast<word>((word{1} << low_bits) - 1);
        for (std::size_t i = 0; i < crowd; ++i) {
            const auto mine = static_cast<word>(detail::word_of_key(keys[i]) & low);
            keys[i] =
                detail::key_of_word<Key>(static_cast<word>(mine | word{21845} << (bits - 16)));
        }
        std::shuffle(keys.begin(), keys.end(), std::mt19937(8));
        return keys;
    }

    // In descending order, but for the lowest bits.
    static std::vector<Key> nearly_sorted(std::size_t n) {
        auto keys = keys_of<Key>(kind::random, n);
        std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
            return detail::word_of_key(a) > detail::word_of_key(b);
        });
        for (std::size_t i = 0; i + 1 < n; i += 2) std::swap(keys[i], keys[i + 1]);
        return keys;
    }

    void sort(const std::vector<Key>& keys, sort_by by) {
        const std::size_t n = keys.size();
        SCOPED_TRACE("n " + std::to_string(n));
        const auto order = order_of(keys, by);
        const auto want = in_order(keys, order);
        beside_poison<Key> in(keys, n % 5), out(n, 3);
        lookback::sort_keys(gpu_, in.data(), in.data() + n, out.data(), by);
        out.expect(want, "sort_keys");
        beside_poison<std::uint32_t> positions(n, 1);
        lookback::sort_order(gpu_, in.data(), in.data() + n, positions.data(), by);
        positions.expect(order, "sort_order");

        std::vector<wide> items(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (auto& word : items[i].word) word = static_cast<std::uint32_t>(i * 6 + 1);
        }
        beside_poison<wide> values(items, 1), values_out(n, 2);
        beside_poison<Key> beside(n, 4);
        lookback::sort_pairs(gpu_, in.data(), in.data() + n, values.data(), beside.data(),
                             values_out.data(), by);
        beside.expect(want, "sort_pairs, wide values, keys");
        values_out.expect(in_order(items, order), "sort_pairs, wide values");
        device_array<std::uint32_t> count(std::vector<std::uint32_t>{static_cast<unsigned>(n)});
        const auto room = static_cast<std::uint32_t>(n + 30);
        {
            beside_poison<Key> keys_in(keys, 1);
            beside_poison<wide> again(n, 3);
            lookback::sort_pairs(gpu_, keys_in.data(), count_at<std::uint32_t>{count.data(), room},
                                 values.data(), keys_in.data(), again.data(), by);
            keys_in.expect(want, "sort_pairs, keys in place, values apart, count in device memory");
            again.expect(in_order(items, order), "sort_pairs, wide values, count in device memory");
        }
        lookback::sort_pairs(gpu_, in.data(), in.data() + n, values.data(), in.data(),
                             values.data(), by);
        in.expect(want, "sort_pairs in place, keys");
        values.expect(in_order(items, order), "sort_pairs in place, values");

        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 7U);
        beside_poison<Key> keys_too(keys, 2), paired(n, 0);
        beside_poison<std::uint32_t> numbered(numbers, 2), numbers_out(n, 0);
        lookback::sort_pairs(gpu_, keys_too.data(), keys_too.data() + n, numbered.data(),
                             paired.data(), numbers_out.data(), by);
        paired.expect(want, "sort_pairs, keys");
        numbers_out.expect(in_order(numbers, order), "sort_pairs, values");
        lookback::sort_keys(gpu_, keys_too.data(), count_at<std::uint32_t>{count.data(), room},
                            keys_too.data(), by);
        keys_too.expect(want, "sort_keys in place, count in device memory");
    }

    lookback::gpu gpu_;
};

TEST(SortBuckets, Uint32) { bucket_cases<std::uint32_t>().run(); }
TEST(SortBuckets, Double) { bucket_cases<double>().run(); }
TEST(SortBuckets, Int128) { bucket_cases<detail::int128>().run(); }

}  // namespace
}  // namespace lookback::test
