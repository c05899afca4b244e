/// \file
/// Summed-area tables of images that are too narrow or too low for the driver of table_bands.hpp,
/// as problems of the single-pass driver. A tile is a stretch of a narrow image, or a piece of one
/// band.
///
/// A tile is added up twice, the second time from cache: `reduce` computes what later tiles need,
/// and `emit` writes. Sums of floats have to keep their order, so tiles publish lists: a stretch
/// publishes the last row of each of its bands, and a piece publishes the totals of its rows, for
/// each tile of detail/table_order.hpp. A prefix is a list with a single element.
///
/// Cost: each item is read from memory once, each entry is written once. Lists take 1/64 of the
/// memory of a stretch's accumulators, and at most 1/32 of a piece's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/table_bands.hpp"
#include "lookback/detail/cpu/table_strip.hpp"

namespace lookback::detail {

/// Folds the elements of `list`, `width` sums each, one after another onto `before`. If `before` is
/// empty, the fold begins with the first element.
template <class A>
std::vector<A> fold_list(const std::vector<A>& before, const std::vector<A>& list,
                         std::size_t width) {
    std::vector<A> fold = before;
    std::size_t first = 0;
    if (fold.empty()) {
        fold.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(width));
        first = width;
    }
    for (; first < list.size(); first += width) {
        for (std::size_t i = 0; i < width; ++i) fold[i] = detail::add(fold[i], list[first + i]);
    }
    return fold;
}

/// The common part of both problems: an item is a whole tile. Its functions are virtual, so that
/// the driver is compiled only once for each type of accumulator.
template <class A>
class table_problem {
 public:
    using value_type = std::vector<A>;
    using tile_memory = no_tile_memory;

    virtual value_type reduce(tile_range tile, tile_memory&) const = 0;
    virtual emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix,
                                     tile_memory&, std::optional<tile_range> next,
                                     tile_memory&) const = 0;

    std::size_t items() const { return tiles_; }
    std::size_t tile_items() const { return 1; }
    std::size_t items_for_a_thread() const { return 1; }
    std::optional<value_type> init() const { return init_; }
    bool keeps_input() const { return false; }
    value_type combine(const value_type& before, const value_type& list) const {
        return detail::fold_list(before, list, list_width_);
    }

 protected:
    table_problem(const band_grid& grid, std::size_t image, std::size_t tiles,
                  std::size_t list_width, value_type init)
        : grid_(grid),
          image_(image),
          tiles_(tiles),
          list_width_(list_width),
          init_(std::move(init)) {}
    ~table_problem() = default;

    const band_grid& grid_;
    const std::size_t image_;
    const std::size_t tiles_;
    const std::size_t list_width_;
    const value_type init_;
};

/// A narrow image, in stretches of some bands. `init` is the table's row above the image, if there
/// is one.
template <class Strips>
class stretch_problem final : public table_problem<typename Strips::value_type> {
    using A = typename Strips::value_type;
    using base = table_problem<A>;
    using base::grid_, base::image_;

 public:
    using typename base::tile_memory, typename base::value_type;

    stretch_problem(const band_grid& grid, std::size_t image, const Strips& strips,
                    std::size_t bands, value_type init)
        : base(grid, image, (grid.bands_of_image + bands - 1) / bands, grid.shape.width,
               std::move(init)),
          strips_(strips),
          bands_(bands) {}

    value_type reduce(tile_range tile, tile_memory&) const override {
        const auto [begin, end] = bands_of(tile.first);
        value_type list((end - begin) * grid_.shape.width);
        for (std::size_t band = begin; band < end; ++band) {
            strips_.bottom(place(band, false), list.data() + (band - begin) * grid_.shape.width);
        }
        return list;
    }

    emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix, tile_memory&,
                             std::optional<tile_range> /*next*/, tile_memory&) const override {
        const auto [begin, end] = bands_of(tile.first);
        value_type above = *prefix;
        bool has_above = !above.empty();
        above.resize(grid_.shape.width);
        std::vector<A> left(table_tile_rows);
        for (std::size_t band = begin; band < end; ++band, has_above = true) {
            strips_.sum(place(band, has_above), left.data(), above.data());
        }
        return {std::move(above), std::nullopt};
    }

 private:
    std::pair<std::size_t, std::size_t> bands_of(std::size_t tile) const {
        return {tile * bands_, std::min((tile + 1) * bands_, grid_.bands_of_image)};
    }
    strip_place place(std::size_t band, bool has_above) const {
        strip_place at = grid_.at(image_, band * table_tile_rows, 0, grid_.shape.width, has_above);
        at.top = !has_above;
        return at;
    }

    const Strips& strips_;
    const std::size_t bands_;
};

/// A band of a low image, in pieces of some columns. `above` is the table's row above the band, if
/// there is one, and is replaced by the band's last row.
template <class Strips>
class piece_problem final : public table_problem<typename Strips::value_type> {
    using A = typename Strips::value_type;
    using base = table_problem<A>;
    using base::grid_, base::image_;

 public:
    using typename base::tile_memory, typename base::value_type;

    piece_problem(const band_grid& grid, std::size_t image, std::size_t row, const Strips& strips,
                  A* above, bool has_above)
        : base(grid, image, grid.strips, std::min(table_tile_rows, grid.shape.height - row), {}),
          strips_(strips),
          row_(row),
          above_(above),
          has_above_(has_above) {}

    value_type reduce(tile_range tile, tile_memory&) const override {
        const strip_place at = place(tile.first);
        value_type list(detail::totals_of<A>(at.columns) * at.rows);
        strips_.total(at, list.data());
        return list;
    }

    emitted<value_type> emit(tile_range tile, const std::optional<value_type>& prefix, tile_memory&,
                             std::optional<tile_range> /*next*/, tile_memory&) const override {
        const strip_place at = place(tile.first);
        value_type left = *prefix;
        left.resize(at.rows);
        strips_.sum(at, left.data(), above_ + tile.first * grid_.strip_columns);
        return {std::move(left), std::nullopt};
    }

 private:
    strip_place place(std::size_t strip) const {
        const std::size_t column = strip * grid_.strip_columns;
        return grid_.at(image_, row_, column,
                        std::min(grid_.strip_columns, grid_.shape.width - column), has_above_);
    }

    const Strips& strips_;
    const std::size_t row_;
    A* const above_;
    const bool has_above_;
};

}  // namespace lookback::detail
