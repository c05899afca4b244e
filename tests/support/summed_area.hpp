// Summed-area tables in plain lines: in the order of detail/table_order.hpp, which has the bits of
// float sums, and by running sums for what is exact.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lookback/summed_area.hpp"

namespace lookback::test {

template <class A>
A sum_of(const A& a, const A& b) {
    return plus<A>{}(a, b);
}

/// Kogge-Stone over x[first], ..., x[first + items - 1].
template <class A>
void kogge_stone(std::vector<A>& x, std::size_t first, std::size_t items) {
    for (std::size_t s = 1; s < items; s *= 2) {
        const std::vector<A> old = x;
        for (std::size_t i = s; i < items; ++i) {
            x[first + i] = sum_of(old[first + i - s], old[first + i]);
        }
    }
}

/// Steps 1 and 2: the sums of one row of the image, from its left edge on.
template <class A>
std::vector<A> row_sums(const A* row, std::size_t width) {
    const std::size_t block = std::max<std::size_t>(1, 16 / sizeof(A)), tile = 32 * block;
    std::vector<A> sums(row, row + width);
    A left{};
    for (std::size_t first = 0; first < width; first += tile) {
        const std::size_t columns = std::min(tile, width - first);
        std::vector<A> x(row + first, row + first + columns), totals;
        for (std::size_t b = 0; b < columns; b += block) {
            kogge_stone(x, b, std::min(block, columns - b));
            totals.push_back(x[std::min(columns, b + block) - 1]);
        }
        kogge_stone(totals, 0, totals.size());
        for (std::size_t c = 0; c < columns; ++c) {
            const A r = c < block ? x[c] : sum_of(totals[c / block - 1], x[c]);
            sums[first + c] = first == 0 ? r : sum_of(left, r);
        }
        left = first == 0 ? totals.back() : sum_of(left, totals.back());
    }
    return sums;
}

/// The table of one image in tight rows; `above`, where there is one, is the table's row above it.
template <class A>
std::vector<A> table_by_order(const std::vector<A>& image, std::size_t height, std::size_t width,
                              const A* above = nullptr) {
    std::vector<A> table(height * width), down(width), groups(width);
    std::vector<A> over(width);  // the table's row above the tile
    bool has_over = above != nullptr;
    if (has_over) over.assign(above, above + width);
    for (std::size_t y = 0; y < height; ++y) {
        const std::vector<A> sums = row_sums(image.data() + y * width, width);
        const std::size_t r = y % 64;
        if (y > 0 && r == 0) {
            over.assign(table.end() - std::ptrdiff_t((height - y + 1) * width),
                        table.end() - std::ptrdiff_t((height - y) * width));
            has_over = true;
        }
        for (std::size_t x = 0; x < width; ++x) {
            if (r == 8) groups[x] = down[x];
            if (r > 8 && r % 8 == 0) groups[x] = sum_of(groups[x], down[x]);
            down[x] = r % 8 == 0 ? sums[x] : sum_of(down[x], sums[x]);
            const A inner = r < 8 ? down[x] : sum_of(groups[x], down[x]);
            table[y * width + x] = has_over ? sum_of(over[x], inner) : inner;
        }
    }
    return table;
}

/// The same by running sums: right for what is exact.
template <class A>
std::vector<A> table_by_running_sums(const std::vector<A>& image, std::size_t height,
                                     std::size_t width, const A* above = nullptr) {
    std::vector<A> table(height * width);
    for (std::size_t y = 0; y < height; ++y) {
        A row{};
        for (std::size_t x = 0; x < width; ++x) {
            row = sum_of(row, image[y * width + x]);
            const A over = y > 0 ? table[(y - 1) * width + x] : above ? above[x] : A{};
            table[y * width + x] = sum_of(over, row);
        }
    }
    return table;
}

/// With a row and a column of zeros before it.
template <class A>
std::vector<A> with_border(const std::vector<A>& table, std::size_t height, std::size_t width) {
    std::vector<A> bordered((height + 1) * (width + 1), A{});
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            bordered[(y + 1) * (width + 1) + x + 1] = table[y * width + x];
        }
    }
    return bordered;
}

}  // namespace lookback::test
