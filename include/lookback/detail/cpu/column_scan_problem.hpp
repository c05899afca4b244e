/// \file
/// The scan down the columns of (outer, length, inner) extents as a problem. An item is a piece of
/// a row, and tiles publish a row of accumulators.
///
/// The columns are cut into strips, and a strip into tiles of some rows. Tiles are numbered down
/// the strip, strip by strip. So the tile before a tile is the one above it, except at the top of a
/// strip, where the fold begins anew (the segmented operator, row by row). Where columns are short,
/// strips are as wide as their tiles allow; otherwise they are at least 1 KiB wide, or all columns.
/// So memory is read and written in long pieces, and a row of accumulators takes at most 1 % of the
/// memory of its tile. Numbers are scanned by the kernels of detail/cpu/simd_columns.hpp.
///
/// If there are enough strips for all threads, each thread scans some strips down, tile by tile
/// (scan_strips): no tile is reduced, and there is no look-back. The bits are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lookback/counts.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_columns.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/operators.hpp"

namespace lookback {

namespace detail {

template <bool is_exclusive, class In, class Out, class T, class Op>
class column_scan_problem {
    static constexpr std::size_t whole_tile =
        std::max<std::size_t>(64, (std::size_t{256} << 10) / sizeof(T));
    using row = std::vector<T>;

 public:
    /// The fold of each column of a strip; empty if nothing needs it.
    struct value_type {
        row folds;
        bool head;  ///< begins at the top of a strip
    };
    using tile_memory = no_tile_memory;

    column_scan_problem(In in, axis_extents extents, Out out, std::optional<T> init, const Op& op)
        : in_(std::move(in)),
          extents_(extents),
          out_(std::move(out)),
          init_(std::move(init)),
          op_(op),
          width_(std::min(extents.inner, std::max(std::max<std::size_t>(1, 1024 / sizeof(T)),
                                                  whole_tile / extents.length))),
          rows_(std::min(extents.length, std::max<std::size_t>(1, whole_tile / width_))),
          strips_((extents.inner + width_ - 1) / width_),
          tiles_down_((extents.length + rows_ - 1) / rows_),
          stream_(2 * extents.outer * extents.length * extents.inner * sizeof(T) >
                  streaming_threshold()) {}

    // An item is a whole tile. How many rows and columns it has depends on where it lies.
    std::size_t items() const { return extents_.outer * strips_ * tiles_down_; }
    std::size_t tile_items() const { return 1; }
    std::size_t items_for_a_thread() const {
        return std::max<std::size_t>(1, whole_tile / (rows_ * width_));
    }
    std::optional<value_type> init() const { return value_type{{}, true}; }
    bool keeps_input() const { return false; }  // an iterator may read what is written

    value_type combine(const value_type& above, const value_type& below) const {
        if (below.head || below.folds.empty()) return below;
        return {combine_rows(above.folds, below.folds), above.head};
    }

    value_type reduce(tile_range number, tile_memory&) const {
        const block tile = block_at(number.first);
        if (tile.bottom) return {{}, tile.top};
        if constexpr (has_kernel) {
            if (!is_narrow(tile)) {
                const row above = tile.top && init_ ? row(tile.columns, *init_) : row();
                return {kernels::reduce(piece_of(tile), above), tile.top};
            }
        }
        const items_of_tile items = items_of(tile);
        row folds = top_row(items, tile.columns);
        const auto fold = folds.begin();
        for (std::size_t r = 1; r < tile.rows; ++r) {
            for (std::size_t c = 0; c < tile.columns; ++c) {
                detail::item(fold, c) = apply(detail::item(fold, c), items.load(r, c));
            }
        }
        if (tile.top && init_) {
            for (std::size_t c = 0; c < tile.columns; ++c) folds[c] = apply(*init_, folds[c]);
        }
        return {std::move(folds), tile.top};
    }

    emitted<value_type> emit(tile_range number, const std::optional<value_type>& prefix,
                             tile_memory&, std::optional<tile_range> /*next*/, tile_memory&) const {
        const block tile = block_at(number.first);
        row folds = scan_tile(tile, prefix->folds);
        if (stream_) simd_compaction_kernels().flush();
        if (tile.bottom) folds.clear();
        return {{std::move(folds), true}, std::nullopt};
    }

    std::size_t strips() const { return extents_.outer * strips_; }

    /// Scans strips [begin, end) down; strips next to each other are scanned side by side.
    void scan_strips(std::size_t begin, std::size_t end) const {
        while (begin < end) {
            const std::size_t in_row = begin % strips_;
            const std::size_t side_by_side = std::min(end - begin, strips_ - in_row);
            row folds;
            for (std::size_t down = 0; down < tiles_down_; ++down) {
                block tile = block_at(begin * tiles_down_ + down);
                tile.columns = std::min(side_by_side * width_, extents_.inner - in_row * width_);
                folds = scan_tile(tile, folds);
            }
            begin += side_by_side;
        }
        if (stream_) simd_compaction_kernels().flush();
    }

 private:
    struct block {
        std::size_t first;  // the index of its first item in the array
        std::size_t rows;
        std::size_t columns;
        bool top, bottom;
    };

    block block_at(std::size_t number) const {
        const std::size_t down = number % tiles_down_;
        const std::size_t strip = number / tiles_down_ % strips_;
        const std::size_t outer = number / tiles_down_ / strips_;
        const std::size_t r = down * rows_, c = strip * width_;
        return {(outer * extents_.length + r) * extents_.inner + c,
                std::min(rows_, extents_.length - r), std::min(width_, extents_.inner - c),
                down == 0, down + 1 == tiles_down_};
    }

    T apply(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }
    // Copies of the members that loops over columns need. A stored result cannot change the copies,
    // so compilers make vectors of these loops. (Iterators of rows are copied for the same reason.)
    struct items_of_tile {
        In in;
        Out out;
        std::size_t first, pitch;

        T load(std::size_t r, std::size_t c) const {
            return static_cast<T>(detail::item(in, first + r * pitch + c));
        }
        void store(std::size_t r, std::size_t c, const T& value) const {
            detail::put(out, first + r * pitch + c, value);
        }
    };
    items_of_tile items_of(const block& tile) const {
        return {in_, out_, tile.first, extents_.inner};
    }

    static row top_row(const items_of_tile& items, std::size_t columns) {
        row folds;
        folds.reserve(columns);
        for (std::size_t c = 0; c < columns; ++c) folds.push_back(items.load(0, c));
        return folds;
    }
    row combine_rows(const row& above, const row& below) const {
        row folds;
        folds.reserve(below.size());
        for (std::size_t c = 0; c < below.size(); ++c) folds.push_back(apply(above[c], below[c]));
        return folds;
    }

    using kernels = simd_columns<is_exclusive, T, Op>;
    static constexpr bool has_kernel = simd_op_of<Op, T> != simd_op::none &&
                                       contiguous_items_of<In, T> && contiguous_items_of<Out, T>;
    static bool is_narrow(const block& tile) {
        return tile.columns * sizeof(T) < narrow_columns_bytes;
    }
    column_piece<T> piece_of(const block& tile) const {
        return {std::to_address(in_) + tile.first,
                std::to_address(out_) + tile.first,
                extents_.inner,
                tile.rows,
                tile.columns,
                stream_};
    }

    // Scans a tile, given the folds `above` of its columns above it. Returns the fold of each
    // column down to the tile's last row.
    row scan_tile(const block& tile, const row& above) const {
        const row before = !tile.top ? above : init_ ? row(tile.columns, *init_) : row();
        if constexpr (has_kernel) {
            if (!is_narrow(tile)) return kernels::scan(piece_of(tile), before);
        }
        return before.empty() ? scan_top(tile) : scan(tile, before);
    }

    // Nothing comes before the tile: an inclusive scan without an initial value.
    row scan_top(const block& tile) const {
        const items_of_tile items = items_of(tile);
        row folds = top_row(items, tile.columns);
        const auto fold = folds.begin();
        for (std::size_t c = 0; c < tile.columns; ++c) items.store(0, c, detail::item(fold, c));
        for (std::size_t r = 1; r < tile.rows; ++r) {
            for (std::size_t c = 0; c < tile.columns; ++c) {
                detail::item(fold, c) = apply(detail::item(fold, c), items.load(r, c));
                items.store(r, c, detail::item(fold, c));
            }
        }
        return folds;
    }

    // As in detail/cpu/scan_problem.hpp, an output is op(prefix, local), or, for exact operators,
    // the prefix is carried along.
    row scan(const block& tile, const row& prefix) const {
        constexpr bool carries = exactly_associative<Op, T>;
        const items_of_tile items = items_of(tile);
        row folds = prefix;
        row local_folds = carries ? row() : top_row(items, tile.columns);
        const auto before = prefix.begin();
        const auto running = folds.begin(), local = local_folds.begin();
        for (std::size_t r = 0; r < tile.rows; ++r) {
            for (std::size_t c = 0; c < tile.columns; ++c) {
                T item = items.load(r, c);  // before the store, which may be to the same place
                if constexpr (is_exclusive) items.store(r, c, detail::item(running, c));
                if constexpr (carries) {
                    detail::item(running, c) = apply(detail::item(running, c), item);
                } else {
                    if (r > 0) detail::item(local, c) = apply(detail::item(local, c), item);
                    detail::item(running, c) =
                        apply(detail::item(before, c), detail::item(local, c));
                }
                if constexpr (!is_exclusive) items.store(r, c, detail::item(running, c));
            }
        }
        return folds;
    }

    In in_;
    axis_extents extents_;
    Out out_;
    std::optional<T> init_;
    const Op& op_;
    std::size_t width_;  // of a strip
    std::size_t rows_;   // of a tile
    std::size_t strips_;
    std::size_t tiles_down_;
    bool stream_;
};

}  // namespace detail
}  // namespace lookback
