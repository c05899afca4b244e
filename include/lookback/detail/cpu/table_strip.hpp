/// \file
/// A strip of a summed-area table: some rows of some columns, added in the order of
/// detail/table_order.hpp, for any type that has +.
///
/// A strip is given the sums to its left, one for each row, and the table's row above it. It
/// replaces them by those for the strips to its right and below. Each item is read once, each entry
/// is written once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/table_order.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

/// Where a strip lies. The rows of its items begin at `in`, and follow one another at `in_pitch`
/// items; the rows of its entries begin at `out`, and follow at `out_pitch`. A strip begins at the
/// first column of a tile, and ends at the last column of a tile or of the image. Its rows are
/// those of a row of tiles.
struct strip_place {
    std::size_t in;
    std::size_t out;
    std::size_t in_pitch;
    std::size_t out_pitch;
    std::size_t rows;
    std::size_t columns;
    bool leftmost;  ///< nothing lies to its left
    bool top;       ///< nothing lies above
};

/// The number of totals that a strip of `columns` columns has for each row: one for each tile, or a
/// single one if sums are exact.
template <class A>
std::size_t totals_of(std::size_t columns) {
    return adds_exactly<A> ? 1 : (columns + table_tile_columns<A> - 1) / table_tile_columns<A>;
}

template <class A>
A add(const A& a, const A& b) {
    return plus<A>{}(a, b);
}

/// One row of a tile: steps 1 and 2, without the sum to the left.
template <class A>
class tile_row {
 public:
    static constexpr std::size_t block = table_block_items<A>;

    template <class Load>
    void load(std::size_t columns, const Load& load) {
        columns_ = columns;
        for (std::size_t c = 0; c < columns; ++c) at_[c] = load(c);
        for (std::size_t first = 0; first < columns; first += block) {
            kogge_stone(at_.data() + first, std::min(block, columns - first));
        }
        blocks_ = (columns + block - 1) / block;
        for (std::size_t b = 0; b < blocks_; ++b) {
            totals_[b] = at_[std::min(columns, (b + 1) * block) - 1];
        }
        kogge_stone(totals_.data(), blocks_);
    }
    /// The row's total, which is added to the sum to its left for the tiles to its right.
    const A& total() const { return totals_[blocks_ - 1]; }
    /// r, the sum of the row's items up to column c.
    A sum(std::size_t c) const {
        const std::size_t b = c / block;
        return b == 0 ? at_[c] : detail::add(totals_[b - 1], at_[c]);
    }
    std::size_t columns() const { return columns_; }

 private:
    static void kogge_stone(A* x, std::size_t items) {
        for (std::size_t s = 1; s < items; s *= 2) {
            for (std::size_t i = items; i-- > s;) x[i] = detail::add(x[i - s], x[i]);
        }
    }

    std::array<A, table_tile_columns<A>> at_;
    std::array<A, table_row_blocks> totals_;
    std::size_t columns_ = 0;
    std::size_t blocks_ = 0;
};

/// A tile: steps 2 to 5. `left` holds the sum to the left of each row, `above` the table's row
/// above; both are updated for the next strips. `load(r, c)` returns an item, `put_row(r, entries)`
/// writes a row.
template <class A, class Load, class PutRow>
void sum_tile(std::size_t rows, std::size_t columns, bool leftmost, bool top, A* left, A* above,
              const Load& load, const PutRow& put_row) {
    tile_row<A> row;
    std::array<A, table_tile_columns<A>> down, groups, entry;
    for (std::size_t r = 0; r < rows; ++r) {
        row.load(columns, [&](std::size_t c) { return load(r, c); });
        const std::size_t group = r / table_group_rows;
        const bool begins = r % table_group_rows == 0;
        if (begins && group == 1) groups = down;
        for (std::size_t c = 0; c < columns; ++c) {
            if (begins && group > 1) groups[c] = detail::add(groups[c], down[c]);
            const A sum = leftmost ? row.sum(c) : detail::add(left[r], row.sum(c));
            down[c] = begins ? sum : detail::add(down[c], sum);
            entry[c] = group == 0 ? down[c] : detail::add(groups[c], down[c]);
            if (!top) entry[c] = detail::add(above[c], entry[c]);
        }
        left[r] = leftmost ? row.total() : detail::add(left[r], row.total());
        put_row(r, entry.data());
    }
    std::copy_n(entry.begin(), columns, above);
}

/// Any strip. For exact sums: a running sum of each row, added to the entries above.
template <class A, class Load, class PutRow>
void sum_strip(const strip_place& at, A* left, A* above, const Load& load, const PutRow& put_row) {
    if constexpr (adds_exactly<A>) {
        if (at.top) std::fill_n(above, at.columns, A{});
        for (std::size_t r = 0; r < at.rows; ++r) {
            A sum = at.leftmost ? A{} : left[r];
            for (std::size_t c = 0; c < at.columns; ++c) {
                sum = detail::add(sum, load(r, c));
                above[c] = detail::add(above[c], sum);
            }
            left[r] = sum;
            put_row(r, 0, at.columns, above);
        }
    } else {
        constexpr std::size_t width = table_tile_columns<A>;
        for (std::size_t first = 0; first < at.columns; first += width) {
            const std::size_t columns = std::min(width, at.columns - first);
            detail::sum_tile(
                at.rows, columns, at.leftmost && first == 0, at.top, left, above + first,
                [&](std::size_t r, std::size_t c) { return load(r, first + c); },
                [&](std::size_t r, const A* entry) { put_row(r, first, columns, entry); });
        }
    }
}

/// The totals of a strip's rows for each of its totals_of(columns) tiles: entry t * rows + r.
template <class A, class Load>
void total_strip(const strip_place& at, A* totals, const Load& load) {
    if constexpr (adds_exactly<A>) {
        for (std::size_t r = 0; r < at.rows; ++r) {
            A sum = load(r, 0);
            for (std::size_t c = 1; c < at.columns; ++c) sum = detail::add(sum, load(r, c));
            totals[r] = sum;
        }
    } else {
        tile_row<A> row;
        constexpr std::size_t width = table_tile_columns<A>;
        for (std::size_t first = 0; first < at.columns; first += width) {
            for (std::size_t r = 0; r < at.rows; ++r) {
                row.load(std::min(width, at.columns - first),
                         [&](std::size_t c) { return load(r, first + c); });
                *totals++ = row.total();
            }
        }
    }
}

/// Whether it pays to write so many entries by non-temporal stores, which the cache lines at both
/// ends do not use.
template <class A>
constexpr bool worth_streaming(std::size_t entries) {
    return entries * sizeof(A) >= 1024;
}

/// Writes entries, by non-temporal stores if `stream` is true.
template <class A, class Out>
struct entry_writer {
    Out out;
    bool stream;

    void put(std::size_t first, std::size_t entries, const A* from) const {
        if constexpr (contiguous_items_of<Out, A> && std::is_trivially_copyable_v<A>) {
            A* const to = std::to_address(out) + first;
            if (stream && worth_streaming<A>(entries)) {
                simd_compaction_kernels().stream(from, to, entries * sizeof(A));
            } else {
                std::copy_n(from, entries, to);
            }
        } else {
            for (std::size_t i = 0; i < entries; ++i) detail::put(out, first + i, from[i]);
        }
    }
    /// To be called before other threads are told that the entries are written.
    void finish() const {
        if (stream) simd_compaction_kernels().flush();
    }
};

/// The strips of a table of `in`, or of its squares, at `out`, as the drivers use them.
template <class A, bool squared, class In, class Out>
struct plain_strips {
    using value_type = A;
    In in;
    entry_writer<A, Out> out;

    /// Writes a strip's entries.
    void sum(const strip_place& at, A* left, A* above) const {
        detail::sum_strip(
            at, left, above, loader(at),
            [&](std::size_t r, std::size_t first, std::size_t columns, const A* entries) {
                out.put(at.out + r * at.out_pitch + first, columns, entries);
            });
        out.finish();
    }
    /// The totals that strips to the right need.
    void total(const strip_place& at, A* totals) const {
        detail::total_strip(at, totals, loader(at));
    }
    /// The last row of a strip of the image's whole width, as if nothing were above it.
    void bottom(strip_place at, A* row) const {
        std::array<A, table_tile_rows> left;
        at.top = true;
        detail::sum_strip(at, left.data(), row, loader(at),
                          [](std::size_t, std::size_t, std::size_t, const A*) {});
    }

 private:
    auto loader(const strip_place& at) const {
        return [this, at](std::size_t r, std::size_t c) {
            const A item = static_cast<A>(detail::item(in, at.in + r * at.in_pitch + c));
            if constexpr (squared) {
                return multiplies<A>{}(item, item);
            } else {
                return item;
            }
        };
    }
};

}  // namespace lookback::detail
