/// \file
/// Summed-area tables band by band. A band is a row of tiles: 64 rows of the whole width.
///
/// Workers take bands and add them up strip by strip, as far as the band above has come. So the
/// sums to the left and above are known when a strip is added up: nothing is added twice, and each
/// item is read once. A worker that cannot continue a band releases it, and takes the first band
/// that can be continued. So a worker that loses its core for a while delays only the strips that
/// depend on its own strip.
///
/// It always finishes: the first unfinished band can always be continued, by the worker that holds
/// it, or by the next worker that looks; no worker waits while it holds a band. A band passes a row
/// of accumulators to the band below. All bands of an image share one row in memory, in this order:
///
/// - band k reads and replaces a strip of that row after it has loaded with acquire that band k-1
///   has finished the strip. It then stores with release that it has finished the strip itself. So
///   the strip has one owner at a time, from band to band;
/// - the sums to the left of a band's next strip are passed on with the band, by the acquire and
///   the release of `taken`.
///
/// If there are many images, workers claim whole images, and none waits for another.
///
/// Cost: each item is read once, each entry is written once; extra memory is a row and a column of
/// accumulators for each image. Several tables of one input are written in the same pass, strip by
/// strip: for the second table, a strip is read from the cache.
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

/// The layout of bands and strips.
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

/// Writes zeros: the row before an image's table, if `row` is 0, and the column before a band.
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

/// Sets the initial row above a table.
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
    using sums_of = std::vector<typename S::value_type>;
    using sums_of_tables = std::tuple<sums_of<Strips>...>;
    static constexpr auto tables = std::index_sequence_for<Strips...>();
    static constexpr bool has_above = !std::same_as<Above, no_array>;

 public:
    banded_tables(const band_grid& grid, const Above& above, const Strips&... strips)
        : grid_(grid),
          bands_(grid.shape.images * grid.bands_of_image),
          above_(above),
          strips_(strips...) {}

    /// Each image is made by one worker; a worker claims `images` of them at a time.
    void run_whole(int workers, std::size_t images) {
        run_each(workers, [&] {
            sums_of_tables left{sums_of<Strips>(table_tile_rows)...};
            sums_of_tables rows{sums_of<Strips>(grid_.shape.width)...};
            const std::size_t unit = images * grid_.bands_of_image;
            // Tickets, drawn in order; the counter orders no other memory.
            for (std::size_t first;
                 (first = next_.fetch_add(unit, std::memory_order_relaxed)) < bands_;) {
                for (std::size_t band = first; band < std::min(bands_, first + unit); ++band) {
                    for (std::size_t s = 0; s < grid_.strips; ++s) {
                        sum_strip(band, s, left, 0, rows, 0, tables);
                    }
                }
            }
        });
    }

    /// Workers follow one another along the bands of an image.
    void run_bands(int workers) {
        std::vector<band_state> states(bands_);
        sums_of_tables left{sums_of<Strips>(bands_ * table_tile_rows)...};
        sums_of_tables rows{sums_of<Strips>(grid_.shape.images * grid_.shape.width)...};
        const std::size_t in_flight = 16 + 4 * static_cast<std::size_t>(workers);
        const auto next_of = [&](std::size_t band) {
            return states[band].finished.load(std::memory_order_acquire);
        };
        const auto can_go_on = [&](std::size_t band, std::size_t strip) {
            return band % grid_.bands_of_image == 0 || next_of(band - 1) > strip;
        };
        // Continues a band as far as possible; returns whether it made progress.
        const auto go_along = [&](std::size_t band) {
            std::size_t strip = next_of(band);
            if (strip == grid_.strips || !can_go_on(band, strip) ||
                states[band].taken.exchange(true, std::memory_order_acquire)) {
                return false;
            }
            strip = next_of(band);
            const std::size_t first = strip;
            for (; strip < grid_.strips && can_go_on(band, strip); ++strip) {
                if (failed_.load(std::memory_order_relaxed)) break;
                sum_strip(band, strip, left, band * table_tile_rows, rows,
                          band / grid_.bands_of_image * grid_.shape.width, tables);
                states[band].finished.store(static_cast<std::uint32_t>(strip + 1),
                                            std::memory_order_release);
            }
            states[band].taken.store(false, std::memory_order_release);
            return strip > first;
        };
        run_each(workers, [&] {
            int idle = 0;
            for (std::size_t lowest = 0; !failed_.load(std::memory_order_relaxed);) {
                while (lowest < bands_ && next_of(lowest) == grid_.strips) ++lowest;
                if (lowest == bands_) return;
                std::size_t band = lowest;
                const std::size_t end = std::min(bands_, lowest + in_flight);
                while (band < end && !go_along(band)) ++band;
                idle = band < end ? 0 : idle + 1;
                if (idle > 0) idle < 1000 ? detail::pause() : detail::yield();
            }
        });
    }

 private:
    struct alignas(64) band_state {
        std::atomic<std::uint32_t> finished{0};  // strips
        std::atomic<bool> taken{false};
    };

    template <class Work>
    void run_each(int workers, const Work& work) {
        const auto guarded = [&] {
            try {
                work();
            } catch (...) {
                failed_.store(true, std::memory_order_relaxed);
                throw;
            }
        };
        if (workers < 2) return guarded();
        run_workers(workers, guarded);
    }

    // Sums strip s of a band. The sums to its left begin at left[left_at], those above at
    // rows[row_at].
    template <std::size_t... i>
    void sum_strip(std::size_t band, std::size_t s, sums_of_tables& left, std::size_t left_at,
                   sums_of_tables& rows, std::size_t row_at, std::index_sequence<i...>) const {
        const std::size_t image = band / grid_.bands_of_image;
        const std::size_t row = band % grid_.bands_of_image * table_tile_rows;
        const std::size_t column = s * grid_.strip_columns;
        const strip_place at =
            grid_.at(image, row, column, std::min(grid_.strip_columns, grid_.shape.width - column),
                     has_above);
        const auto one = [&]<class S>(const S& strips, auto& lefts, auto& aboves) {
            if constexpr (bordered) {
                if (column == 0) {
                    detail::put_border<typename S::value_type>(strips.out.out, grid_.shape, image,
                                                               row);
                }
            }
            auto* const above = aboves.data() + row_at + column;
            if (row == 0) {
                detail::start_row(above_, image * grid_.shape.width + column, at.columns, above);
            }
            strips.sum(at, lefts.data() + left_at, above);
        };
        (one(std::get<i>(strips_), std::get<i>(left), std::get<i>(rows)), ...);
    }

    const band_grid grid_;
    const std::size_t bands_;
    const Above& above_;
    const std::tuple<const Strips&...> strips_;
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<bool> failed_{false};
};

}  // namespace lookback::detail
