/// \file
/// The strips of a summed-area table of contiguous numbers, computed row by row with the kernels of
/// src/simd_tables.cpp.
///
/// Tables that exceed the caches are streamed while they are computed, so that the memory is never
/// idle: a row of entries is computed in the L1 cache, and streamed from there some entries behind.
/// Meanwhile the next row is prefetched, because the rows of a strip lie far apart, and the
/// hardware's own prefetcher stops at the end of each page. Of smaller tables of exact sums, the
/// row above is read from the table. Strips of few columns are summed item by item, with the same
/// bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

#include "lookback/detail/cpu/simd_tables.hpp"
#include "lookback/detail/cpu/table_strip.hpp"

namespace lookback::detail {

/// Strips of types `T` and `A` that have a kernel. Same members as plain_strips.
template <class T, class A, bool squared>
class number_strips {
    static constexpr std::size_t narrow = 64 / sizeof(A) * (adds_exactly<A> ? 1 : 2);
    static constexpr A nothing = std::is_floating_point_v<A> ? A(-0.0) : A(0);

 public:
    using value_type = A;

    number_strips(const T* in, A* to, bool stream) : out{to, stream}, in_(in) {}

    void sum(const strip_place& at, A* left, A* above) const {
        if (at.columns < narrow) return item_by_item().sum(at, left, above);
        if (out.stream && worth_streaming<A>(at.columns)) {
            sum_rows(at, left, above, true, put_nothing);
        } else if (out.stream && at.columns == at.out_pitch) {
            // The rows are adjacent in memory: all of them are streamed at once.
            const std::unique_ptr<A[]> all(new A[at.rows * at.columns]);
            sum_rows(at, left, above, false, [&](std::size_t r, const A* row) {
                std::copy_n(row, at.columns, all.get() + r * at.columns);
            });
            out.put(at.out, at.rows * at.columns, all.get());
        } else if constexpr (adds_exactly<A>) {
            sum_into_table(at, left, above);
        } else {
            sum_rows(at, left, above, false, [&](std::size_t r, const A* row) {
                out.put(at.out + r * at.out_pitch, at.columns, row);
            });
        }
        out.finish();
    }
    void bottom(strip_place at, A* row) const {
        if (at.columns < narrow) return item_by_item().bottom(at, row);
        std::array<A, table_tile_rows> left;
        at.top = true;
        sum_rows(at, left.data(), row, false, put_nothing);
    }
    void total(const strip_place& at, A* totals) const {
        if (at.columns < narrow) return item_by_item().total(at, totals);
        const std::size_t width = adds_exactly<A> ? at.columns : tile;
        memory m(width);
        for (std::size_t first = 0; first < at.columns; first += width) {
            for (std::size_t r = 0; r < at.rows; ++r) {
                *totals = nothing;
                kernel_({.in = item_row(at, r) + first,
                         .columns = std::min(width, at.columns - first),
                         .squared = squared,
                         .left = totals++,
                         .above = m.above(),
                         .entry = m.entry(),
                         .down = m.down(),
                         .groups = m.groups()});
            }
        }
    }

    entry_writer<A, A*> out;

 private:
    static constexpr std::size_t tile = table_tile_columns<A>;
    static constexpr auto put_nothing = [](std::size_t, const A*) {};

    // Arrays of a strip's columns, rounded up to whole tiles: the columns' sums in a group, the
    // sums of groups, the row above, and a row of entries. Exact sums need one array for all of
    // these.
    class memory {
     public:
        explicit memory(std::size_t columns)
            : columns_((columns + tile - 1) / tile * tile),
              all_(new A[(adds_exactly<A> ? 1 : 4) * columns_]) {
            std::fill_n(all_.get(), (adds_exactly<A> ? 1 : 4) * columns_, nothing);
        }
        A* entry() { return all_.get(); }
        A* down() { return all_.get() + (adds_exactly<A> ? 0 : columns_); }
        A* groups() { return all_.get() + (adds_exactly<A> ? 0 : 2 * columns_); }
        A* above() { return all_.get() + (adds_exactly<A> ? 0 : 3 * columns_); }

     private:
        const std::size_t columns_;
        const std::unique_ptr<A[]> all_;
    };

    plain_strips<A, squared, const T*, A*> item_by_item() const { return {in_, out}; }

    const T* item_row(const strip_place& at, std::size_t r) const {
        return in_ + at.in + r * at.in_pitch;
    }

    // Sums that are exact, each row beside the row above.
    void sum_into_table(const strip_place& at, A* left, A* above) const {
        begin_strip(at, left, above);
        const A* over = above;
        for (std::size_t r = 0; r < at.rows; ++r) {
            A* const to = out.out + at.out + r * at.out_pitch;
            kernel_({.in = item_row(at, r),
                     .columns = at.columns,
                     .squared = squared,
                     .left = left + r,
                     .above = over,
                     .entry = to});
            over = to;
        }
        std::copy_n(over, at.columns, above);
    }

    void begin_strip(const strip_place& at, A* left, A* above) const {
        if (at.leftmost) std::fill_n(left, at.rows, nothing);
        if (adds_exactly<A> && at.top) std::fill_n(above, at.columns, nothing);
    }

    // `put(r, row)` is called when the entries of row r are complete.
    template <class Put>
    void sum_rows(const strip_place& at, A* left, A* above, bool streams, const Put& put) const {
        begin_strip(at, left, above);
        const auto sum_row = [&](std::size_t r, const A* over, A* down, A* groups, A* entries) {
            kernel_({.in = item_row(at, r),
                     .columns = at.columns,
                     .squared = squared,
                     .left = left + r,
                     .above = over,
                     .entry = entries,
                     .stream_to = streams ? out.out + at.out + r * at.out_pitch : nullptr,
                     .next = item_row(at, r + 1 < at.rows ? r + 1 : r),
                     .begins = r % table_group_rows == 0,
                     .down = down,
                     .groups = groups});
            put(r, entries);
        };
        if constexpr (adds_exactly<A>) {
            for (std::size_t r = 0; r < at.rows; ++r) sum_row(r, above, above, above, above);
        } else {
            memory m(at.columns);
            if (!at.top) std::copy_n(above, at.columns, m.above());
            for (std::size_t r = 0; r < at.rows; ++r) {
                sum_row(r, m.above(), m.down(), m.groups(), m.entry());
            }
            std::copy_n(m.entry(), at.columns, above);
        }
    }

    const T* in_;
    const table_row_kernel<T, A> kernel_ = simd_table_row<T, A>();
};

/// The strips of a table, computed by a kernel where there is one.
template <class A, bool squared, class In, class Out>
auto strips_of(const In& in, const Out& out, bool stream) {
    using T = std::remove_cvref_t<std::iter_value_t<In>>;
    if constexpr (std::contiguous_iterator<In> && contiguous_items_of<Out, A> &&
                  sums_by_kernel<T, A, squared>) {
        using types = table_kernel_types<T, A>;
        using item = typename types::item;
        using sum = typename types::sum;
        return number_strips<item, sum, squared>(reinterpret_cast<const item*>(std::to_address(in)),
                                                 reinterpret_cast<sum*>(std::to_address(out)),
                                                 stream);
    } else {
        return plain_strips<A, squared, In, Out>{in, {out, stream}};
    }
}

}  // namespace lookback::detail
