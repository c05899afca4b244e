#include "constructions.hpp"

#include <array>
#include <numeric>

namespace lookback::strategies {
namespace {

// The parts of some lines; the last one may be short.
std::vector<std::span<value>> parts_of(std::span<value> lines, std::size_t part) {
    std::vector<std::span<value>> parts;
    for (std::size_t i = 0; i < lines.size(); i += part) {
        parts.push_back(lines.subspan(i, std::min(part, lines.size() - i)));
    }
    return parts;
}

// Each line of `to` takes `from` as its left operand, all in one step. `from` is passed by value,
// because it may be on a line that changes.
std::uint32_t fan(network& net, value from, std::span<value> to, std::uint32_t step) {
    for (value& v : to) v = net.combine(from, v, step);
    return step + 1;
}

}  // namespace

std::uint32_t serial(network& net, std::span<value> lines, std::uint32_t step) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
        lines[i] = net.combine(lines[i - 1], lines[i], step++);
    }
    return step;
}

std::uint32_t kogge_stone(network& net, std::span<value> lines, std::uint32_t step) {
    for (std::size_t distance = 1; distance < lines.size(); distance *= 2, ++step) {
        for (std::size_t i = lines.size() - 1; i >= distance; --i) {
            lines[i] = net.combine(lines[i - distance], lines[i], step);
        }
    }
    return step;
}

std::uint32_t sklansky(network& net, std::span<value> lines, std::uint32_t step) {
    for (std::size_t half = 1; half < lines.size(); half *= 2, ++step) {
        for (std::size_t i = half; i < lines.size(); i += 2 * half) {
            fan(net, lines[i - 1], lines.subspan(i, std::min(half, lines.size() - i)), step);
        }
    }
    return step;
}

std::uint32_t brent_kung(network& net, std::span<value> lines, std::uint32_t step) {
    std::size_t distance = 1;
    for (; distance < lines.size(); distance *= 2, ++step) {  // up: the folds of 2, 4, ... lines
        for (std::size_t i = 2 * distance - 1; i < lines.size(); i += 2 * distance) {
            lines[i] = net.combine(lines[i - distance], lines[i], step);
        }
    }
    // Down: complete folds go to the lines between.
    for (distance /= 2; distance > 0; distance /= 2) {
        bool is_empty = true;
        for (std::size_t i = 3 * distance - 1; i < lines.size(); i += 2 * distance) {
            lines[i] = net.combine(lines[i - distance], lines[i], step);
            is_empty = false;
        }
        if (!is_empty) ++step;
    }
    return step;
}

construction scan_then_propagate(std::size_t part, const construction& inner,
                                 const construction& root) {
    return [=](network& net, std::span<value> lines, std::uint32_t step) {
        const auto parts = parts_of(lines, part);
        std::vector<value> totals;
        std::uint32_t scanned = step;
        for (const std::span<value> p : parts) {
            scanned = std::max(scanned, inner(net, p, step));
            totals.push_back(p.back());
        }
        if (parts.size() < 2) return scanned;
        const std::uint32_t rooted = root(net, totals, scanned);
        for (std::size_t k = 1; k < parts.size(); ++k) fan(net, totals[k - 1], parts[k], rooted);
        return rooted + 1;
    };
}

construction reduce_then_scan(std::size_t part, const construction& root) {
    return [=](network& net, std::span<value> lines, std::uint32_t step) {
        const auto parts = parts_of(lines, part);
        std::vector<value> totals;
        std::uint32_t folded = step;
        for (const std::span<value> p : parts) {
            std::vector<value> folds(p.begin(), p.end());
            folded = std::max(folded, serial(net, folds, step));
            totals.push_back(folds.back());
            if (totals.size() == 1) std::ranges::copy(folds, p.begin());
        }
        if (parts.size() < 2) return folded;
        const std::uint32_t rooted = root(net, totals, folded);
        std::uint32_t end = rooted;
        for (std::size_t k = 1; k < parts.size(); ++k) {
            value prefix = totals[k - 1];
            std::uint32_t at = rooted;
            for (value& v : parts[k]) v = prefix = net.combine(prefix, v, at++);
            end = std::max(end, at);
        }
        return end;
    };
}

std::uint32_t recursive_reduce_then_scan(network& net, std::span<value> lines, std::uint32_t step) {
    if (lines.size() < 2) return step;
    return reduce_then_scan(2, recursive_reduce_then_scan)(net, lines, step);
}

construction radix_sklansky(std::size_t part, const construction& inner) {
    return [=](network& net, std::span<value> lines, std::uint32_t step) {
        std::uint32_t scanned = step;
        for (const std::span<value> p : parts_of(lines, part)) {
            scanned = std::max(scanned, inner(net, p, step));
        }
        for (std::size_t half = part; half < lines.size(); half *= 2, ++scanned) {
            for (std::size_t i = half; i < lines.size(); i += 2 * half) {
                fan(net, lines[i - 1], lines.subspan(i, std::min(half, lines.size() - i)), scanned);
            }
        }
        return scanned;
    };
}

std::span<const named_construction> named_constructions() {
    constexpr std::size_t warp = 4;  // lanes, in the paper's figure 2
    // One thread of a warp for each part, however many items the part has.
    static const construction raking = [](network& net, std::span<value> lines,
                                          std::uint32_t step) {
        return reduce_then_scan((lines.size() + warp - 1) / warp, kogge_stone)(net, lines, step);
    };
    static const std::array<named_construction, 9> all{{
        {"serial", "Merrill & Garland 2016, fig. 1a", serial},
        {"kogge-stone", "Kogge & Stone 1973; Merrill & Garland 2016, fig. 1b", kogge_stone},
        {"sklansky", "Sklansky 1960; Merrill & Garland 2016, fig. 1c", sklansky},
        {"brent-kung", "Brent & Kung 1982; Merrill & Garland 2016, fig. 1d", brent_kung},
        {"reduce-then-scan", "Merrill & Garland 2016, fig. 1e", recursive_reduce_then_scan},
        {"radix-4-brent-kung", "Merrill & Garland 2016, fig. 2a",
         scan_then_propagate(warp, kogge_stone, kogge_stone)},
        {"radix-4-raking", "Merrill & Garland 2016, fig. 2b", raking},
        {"radix-4-sklansky", "Merrill & Garland 2016, fig. 2c", radix_sklansky(warp, kogge_stone)},
        {"hierarchical", "Kirk & Hwu, Programming Massively Parallel Processors, section 9.5",
         scan_then_propagate(8, brent_kung, brent_kung)},
    }};
    return all;
}

network build(const construction& how, std::uint32_t inputs) {
    network net(inputs);
    std::vector<value> lines(inputs);
    std::iota(lines.begin(), lines.end(), value{0});
    how(net, lines, 1);
    net.set_outputs(std::move(lines));
    return net;
}

}  // namespace lookback::strategies
