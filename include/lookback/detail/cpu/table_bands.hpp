/// \file
/// Summed-area tables band by band: a band is the 64 rows of a tile, of the whole width.
///
/// Workers claim bands in order and go along them strip by strip, each as soon as the band above
/// has finished the same strip: so what lies to the left and above is known when a strip is added
/// up, nothing is added twice, and each item is read once. (Along a band this is the chain of tiles
/// from left to right, and from band to band that from top to bottom; on the CPU a step of it is
/// a strip of thousands of items, and workers, who are few, run one behind another.)
///
/// It finishes: a worker waits only for the band before its own, which was claimed before. What one
/// band tells the next is a row of accumulators, which all bands of an image share: band k reads
/// and replaces a strip of it after band k-1 has published that strip, and before it publishes its
/// own. Bands of different images do not wait for each other.
///
/// Cost: each item is read once, each entry written once; a row of accumulators and 4 bytes for
/// each band besides. Several tables of one input are written in the same pass, strip by strip:
/// the second reads a strip from the cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "lookback/detail/call.hpp"
#include "lookback/detail/cpu/table_strip.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/detail/image_shape.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

/// Where bands and strips lie.
struct band_grid {
    table_shape shape;
    std::size_t strip_columns;
    std::size_t bands_of_image;
    std::size_t strips;

    band_grid(const table_shape& s, std::size_t columns)
        : shape(s),
          strip_columns(columns),
          bands_of_image((s.height + table_tile_rows - 1) / table_tile_rows),
          strips((s.width + columns - 1) / columns) {}

    strip_place at(std::size_t image, std::size_t row, std::size_t column, std::size_t columns,
                   bool has_row_above) const {
        return {image * shape.in_image + row * shape.in_pitch + column,
                image * shape.out_image + shape.out_first + row * shape.out_pitch + column,
                shape.in_pitch,
                shape.out_pitch,
                std::min(table_tile_rows, shape.height - row),
                columns,
                column == 0,
                row == 0 && !has_row_above};
    }
};

/// Zeros: the row before an image's table, where `row` is 0, and the column before a band.
template <class A, class Out>
void put_border(const Out& out, const table_shape& s, std::size_t image, std::size_t row) {
    const std::size_t first = image * s.out_image;
    if (row == 0) {
        for (std::size_t c = 0; c <= s.width; ++c) detail::put(out, first + c, A{});
    }
    const std::size_t end = std::min(row + table_tile_rows, s.height);
    for (std::size_t r = row; r < end; ++r) {
        detail::put(out, first + (r + 1) * s.out_pitch, A{});
    }
}

/// What a table's row above is at first.
template <class A, class Above>
void start_row([[maybe_unused]] const Above& above, [[maybe_unused]] std::size_t first,
               [[maybe_unused]] std::size_t columns, [[maybe_unused]] A* row) {
    if constexpr (!std::same_as<Above, no_array>) {
        for (std::size_t c = 0; c < columns; ++c) {
            row[c] = static_cast<A>(detail::item(above, first + c));
        }
    }
}

template <bool bordered, class Above, class... Strips>
class banded_tables {
    template <class S>
    using row_of = std::vector<typename S::value_type>;
    using rows_of_tables = std::tuple<row_of<Strips>...>;
    static constexpr auto tables = std::index_sequence_for<Strips...>();
    static constexpr bool has_above = !std::same_as<Above, no_array>;

 public:
    /// `unit` bands are claimed at a time: 1 where workers run `behind_one_another`, else those of
    /// whole images.
    banded_tables(const band_grid& grid, bool behind_one_another, std::size_t unit,
                  const Above& above, const Strips&... strips)
        : grid_(grid),
          behind_(behind_one_another),
          unit_(unit),
          above_(above),
          strips_(strips...),
          finished_(behind_ ? grid.shape.images * grid.bands_of_image : 0),
          shared_rows_(behind_ ? row_of<Strips>(grid.shape.images * grid.shape.width)
                               : row_of<Strips>()...) {}

    void run(int workers) {
        if (workers < 2) return work();
        run_workers(workers, [this] { work(); });
    }

 private:
    struct stopped {};  // thrown to leave a wait once another worker has failed

    void work() {
        try {
            rows_of_tables left{row_of<Strips>(table_tile_rows)...};
            rows_of_tables own_row{row_of<Strips>(behind_ ? 0 : grid_.shape.width)...};
            const std::size_t bands = grid_.shape.images * grid_.bands_of_image;
            // Tickets, in order; the counter orders nothing else.
            for (std::size_t first;
                 (first = next_.fetch_add(unit_, std::memory_order_relaxed)) < bands;) {
                for (std::size_t k = first; k < std::min(bands, first + unit_); ++k) {
                    if (failed_.load(std::memory_order_relaxed)) return;
                    sum_band(k, left, own_row);
                }
            }
        } catch (const stopped&) {
        } catch (...) {
            failed_.store(true, std::memory_order_relaxed);
            throw;
        }
    }

    void sum_band(std::size_t band, rows_of_tables& left, rows_of_tables& own_row) {
        const std::size_t image = band / grid_.bands_of_image;
        const std::size_t row = band % grid_.bands_of_image * table_tile_rows;
        for (std::size_t s = 0; s < grid_.strips; ++s) {
            if (behind_ && row > 0) wait_for(band - 1, s);
            const std::size_t column = s * grid_.strip_columns;
            const strip_place at =
                grid_.at(image, row, column,
                         std::min(grid_.strip_columns, grid_.shape.width - column), has_above);
            sum_strips(at, image, row, column, left, own_row, tables);
            // Releases the strip of the row above, with what the band has left there.
            if (behind_) {
                finished_[band].store(static_cast<std::uint32_t>(s + 1), std::memory_order_release);
            }
        }
    }

    template <std::size_t... i>
    void sum_strips(const strip_place& at, std::size_t image, std::size_t row, std::size_t column,
                    rows_of_tables& left, rows_of_tables& own_row, std::index_sequence<i...>) {
        const auto one = [&]<class S>(const S& strips, auto& lefts, auto& own, auto& shared) {
            auto* above =
                behind_ ? shared.data() + image * grid_.shape.width + column : own.data() + column;
            if constexpr (bordered) {
                if (column == 0) {
                    detail::put_border<typename S::value_type>(strips.out.out, grid_.shape, image,
                                                               row);
                }
            }
            if (row == 0) {
                detail::start_row(above_, image * grid_.shape.width + column, at.columns, above);
            }
            strips.sum(at, lefts.data(), above);
        };
        (one(std::get<i>(strips_), std::get<i>(left), std::get<i>(own_row),
             std::get<i>(shared_rows_)),
         ...);
    }

    void wait_for(std::size_t band, std::size_t strip) {
        for (int spins = 0; finished_[band].load(std::memory_order_acquire) <= strip; ++spins) {
            if (failed_.load(std::memory_order_relaxed)) throw stopped{};
            spins < 1000 ? detail::pause() : detail::yield();
        }
    }

    const band_grid grid_;
    const bool behind_;
    const std::size_t unit_;
    const Above& above_;
    const std::tuple<const Strips&...> strips_;
    std::vector<std::atomic<std::uint32_t>> finished_;  // strips of each band
    rows_of_tables shared_rows_;                        // above the bands, for each image
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<bool> failed_{false};
};

}  // namespace lookback::detail
