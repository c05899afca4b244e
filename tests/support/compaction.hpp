// What the tests of select, partition, runs and segments share: sizes around the edges of a tile,
// flags, runs, and outputs that show which items were written.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// Sizes around the edges of a block, a tile, many tiles.
inline std::vector<std::size_t> sizes_around(std::size_t tile) {
    std::vector<std::size_t> sizes = {1, 2, 3, 63, 64, 65, tile - 1, tile, tile + 1, 2 * tile + 65};
    if (sanitized) return sizes.insert(sizes.end(), 7 * tile + 1), sizes;
    for (const std::size_t n : {32 * tile - 1, 32 * tile, 32 * tile + 1}) sizes.push_back(n);
    return sizes;
}

/// Flags for n items: none, some, all, regular ones, and only those at the edges of tiles.
inline std::vector<std::pair<std::string, std::vector<std::uint8_t>>> flag_patterns(
    std::size_t n, std::size_t tile) {
    std::mt19937_64 random(n);
    std::vector<std::pair<std::string, std::vector<std::uint8_t>>> all;
    const auto add = [&](const std::string& name, const auto& flag) {
        std::vector<std::uint8_t> flags(n);
        for (std::size_t i = 0; i < n; ++i) flags[i] = flag(i) ? 1 : 0;
        all.emplace_back(name, std::move(flags));
    };
    for (const unsigned percent : {0U, 10U, 50U, 90U, 100U}) {
        add(std::to_string(percent) + " %", [&](std::size_t) { return random() % 100 < percent; });
    }
    add("alternating", [](std::size_t i) { return i % 2 == 0; });
    add("only the edges of tiles",
        [&](std::size_t i) { return i % tile == 0 || i % tile == tile - 1; });
    add("all but the edges of tiles",
        [&](std::size_t i) { return i % tile != 0 && i % tile != tile - 1; });
    return all;
}

/// Keys in runs of one item, in short runs, long runs, runs across tiles, and in one run.
inline std::vector<std::pair<std::string, std::vector<std::uint32_t>>> key_patterns(
    std::size_t n, std::size_t tile) {
    std::mt19937_64 random(n + 1);
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> all;
    const auto add = [&](const std::string& name, const auto& begins) {
        std::vector<std::uint32_t> keys(n);
        std::uint32_t key = 5;
        for (std::size_t i = 0; i < n; ++i) {
            if (begins(i))
                key += 1 + static_cast<std::uint32_t>(random() % 3);  // unsorted, as it wraps
            keys[i] = key % 1000;
        }
        all.emplace_back(name, std::move(keys));
    };
    add("one run", [](std::size_t) { return false; });
    add("runs of one", [](std::size_t) { return true; });
    for (const std::size_t mean : {std::size_t{2}, std::size_t{10}, std::size_t{500}, 2 * tile}) {
        add("mean run " + std::to_string(mean),
            [&, mean](std::size_t) { return random() % mean == 0; });
    }
    add("runs of a tile", [&](std::size_t i) { return i % tile == 0; });
    add("runs that end a tile", [&](std::size_t i) { return i % tile == tile - 1; });
    return all;
}

/// The runs of equal keys, and those of them that have two items or more.
struct runs_of_keys {
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> keys, lengths;
    std::vector<std::uint32_t> long_begins, long_lengths;
};
inline runs_of_keys find_runs(const std::vector<std::uint32_t>& keys) {
    runs_of_keys runs;
    for (std::size_t i = 0; i < keys.size();) {
        std::size_t end = i + 1;
        while (end < keys.size() && keys[end] == keys[i]) ++end;
        const auto length = static_cast<std::uint32_t>(end - i);
        runs.begins.push_back(i);
        runs.keys.push_back(keys[i]);
        runs.lengths.push_back(length);
        if (length > 1) {
            runs.long_begins.push_back(static_cast<std::uint32_t>(i));
            runs.long_lengths.push_back(length);
        }
        i = end;
    }
    return runs;
}

/// The i-th value of a type. The values differ, and a damaged value shows.
template <class T>
T numbered(std::size_t i) {
    if constexpr (std::is_same_v<T, std::string>) {
        return "the item of number " + std::to_string(i);
    } else if constexpr (std::is_same_v<T, span_of>) {
        return {i, i + 1, i + 2};
    } else if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(i * 2654435761U);
    } else {
        T value;
        std::memset(static_cast<void*>(&value), static_cast<int>(i & 255), sizeof(T));
        return value;
    }
}
template <class T>
std::vector<T> numbered_values(std::size_t n) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = numbered<T>(i);
    return values;
}

/// An output of n items, filled with a value that no test writes, and 64 more items behind it.
template <class T>
struct watched_output {
    T poison = numbered<T>(~std::size_t{0} / 3);
    std::vector<T> items;
    explicit watched_output(std::size_t n) : items(n + 64, poison) {}

    auto begin() { return items.begin(); }

    void expect(const std::vector<T>& want, const std::string& what) const {
        ASSERT_LE(want.size(), items.size());
        for (std::size_t i = 0; i < want.size(); ++i) {
            ASSERT_TRUE(items[i] == want[i]) << "item " << i << ": " << what;
        }
        for (std::size_t i = want.size(); i < items.size(); ++i) {
            ASSERT_TRUE(items[i] == poison)
                << "written behind the output, at " << i << ": " << what;
        }
    }
};

/// Checks a call in place: the items behind the results must not have changed.
template <class T>
void expect_in_place(const std::vector<T>& got, const std::vector<T>& want,
                     const std::vector<T>& before, const std::string& what) {
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(got[i] == (i < want.size() ? want[i] : before[i]))
            << "item " << i << ", in place: " << what;
    }
}

inline std::string describe(const std::string& pattern, std::size_t n, int threads) {
    return pattern + ", n " + std::to_string(n) + ", threads " + std::to_string(threads);
}

/// The message of the std::invalid_argument that `f` throws.
template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "no std::invalid_argument";
}

}  // namespace lookback::test
