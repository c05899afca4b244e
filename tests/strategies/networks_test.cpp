// Scan networks: they are right for every number of inputs, and have the size and depth that the
// literature states.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <stdexcept>
#include <string>

#include "strategies/networks/constructions.hpp"
#include "strategies/networks/svg.hpp"

namespace lookback::strategies {
namespace {

// The items [first, last). Only neighbouring ranges can be joined.
struct range {
    std::uint32_t first, last;
    friend bool operator==(const range&, const range&) = default;
};
struct join {
    range operator()(const range& a, const range& b) const {
        if (a.last != b.first) {
            throw std::logic_error("items up to " + std::to_string(a.last) +
                                   " are combined with those from " + std::to_string(b.first));
        }
        return {a.first, b.last};
    }
};

const construction& named(std::string_view name) {
    for (const named_construction& c : named_constructions()) {
        if (c.name == name) return c.build;
    }
    throw std::logic_error("no such network");
}

std::uint32_t log2(std::uint32_t n) { return static_cast<std::uint32_t>(std::bit_width(n)) - 1; }

// The values on the lines after each step, with a line for each item. The first are the items.
std::vector<std::vector<int>> steps_of(const network& net, const std::vector<int>& items) {
    const std::vector<int> values = net.run(items, std::plus<>{});
    std::vector<std::vector<int>> states = {items};
    for (std::uint32_t i = 0; i < net.size(); ++i) {
        const network::node& op = net.operators()[i];
        while (states.size() <= op.step) states.push_back(states.back());
        states[op.step][op.column] = values[net.inputs() + i];
    }
    return states;
}

}  // namespace

TEST(Networks, ScanAnyNumberOfItemsInOrder) {
    for (const named_construction& c : named_constructions()) {
        for (std::uint32_t n = 0; n < 300; ++n) {
            SCOPED_TRACE(std::string(c.name) + ", n " + std::to_string(n));
            const network net = build(c.build, n);
            std::vector<range> items;
            for (std::uint32_t i = 0; i < n; ++i) items.push_back({i, i + 1});
            const std::vector<range> values = net.run(items, join{});
            ASSERT_EQ(net.outputs().size(), n);
            for (std::uint32_t i = 0; i < n; ++i) {
                ASSERT_EQ(values[net.outputs()[i]], (range{0, i + 1}));
            }
        }
    }
}

// A step reads all of its values before it writes any, so its values come from earlier steps. No
// column has two operators in one step.
TEST(Networks, StepsTakeValuesOfEarlierSteps) {
    for (const named_construction& c : named_constructions()) {
        for (const std::uint32_t n : {1U, 2U, 7U, 16U, 33U, 128U}) {
            const network net = build(c.build, n);
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> taken;
            for (const network::node& op : net.operators()) {
                ASSERT_LT(net.step(op.left), op.step) << c.name << ", n " << n;
                ASSERT_LT(net.step(op.right), op.step) << c.name << ", n " << n;
                ASSERT_LT(net.column(op.left), op.column) << c.name << ", n " << n;
                ASSERT_EQ(++taken[std::pair(op.step, op.column)], 1) << c.name << ", n " << n;
            }
        }
    }
}

TEST(Networks, SizesAndDepthsAreThoseOfTheFormulas) {
    for (std::uint32_t n = 2; n <= 4096; n *= 2) {
        SCOPED_TRACE(n);
        const std::uint32_t levels = log2(n);
        const network chain = build(serial, n);
        EXPECT_EQ(chain.size(), n - 1);
        EXPECT_EQ(chain.depth(), n - 1);
        const network doubling = build(kogge_stone, n);
        EXPECT_EQ(doubling.size(), n * levels - (n - 1));
        EXPECT_EQ(doubling.depth(), levels);
        EXPECT_EQ(doubling.fan_out(), levels);  // the first item is read in each step
        const network halves = build(sklansky, n);
        EXPECT_EQ(halves.size(), n / 2 * levels);
        EXPECT_EQ(halves.depth(), levels);
        EXPECT_EQ(halves.fan_out(), n / 2);
        const network tree = build(brent_kung, n);
        EXPECT_EQ(tree.size(), 2 * n - 2 - levels);
        EXPECT_EQ(tree.depth(), n == 2 ? 1 : 2 * levels - 2);
        const network twice = build(recursive_reduce_then_scan, n);
        EXPECT_EQ(twice.size(), 3 * (n - 1) - 2 * levels);
        EXPECT_LE(twice.depth(), 3 * levels);
    }
}

// The figures that Merrill & Garland 2016, section 3.1, states for figure 2.
TEST(Networks, TheHybridsOfFigure2) {
    const network propagate = build(named("radix-4-brent-kung"), 16);
    EXPECT_EQ(propagate.depth(), 5U);
    EXPECT_EQ(propagate.size(), 37U);
    const network raking = build(named("radix-4-raking"), 16);
    EXPECT_EQ(raking.depth(), 9U);
    EXPECT_EQ(raking.size(), 29U);
    const network fans = build(named("radix-4-sklansky"), 16);
    EXPECT_EQ(fans.depth(), 4U);
    EXPECT_EQ(fans.size(), 36U);
}

// No network has depth + size < 2n - 2, and the serial one reaches it (Snir 1986).
TEST(Networks, SnirsBound) {
    for (const named_construction& c : named_constructions()) {
        for (std::uint32_t n = 1; n < 300; ++n) {
            const network net = build(c.build, n);
            ASSERT_GE(net.depth() + net.size(), 2 * n - 2) << c.name << ", n " << n;
        }
    }
    const network chain = build(serial, 100);
    EXPECT_EQ(chain.depth() + chain.size(), 198U);
}

// The exercises of Kirk & Hwu, Programming Massively Parallel Processors, chapter 9.
TEST(Networks, Exercise2TheWorkEfficientScanOf2048) {
    const network net = build(brent_kung, 2048);
    EXPECT_EQ(net.size(), 2 * 2048 - 2 - 11);
    EXPECT_LE(net.size(), 2 * 2048 - 3);  // section 9.4 rounds it up to this
    std::size_t up = 0;
    for (const network::node& op : net.operators()) up += op.step <= 11;
    EXPECT_EQ(up, 2047U);
}

TEST(Networks, Exercise3TheWorkInefficientScanOf2048) {
    EXPECT_EQ(build(kogge_stone, 2048).size(), 2048 * 11 - 2047);
}

TEST(Networks, Exercise6TheHierarchicalScanIsWorkEfficient) {
    for (const std::uint32_t section : {2U, 8U, 64U, 1024U}) {
        const construction hierarchical = scan_then_propagate(section, brent_kung, brent_kung);
        for (std::uint32_t n = 2; n <= 4096; n *= 2) {
            EXPECT_LE(build(hierarchical, n).size(), 4 * n - 3) << n << " in parts of " << section;
        }
    }
}

TEST(Networks, Exercise7TheStatesOfTheWorkInefficientScan) {
    const std::vector<int> items = {4, 6, 7, 1, 2, 8, 5, 2};
    const std::vector<std::vector<int>> want = {items,
                                                {4, 10, 13, 8, 3, 10, 13, 7},
                                                {4, 10, 17, 18, 16, 18, 16, 17},
                                                {4, 10, 17, 18, 20, 28, 33, 35}};
    EXPECT_EQ(steps_of(build(kogge_stone, 8), items), want);
}

TEST(Networks, Exercise8TheStatesOfTheWorkEfficientScan) {
    const std::vector<int> items = {4, 6, 7, 1, 2, 8, 5, 2};
    const std::vector<std::vector<int>> want = {
        items,
        {4, 10, 7, 8, 2, 10, 5, 7},
        {4, 10, 7, 18, 2, 10, 5, 17},
        {4, 10, 7, 18, 2, 10, 5, 35},
        {4, 10, 7, 18, 2, 28, 5, 35},
        {4, 10, 17, 18, 20, 28, 33, 35},
    };
    EXPECT_EQ(steps_of(build(brent_kung, 8), items), want);
}

TEST(Networks, DrawingsHaveEveryOperator) {
    for (const named_construction& c : named_constructions()) {
        for (const std::uint32_t n : {1U, 16U, 40U}) {
            const network net = build(c.build, n);
            const std::string svg = draw_svg(net, "a title");
            const auto count = [&](std::string_view what) {
                std::size_t found = 0;
                for (std::size_t at = 0; (at = svg.find(what, at)) != svg.npos; ++at) ++found;
                return found;
            };
            EXPECT_TRUE(svg.starts_with("<svg ")) << c.name;
            EXPECT_TRUE(svg.ends_with("</svg>\n")) << c.name;
            EXPECT_EQ(count("<circle "), net.size()) << c.name << ", n " << n;
            EXPECT_EQ(count("<text "), n <= 32 ? 2 * n : 0) << c.name << ", n " << n;
        }
    }
}

}  // namespace lookback::strategies
