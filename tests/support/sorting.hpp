// What the tests of sorting share: keys of all shapes, and outputs that show which items were
// written.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/sort.hpp"
#include "support/sort_order.hpp"
#include "support/values.hpp"

namespace lookback::test {

template <class T>
std::vector<T> taken_in(const std::vector<std::uint32_t>& order, const std::vector<T>& items) {
    std::vector<T> all(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) all[i] = items[order[i]];
    return all;
}

/// A key with these bits.
template <class Key>
Key key_of_pattern(std::uint64_t low, std::uint64_t high) {
    if constexpr (std::is_same_v<Key, bool>) {
        return (low & 1) != 0;
    } else if constexpr (std::is_enum_v<Key>) {
        return static_cast<Key>(low);
    } else {
        Key key;
        const std::uint64_t bits[2] = {low, high};  // little-endian
        static_assert(sizeof(Key) <= sizeof(bits));
        std::memcpy(&key, bits, sizeof(Key));
        return key;
    }
}

template <class Key>
std::vector<std::pair<std::string, std::vector<Key>>> key_shapes(std::size_t n) {
    std::vector<std::pair<std::string, std::vector<Key>>> all;
    std::mt19937_64 random(n + sizeof(Key));
    constexpr int bits = static_cast<int>(std::min<std::size_t>(64, 8 * sizeof(Key)));
    const auto add = [&](const char* name, const auto& pattern) {
        std::vector<Key> keys(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t low = pattern(i);
            keys[i] = key_of_pattern<Key>(low, low * 0x9e3779b97f4a7c15U);
        }
        all.emplace_back(name, std::move(keys));
    };
    add("random", [&](std::size_t) { return random(); });
    add("all equal", [](std::size_t) { return 0x4142434445464748U; });
    add("few distinct", [&](std::size_t) { return random() % 5 << (bits - 4); });
    add("zipf", [&](std::size_t) {
        return static_cast<std::uint64_t>(1e6 / (1 + static_cast<double>(random() % 1000000)));
    });
    add("organ pipe", [&](std::size_t i) { return std::min(i, n - i); });
    add("low-entropy bits", [&](std::size_t) { return random() & 0x1100'2200'0300'0401U; });
    add("of all magnitudes", [&](std::size_t) { return random() >> random() % 64; });
    // Keys that no digit near the top distinguishes.
    add("few above, reversed below",
        [&](std::size_t i) { return (random() % 3 << (bits - 2)) + ((n - i) & 0xffffff); });
    // A sample of a few keys at equal distances looks as if all keys were random.
    add("reversed below, but for a few", [&](std::size_t i) {
        return i % std::max<std::size_t>(1, n / 8) == 0 ? random() : (n - i) & 0xffffff;
    });
    std::vector<Key> sorted = all.front().second;
    std::sort(sorted.begin(), sorted.end(), comes_before<Key>);
    all.emplace_back("sorted", sorted);
    all.emplace_back("reversed", std::vector<Key>(sorted.rbegin(), sorted.rend()));
    if (n > 1) {
        // One step down, where a block or a share of the work begins, if there are several.
        const std::size_t block = n / 2 >> 14 << 14;
        const auto step = static_cast<std::ptrdiff_t>(block > 0 ? block : n / 2);
        std::rotate(sorted.begin(), sorted.end() - step, sorted.end());
        all.emplace_back("two sorted halves", sorted);
    }
    return all;
}

/// An output of n items at an odd address, with a zone on either side that must not be written.
template <class T>
class guarded_output {
    static constexpr std::size_t zone = 67;

 public:
    explicit guarded_output(std::size_t n) : items_(n + 2 * zone) {
        std::memset(static_cast<void*>(items_.data()), 0xA5, items_.size() * sizeof(T));
        unwritten_ = items_.front();
    }

    auto begin() { return items_.begin() + zone; }

    /// Expects that exactly `want` was written, and nothing else.
    void expect(const std::vector<T>& want, const std::string& what) const {
        ASSERT_LE(want.size(), items_.size() - 2 * zone);
        std::vector<T> all(items_.size(), unwritten_);
        std::copy(want.begin(), want.end(), all.begin() + zone);
        if (std::memcmp(all.data(), items_.data(), all.size() * sizeof(T)) == 0) return;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            ASSERT_EQ(std::memcmp(&items_[i], &all[i], sizeof(T)), 0)
                << "at " << static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(zone)
                << ": " << what;
        }
    }

 private:
    std::vector<T> items_;
    T unwritten_;
};

inline std::string describe_sort(const std::string& shape, std::size_t n, int threads,
                                 bool descending) {
    return shape + ", n " + std::to_string(n) + ", threads " + std::to_string(threads) +
           (descending ? ", descending" : "");
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The sorts of a type of keys, each compared with what is wanted.
template <class Key>
struct sort_checks {
    static void keys_alone(const std::vector<Key>& keys, const std::vector<std::uint32_t>& order,
                           const cpu& where, const sort_by& by, const std::string& what);
    static void with_values(const std::vector<Key>& keys, const std::vector<std::uint32_t>& order,
                            const cpu& where, const sort_by& by, const std::string& what);
};

/// Checks sort_keys, to an output and in place.
template <class Key>
void check_keys(const std::vector<Key>& keys, const std::vector<std::uint32_t>& order,
                const cpu& where, const sort_by& by, const std::string& what) {
    sort_checks<Key>::keys_alone(keys, order, where, by, what);
}

/// Checks sort_pairs and sort_order, likewise. The values are the positions of the keys, so that it
/// shows whether equal keys keep their order.
template <class Key>
void check_pairs(const std::vector<Key>& keys, const std::vector<std::uint32_t>& order,
                 const cpu& where, const sort_by& by, const std::string& what) {
    sort_checks<Key>::with_values(keys, order, where, by, what);
}

template <class Key>
void sort_checks<Key>::keys_alone(const std::vector<Key>& keys,
                                  const std::vector<std::uint32_t>& order, const cpu& where,
                                  const sort_by& by, const std::string& what) {
    const std::size_t n = keys.size();
    const std::vector<Key> want = taken_in(order, keys);
    guarded_output<Key> out(n);
    sort_keys(where, keys.begin(), keys.end(), out.begin(), by);
    ASSERT_NO_FATAL_FAILURE(out.expect(want, what));
    std::vector<Key> both = keys;
    sort_keys(where, both, both, by);
    ASSERT_TRUE(same_bytes(both, want)) << "in place: " << what;
}

template <class Key>
void sort_checks<Key>::with_values(const std::vector<Key>& keys,
                                   const std::vector<std::uint32_t>& order, const cpu& where,
                                   const sort_by& by, const std::string& what) {
    const std::size_t n = keys.size();
    const std::vector<Key> want = taken_in(order, keys);
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0U);
    guarded_output<Key> keys_out(n);
    guarded_output<std::uint32_t> values_out(n), order_out(n);
    sort_pairs(where, keys.begin(), keys.end(), numbers.begin(), keys_out.begin(),
               values_out.begin(), by);
    ASSERT_NO_FATAL_FAILURE(keys_out.expect(want, what));
    ASSERT_NO_FATAL_FAILURE(values_out.expect(order, what));
    sort_order(where, keys.begin(), keys.end(), order_out.begin(), by);
    ASSERT_NO_FATAL_FAILURE(order_out.expect(order, what));
    std::vector<Key> both = keys;
    sort_pairs(where, both, numbers, both, numbers, by);
    ASSERT_TRUE(same_bytes(both, want) && numbers == order) << "in place: " << what;
}

// Compiled once for all tests (sorting.cpp).
extern template struct sort_checks<std::uint8_t>;
extern template struct sort_checks<std::int8_t>;
extern template struct sort_checks<std::uint16_t>;
extern template struct sort_checks<std::int16_t>;
extern template struct sort_checks<std::uint32_t>;
extern template struct sort_checks<std::int32_t>;
extern template struct sort_checks<std::uint64_t>;
extern template struct sort_checks<std::int64_t>;
extern template struct sort_checks<detail::int128>;
extern template struct sort_checks<float>;
extern template struct sort_checks<double>;
#if defined(__FLT16_MANT_DIG__) && !defined(__CUDACC__)
extern template struct sort_checks<_Float16>;
#endif

}  // namespace lookback::test
