// Sorting networks: they are right for every number of inputs, and have the size and depth that the
// literature states.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "strategies/networks/sorting.hpp"
#include "strategies/networks/svg.hpp"

namespace lookback::strategies {
namespace {

// The word of a line for the 64 numbers from `first` on: bit k is the line's bit of first + k.
// Lines from number 6 on have the same bit for all 64.
std::uint64_t bits_of_numbers(std::uint32_t line, std::uint64_t first) {
    std::uint64_t word = 0;
    for (std::uint64_t k = 0; k < 64; ++k) word |= ((first + k) >> line & 1) << k;
    return word;
}

// A network that sorts every array of zeros and ones sorts every array (Knuth, vol. 3, section
// 5.3.4, theorem Z). This sorts 64 such arrays at a time; the lesser of two bits is their `and`.
void expect_sorts_zeros_and_ones(const sorting_network& net) {
    for (std::uint64_t first = 0; first < std::uint64_t{1} << net.inputs(); first += 64) {
        std::vector<std::uint64_t> lines(net.inputs());
        for (std::uint32_t i = 0; i < net.inputs(); ++i) lines[i] = bits_of_numbers(i, first);
        for (const sorting_network::node& c : net.comparators()) {
            const std::uint64_t low = lines[c.low], high = lines[c.high];
            lines[c.low] = low & high;
            lines[c.high] = low | high;
        }
        for (std::uint32_t i = 1; i < net.inputs(); ++i) {
            ASSERT_EQ(lines[i - 1] & ~lines[i], 0U) << "lines " << i - 1 << " and " << i;
        }
    }
}

}  // namespace

TEST(SortingNetworks, SortZerosAndOnes) {
    for (const named_sorting_network& s : named_sorting_networks()) {
        for (std::uint32_t n = 0; n <= 17; ++n) {
            SCOPED_TRACE(std::string(s.name) + ", n " + std::to_string(n));
            ASSERT_NO_FATAL_FAILURE(expect_sorts_zeros_and_ones(s.build(n)));
        }
    }
}

TEST(SortingNetworks, OneComparatorLessDoesNotSort) {
    const sorting_network whole = odd_even_merge_sort(8);
    for (std::size_t left_out = 0; left_out < whole.size(); ++left_out) {
        sorting_network net(8);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const auto& [low, high, step] = whole.comparators()[i];
            if (i != left_out) net.compare(low, high, step);
        }
        bool sorts = true;
        for (int number = 0; number < 256; ++number) {
            std::vector<int> bits;
            for (int i = 0; i < 8; ++i) bits.push_back(number >> i & 1);
            sorts = sorts && std::ranges::is_sorted(net.run(bits));
        }
        EXPECT_FALSE(sorts) << left_out;
    }
}

TEST(SortingNetworks, SortAnyNumberOfItems) {
    std::mt19937 random(3);
    for (const named_sorting_network& s : named_sorting_networks()) {
        for (std::uint32_t n = 0; n < 300; ++n) {
            const sorting_network net = s.build(n);
            for (const std::uint32_t distinct : {3U, ~0U}) {
                std::vector<std::uint32_t> items(n);
                for (auto& item : items) item = static_cast<std::uint32_t>(random()) % distinct;
                std::vector<std::uint32_t> want = items;
                std::ranges::sort(want);
                ASSERT_EQ(net.run(items), want) << s.name << ", n " << n;
                std::ranges::reverse(items = want);
                ASSERT_EQ(net.run(items), want) << s.name << ", reversed, n " << n;
            }
        }
    }
}

// All comparators of a step can work at once.
TEST(SortingNetworks, StepsJoinEachLineOnce) {
    for (const named_sorting_network& s : named_sorting_networks()) {
        for (const std::uint32_t n : {1U, 2U, 7U, 16U, 33U, 128U}) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> taken;
            std::uint32_t last = 0;
            const sorting_network net = s.build(n);
            for (const sorting_network::node& c : net.comparators()) {
                ASSERT_LT(c.low, c.high) << s.name << ", n " << n;
                ASSERT_LT(c.high, n) << s.name;
                ASSERT_GE(c.step, last) << s.name << ", n " << n;
                last = c.step;
                for (const std::uint32_t line : {c.low, c.high}) {
                    ASSERT_EQ(++taken[std::pair(c.step, line)], 1) << s.name << ", n " << n;
                }
            }
        }
    }
}

TEST(SortingNetworks, SizesAndDepthsAreThoseOfTheFormulas) {
    for (std::uint32_t n = 2; n <= 4096; n *= 2) {
        SCOPED_TRACE(n);
        const auto log = static_cast<std::uint32_t>(std::bit_width(n)) - 1;
        const sorting_network bitonic = bitonic_sort(n);
        EXPECT_EQ(bitonic.size(), n * log * (log + 1) / 4);
        EXPECT_EQ(bitonic.depth(), log * (log + 1) / 2);
        const sorting_network merges = odd_even_merge_sort(n);
        EXPECT_EQ(merges.size(), (log * log - log + 4) * n / 4 - 1);
        EXPECT_EQ(merges.depth(), log * (log + 1) / 2);
    }
}

TEST(SortingNetworks, DrawingsHaveEveryComparator) {
    for (const named_sorting_network& s : named_sorting_networks()) {
        for (const std::uint32_t n : {1U, 16U, 40U}) {
            SCOPED_TRACE(std::string(s.name) + ", n " + std::to_string(n));
            const sorting_network net = s.build(n);
            const std::string svg = draw_svg(net, "a title");
            EXPECT_TRUE(svg.starts_with("<svg "));
            EXPECT_TRUE(svg.ends_with("</svg>\n"));
            std::size_t dots = 0, labels = 0, lines = 0;
            std::map<unsigned, unsigned> ends;  // lines at the same height must not overlap
            for (std::size_t at = 0; (at = svg.find('<', at)) != svg.npos; ++at) {
                dots += svg.compare(at, 8, "<circle ") == 0;
                labels += svg.compare(at, 6, "<text ") == 0;
                unsigned left, top, right;
                if (std::sscanf(svg.c_str() + at, "<path d=\"M%u %uH%u\"", &left, &top, &right) ==
                    3) {
                    ++lines;
                    EXPECT_LT(ends[top], left);
                    ends[top] = right;
                }
            }
            EXPECT_EQ(lines, net.size());
            EXPECT_EQ(dots, 2 * net.size());
            EXPECT_EQ(labels, n <= 32 ? 2 * n : 0);
        }
    }
}

}  // namespace lookback::strategies
