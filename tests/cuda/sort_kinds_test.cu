// Keys that are counted, not sorted, and values of all sizes, on the GPU: in arrays large enough
// for large tiles, beside poison, off boundaries, in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "lookback/sort.hpp"
#include "support/device.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

/// Keys of one or two bytes, in sizes around the limit from which they are counted.
template <class Key>
void count_many(std::initializer_list<std::size_t> sizes,
                std::initializer_list<int> kinds = {0, 1, 2, 3, 4}) {
    using word = key_word<Key>;
    lookback::gpu gpu;
    for (const std::size_t n : sizes) {
        // Kinds: random keys; a few values, as far apart as possible; one value; keys in order; one
        // value with a few others.
        for (const int how : kinds) {
            SCOPED_TRACE("n " + std::to_string(n) + ", kind " + std::to_string(how));
            std::mt19937_64 random(n + static_cast<unsigned>(how));
            std::vector<word> words(n);
            for (auto& w : words) {
                const auto any = static_cast<word>(random());
                switch (how) {
                    case 1: w = static_cast<word>(any % 2 - any / 2 % 2); break;
                    case 2: w = static_cast<word>(n); break;
                    case 4: w = random() % 1000 == 0 ? any : static_cast<word>(41); break;
                    default: w = any;
                }
            }
            if (how == 3) std::sort(words.begin(), words.end());
            std::vector<Key> keys(n);
            for (std::size_t i = 0; i < n; ++i) keys[i] = detail::key_of_bits<Key>(words[i]);
            std::vector<std::size_t> count(std::size_t{1} << word_bits<word>);
            for (const word w : words) ++count[w];
            for (const bool descending : {false, true}) {
                std::vector<Key> want;
                want.reserve(n);
                for (std::size_t i = 0; i < count.size(); ++i) {
                    const Key key = detail::key_of_word<Key>(static_cast<word>(i), descending);
                    want.insert(want.end(), count[detail::bits_of_key(key)], key);
                }
                const std::size_t shift = n % 7;
                beside_poison<Key> in(keys, shift), out(n, (shift + 3) % 11);
                lookback::sort_keys(gpu, in.data(), in.data() + n, out.data(), {descending});
                out.expect(want, "sort_keys");
                in.expect(keys, "the input");
                device_array<std::uint64_t> items(std::vector<std::uint64_t>{n});
                lookback::sort_keys(gpu, in.data(), count_at<std::uint64_t>{items.data(), n + 3},
                                    in.data(), {descending});
                in.expect(want, "sort_keys in place, count in device memory");
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}
TEST(SortKinds, ManyUint16) {
    constexpr auto from =
        detail::device::sort_tuning_of<std::uint16_t, detail::no_array>().count_all_from;
    count_many<std::uint16_t>({from - 1, from, from + 1, 3 * from + 7, 9 * from + 4});
}
TEST(SortKinds, ManyInt16) {
    constexpr auto from =
        detail::device::sort_tuning_of<std::uint16_t, detail::no_array>().count_all_from;
    count_many<std::int16_t>({from + 32'773});
}
TEST(SortKinds, ManyBytes) {
    if (reduced()) GTEST_SKIP() << "large arrays";
    constexpr auto from =
        detail::device::sort_tuning_of<std::uint8_t, detail::no_array>().count_all_from;
    count_many<std::uint8_t>({from + 1}, {0, 4});
    count_many<std::int8_t>({from + 30}, {1});
}

/// Values of `bytes` bytes. The arrays are aligned to a unit but to no larger boundary.
template <class Key, class Unit, int units>
void sort_pairs_of() {
    struct value {
        Unit unit[units];
    };
    lookback::gpu gpu;
    using word = key_word<Key>;
    constexpr auto tuning =
        detail::device::sort_tuning_of<word, typename detail::device::moved_form<value>::type>();
    const auto tile = static_cast<std::size_t>(tuning.tile.items());
    const auto small_until = static_cast<std::size_t>(tuning.small_until);
    for (const std::size_t n : {std::size_t{40'000}, small_until + 5, small_until + 2 * tile}) {
        for (const std::size_t shift : {0, 1}) {
            SCOPED_TRACE("n " + std::to_string(n) + ", off by " + std::to_string(shift));
            const auto keys = keys_of<Key>(kind::random, n);
            std::vector<value> values(n);
            std::mt19937_64 random(n);
            for (value& v : values) {
                for (Unit& u : v.unit) u = static_cast<Unit>(random());
            }
            const auto order = order_of(keys, {});
            beside_poison<Key> in(keys, shift), out(n, 2);
            beside_poison<value> values_in(values, shift), values_out(n, 1);
            lookback::sort_pairs(gpu, in.data(), in.data() + n, values_in.data(), out.data(),
                                 values_out.data());
            out.expect(in_order(keys, order), "sort_pairs, keys");
            values_out.expect(in_order(values, order), "sort_pairs, values");
            lookback::sort_pairs(gpu, in.data(), in.data() + n, values_in.data(), in.data(),
                                 values_in.data());
            in.expect(in_order(keys, order), "sort_pairs in place, keys");
            values_in.expect(in_order(values, order), "sort_pairs in place, values");
        }
    }
}
TEST(SortKinds, ValuesOf1Byte) { sort_pairs_of<std::uint32_t, std::uint8_t, 1>(); }
TEST(SortKinds, ValuesOf2Bytes) { sort_pairs_of<std::uint64_t, std::uint16_t, 1>(); }
TEST(SortKinds, ValuesOf3Bytes) { sort_pairs_of<std::uint16_t, std::uint8_t, 3>(); }
TEST(SortKinds, ValuesOf4Bytes) { sort_pairs_of<std::uint64_t, std::uint32_t, 1>(); }
TEST(SortKinds, ValuesOf8Bytes) { sort_pairs_of<std::uint32_t, std::uint64_t, 1>(); }
TEST(SortKinds, ValuesOf8BytesBy4) { sort_pairs_of<std::uint32_t, std::uint32_t, 2>(); }
TEST(SortKinds, ValuesOf12Bytes) { sort_pairs_of<std::uint32_t, std::uint32_t, 3>(); }

}  // namespace
}  // namespace lookback::test
