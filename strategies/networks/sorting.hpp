/// \file
/// Sorting networks: comparators, wired before there are any data, for any number of inputs. As
/// with scan networks, the cost can be read off: their size is the work, and their depth is the
/// time with as many processors as a step has comparators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lookback::strategies {

/// A list of comparators, in which each comes after those that it takes items from.
class sorting_network {
 public:
    /// Leaves the lesser of two items on line `low`, the other one on line `high`.
    struct node {
        std::uint32_t low;
        std::uint32_t high;
        /// From 1 on: when it is done; all comparators of a step are done at once.
        std::uint32_t step;
    };

    explicit sorting_network(std::uint32_t inputs) : inputs_(inputs) {}

    void compare(std::uint32_t low, std::uint32_t high, std::uint32_t step) {
        comparators_.push_back({low, high, step});
    }

    std::uint32_t inputs() const { return inputs_; }
    const std::vector<node>& comparators() const { return comparators_; }

    /// How many comparators there are.
    std::size_t size() const { return comparators_.size(); }

    /// How many comparators the longest path from an input passes through.
    std::uint32_t depth() const {
        std::vector<std::uint32_t> depths(inputs_);
        for (const node& c : comparators_) {
            depths[c.low] = depths[c.high] = 1 + std::max(depths[c.low], depths[c.high]);
        }
        return depths.empty() ? 0 : *std::ranges::max_element(depths);
    }

    /// What leaves the lines, from the first to the last.
    template <class T>
    std::vector<T> run(std::vector<T> items) const {
        for (const node& c : comparators_) {
            if (items[c.high] < items[c.low]) std::swap(items[c.low], items[c.high]);
        }
        return items;
    }

 private:
    std::uint32_t inputs_;
    std::vector<node> comparators_;
};

/// n/4 log2 n (log2 n + 1) comparators, depth log2 n (log2 n + 1) / 2.
sorting_network bitonic_sort(std::uint32_t inputs);

/// (p^2 - p + 4) 2^(p-2) - 1 comparators for n = 2^p, and the same depth as bitonic_sort.
sorting_network odd_even_merge_sort(std::uint32_t inputs);

struct named_sorting_network {
    std::string_view name;
    std::string_view source;
    sorting_network (*build)(std::uint32_t inputs);
};

std::span<const named_sorting_network> named_sorting_networks();

}  // namespace lookback::strategies
