/// \file
/// The strips of a summed-area table of contiguous numbers, computed row by row with the kernels of
/// src/simd_tables.cpp.
///
/// Entries are computed in the L1 cache and written from there, a piece of a row at a time. While a
/// row is written, the next row is prefetched, because the rows of a strip lie far apart, and the
/// hardware's own prefetcher stops at the end of each page. Strips of few columns are summed item
/// by item, with the same bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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
        if (at.columns == at.out_pitch && !worth_streaming<A>(at.columns)) {
            // The rows are adjacent in memory: all of them are written at once.
            const std::unique_ptr<A[]> all(new A[at.rows * at.columns]);
            sum_rows(at, left, above, at.columns, [&](std::size_t r, std::size_t, const A* row) {
                std::copy_n(row, at.columns, all.get() + r * at.columns);
            });
            out.put(at.out, at.rows * at.columns, all.get());
        } else if (out.stream && worth_streaming<A>(at.columns)) {
            std::size_t done = 0;  // columns of the row that are written
            sum_rows(
                at, left, above, 2 * tile, [&](std::size_t r, std::size_t ready, const A* row) {
                    A* const to = out.out + at.out + r * at.out_pitch;
                    const bool ends = ready == at.columns;
                    if (!ends)
                        ready -= reinterpret_cast<std::uintptr_t>(to + ready) % 64 / sizeof(A);
                    const std::size_t columns = ready - done;
                    stream_(row + done, to + done, columns * sizeof(A), item_row(at, r + 1) + done,
                            r + 1 < at.rows ? columns * sizeof(T) : 0);
                    done = ends ? 0 : ready;
                });
        } else {
            sum_rows(at, left, above, at.columns, [&](std::size_t r, std::size_t, const A* row) {
                out.put(at.out + r * at.out_pitch, at.columns, row);
            });
        }
        out.finish();
    }
    void bottom(strip_place at, A* row) const {
        if (at.columns < narrow) return item_by_item().bottom(at, row);
        std::array<A, table_tile_rows> left;
        at.top = true;
        sum_rows(at, left.data(), row, at.columns, [](std::size_t, std::size_t, const A*) {});
    }
    void total(const strip_place& at, A* totals) const {
        const std::size_t width = adds_exactly<A> ? at.columns : tile;
        memory m(width);
        for (std::size_t first = 0; first < at.columns; first += width) {
            for (std::size_t r = 0; r < at.rows; ++r) {
                *totals = nothing;
                kernel_({item_row(at, r) + first, std::min(width, at.columns - first), squared,
                         totals++, m.above(), false, m.down(), m.groups(), m.entry()});
            }
        }
    }

    entry_writer<A, A*> out;

 private:
    static constexpr std::size_t tile = table_tile_columns<A>;

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

    // `put(r, ready, row)` is called after each `step` columns, when the first `ready` entries of
    // row r are complete. So small pieces are written while the next piece is added up.
    template <class Put>
    void sum_rows(const strip_place& at, A* left, A* above, std::size_t step,
                  const Put& put) const {
        if (at.leftmost) std::fill_n(left, at.rows, nothing);
        const auto sum_row = [&](std::size_t r, A* over, A* down, A* groups, A* entries) {
            for (std::size_t c = 0; c < at.columns; c += step) {
                const std::size_t columns = std::min(step, at.columns - c);
                kernel_({item_row(at, r) + c, columns, squared, left + r, over + c,
                         r % table_group_rows == 0, down + c, groups + c, entries + c});
                put(r, c + columns, entries);
            }
        };
        if constexpr (adds_exactly<A>) {
            if (at.top) std::fill_n(above, at.columns, nothing);
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
    const stream_row_kernel stream_ = simd_stream_row();
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
