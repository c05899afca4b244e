// Summed-area tables by plain loops: in the order of detail/table_order.hpp, which gives the bits
// of float sums, and by running sums, for exact sums.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lookback/operators.hpp"

namespace lookback::test {

template <class A>
A sum_of(const A& a, const A& b) {
    return plus<A>{}(a, b);
}

/// Kogge-Stone over x[first], ..., x[first + items - 1].
template <class A>
void kogge_stone(std::vector<A>& x, std::size_t first, std::size_t items) {
    for (std::size_t s = 1; s < items; s *= 2) {
        const auto begin = x.begin() + std::ptrdiff_t(first);
        const std::vector<A> old(begin, begin + std::ptrdiff_t(items));
        for (std::size_t i = s; i < items; ++i) {
            x[first + i] = sum_of(old[i - s], old[i]);
        }
    }
}

/// Step 1: a row of a tile, in blocks of `block` items.
template <class A>
struct row_of_tile {
    std::vector<A> sums;
    A total;

    row_of_tile(const A* row, std::size_t columns, std::size_t block) : sums(row, row + columns) {
        std::vector<A> totals;
        for (std::size_t b = 0; b < columns; b += block) {
            kogge_stone(sums, b, std::min(block, columns - b));
            totals.push_back(sums[std::min(columns, b + block) - 1]);
        }
        kogge_stone(totals, 0, totals.size());
        for (std::size_t c = block; c < columns; ++c) {
            sums[c] = sum_of(totals[c / block - 1], sums[c]);
        }
        total = totals.back();
    }
};

/// Steps 1 and 2: the sums of one row of the image, from its left edge on.
template <class A>
std::vector<A> row_sums(const A* row, std::size_t width) {
    const std::size_t block = std::max<std::size_t>(1, 16 / sizeof(A)), tile = 32 * block;
    std::vector<A> sums;
    A left{};
    for (std::size_t first = 0; first < width; first += tile) {
        const row_of_tile<A> here(row + first, std::min(tile, width - first), block);
        for (const A& r : here.sums) sums.push_back(first == 0 ? r : sum_of(left, r));
        left = first == 0 ? here.total : sum_of(left, here.total);
    }
    return sums;
}

/// The table of one image, in rows without gaps. `above`, if not null, is the table's row above it.
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

/// The same in the order of a GPU (detail/device/table_order.hpp). `entry_bytes` are the bytes that
/// are summed together: one entry, or two if tables of sums and squares are made in one pass.
template <class A>
std::vector<A> table_by_tiles(const std::vector<A>& image, std::size_t height, std::size_t width,
                              std::size_t entry_bytes) {
    const std::size_t block = std::clamp<std::size_t>(16 / entry_bytes, 1, 4);
    const std::size_t tile = entry_bytes > 16 ? 16 : 32 * block;
    std::vector<A> table(height * width), tops(width), folds(width);  // above: batches, tiles
    for (std::size_t top = 0; top < height; top += 64) {
        const std::size_t rows = std::min<std::size_t>(64, height - top);
        std::vector<A> stretches(rows), batches(rows), tiles(rows);  // sums to the left
        for (std::size_t left = 0; left < width; left += tile) {
            const std::size_t columns = std::min(tile, width - left), number = left / tile;
            // Steps 1 to 3: the tile's own table.
            std::vector<A> own, groups(columns), down(columns), totals;
            for (std::size_t r = 0; r < rows; ++r) {
                const A* const row = image.data() + (top + r) * width + left;
                const row_of_tile<A> scanned(row, columns, block);
                const std::vector<A>& sums = scanned.sums;
                totals.push_back(scanned.total);
                for (std::size_t x = 0; x < columns; ++x) {
                    if (r == 8) groups[x] = down[x];
                    if (r > 8 && r % 8 == 0) groups[x] = sum_of(groups[x], down[x]);
                    down[x] = r % 8 == 0 ? sums[x] : sum_of(down[x], sums[x]);
                    own.push_back(r < 8 ? down[x] : sum_of(groups[x], down[x]));
                }
            }
            // Step 4: the sums to the left of each row, and of the rows above it in the tile.
            std::vector<A> before(rows);
            for (std::size_t r = 0; r < rows; ++r) {
                bool some = number >= 64;
                if (some) before[r] = stretches[r];
                if (number % 64 >= 8) {
                    before[r] = some ? sum_of(before[r], batches[r]) : batches[r];
                    some = true;
                }
                if (number % 8 != 0) before[r] = some ? sum_of(before[r], tiles[r]) : tiles[r];
                tiles[r] = number % 8 == 0 ? totals[r] : sum_of(tiles[r], totals[r]);
                if (number % 8 == 7) {
                    batches[r] = number % 64 == 7 ? tiles[r] : sum_of(batches[r], tiles[r]);
                }
                if (number % 64 == 63) {
                    stretches[r] = number == 63 ? batches[r] : sum_of(stretches[r], batches[r]);
                }
            }
            kogge_stone(before, 0, std::min<std::size_t>(32, rows));
            const A upper = before[std::min<std::size_t>(31, rows - 1)];
            if (rows > 32) kogge_stone(before, 32, rows - 32);
            const A sum = sum_of(upper, before[rows - 1]);
            // Steps 5 and 6.
            const std::size_t batch = top / 512, in_batch = top / 64 % 8;
            for (std::size_t r = 0; r < rows; ++r) {
                for (std::size_t x = 0; x < columns; ++x) {
                    A entry = own[r * columns + x];
                    if (number > 0) {
                        entry = sum_of(entry, r < 32 ? before[r] : sum_of(upper, before[r]));
                    }
                    if (in_batch > 0) entry = sum_of(folds[left + x], entry);
                    if (batch > 0) entry = sum_of(tops[left + x], entry);
                    table[(top + r) * width + left + x] = entry;
                }
            }
            if (rows < 64) continue;
            for (std::size_t x = 0; x < columns; ++x) {
                const A of_tile = own[63 * columns + x];
                const A more = number > 0 ? sum_of(of_tile, sum) : of_tile;
                A& fold = folds[left + x];
                fold = in_batch == 0 ? more : sum_of(fold, more);
                if (in_batch == 7) {
                    tops[left + x] = batch == 0 ? fold : sum_of(tops[left + x], fold);
                }
            }
        }
    }
    return table;
}

/// The same by running sums, for exact sums.
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

}  // namespace lookback::test
