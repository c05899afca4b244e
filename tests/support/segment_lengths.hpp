// The segments with which sorts of segments are tested: their lengths, and the expected order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "lookback/sort.hpp"
#include "support/key_order.hpp"

namespace lookback::test {

struct segment_lengths {
    std::string name;
    std::vector<std::size_t> lengths;

    std::size_t items() const {
        return std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
    }
    template <class Offset>
    std::vector<Offset> offsets() const {
        std::vector<Offset> all = {0};
        for (const std::size_t n : lengths) all.push_back(static_cast<Offset>(all.back() + n));
        return all;
    }
};

/// Segments of all kinds, with about `items` items in all. `edges` are lengths, and positions of
/// ends, at which an implementation changes its method.
inline std::vector<segment_lengths> lengths_of_all_kinds(std::size_t items,
                                                         const std::vector<std::size_t>& edges) {
    std::vector<segment_lengths> all;
    all.push_back({"no segments", {}});
    all.push_back({"one, empty", {0}});
    all.push_back({"1000, empty", std::vector<std::size_t>(1000)});
    all.push_back({"one of one", {1}});
    all.push_back({"one of all", {items}});
    all.push_back({"one of all between empty ones", {0, 0, items, 0}});
    const auto repeated = [&](std::size_t n) {
        all.push_back({"of " + std::to_string(n), std::vector<std::size_t>(items / n + 1, n)});
    };
    for (const std::size_t n : {1, 2, 3, 30, 31, 32, 33, 63, 64, 65, 1000}) repeated(n);
    for (const std::size_t edge : edges) {
        for (const std::size_t n : {edge - 1, edge, edge + 1}) {
            if (n > 0) repeated(n);
            // A segment that ends there, and segments behind it.
            all.push_back({"of 7 up to " + std::to_string(n) + ", then of 5", {}});
            auto& lengths = all.back().lengths;
            for (std::size_t at = 0; at + 7 <= n; at += 7) lengths.push_back(7);
            if (n % 7 > 0) lengths.push_back(n % 7);
            lengths.insert(lengths.end(), 300, 5);
        }
    }
    std::mt19937_64 random(items);
    const auto drawn = [&](const char* name, const auto& length) {
        all.push_back({name, {}});
        for (std::size_t sum = 0; sum < items;) {
            const std::size_t n = length();
            all.back().lengths.push_back(n);
            sum += std::max<std::size_t>(n, 1);
        }
    };
    // Every length up to 130, and lengths around larger powers of two, in any order.
    std::vector<std::size_t> each(130);
    std::iota(each.begin(), each.end(), std::size_t{1});
    for (const std::size_t power : {256, 512, 1024}) {
        each.insert(each.end(), {power - 1, power, power + 1});
    }
    for (const std::size_t most : {4, 32, 130, 1025}) {
        std::vector<std::size_t> some;
        for (const std::size_t n : each) {
            if (n <= most) some.push_back(n);
        }
        std::size_t next = some.size();
        drawn("each up to some length", [&] {
            if (random() % 16 == 0) return std::size_t{0};
            if (next == some.size()) {
                std::shuffle(some.begin(), some.end(), random);
                next = 0;
            }
            return some[next++];
        });
        all.back().name += ", " + std::to_string(most);
    }
    drawn("of up to 3", [&] { return random() % 4; });
    drawn("of up to 70", [&] { return random() % 71; });
    drawn("of all magnitudes", [&] { return (random() % items) >> random() % 20; });
    drawn("zipf", [&] { return items / (1 + random() % items); });
    drawn("few among empty ones", [&] { return random() % 50 == 0 ? random() % 40 : 0; });
    // More empty segments in one place than a block has room for items.
    segment_lengths piled{"many empty ones in one place", {5, 40}};
    piled.lengths.insert(piled.lengths.end(), 100'000, 0);
    piled.lengths.insert(piled.lengths.end(), {33, 1, 300});
    all.push_back(piled);
    return all;
}

/// For each key of the sorted segments, its position in the input.
template <class Key>
std::vector<std::uint32_t> order_in_segments(const std::vector<Key>& keys,
                                             const std::vector<std::size_t>& lengths,
                                             const sort_by& by) {
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    auto begin = order.begin();
    for (const std::size_t n : lengths) {
        const auto end = begin + static_cast<std::ptrdiff_t>(n);
        std::stable_sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
            return sorts_before<Key>(by, keys[a], keys[b]);
        });
        begin = end;
    }
    return order;
}

}  // namespace lookback::test
