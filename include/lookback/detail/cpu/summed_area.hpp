/// \file
/// Summed-area tables on the CPU: the choice of strips and drivers.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/number_strips.hpp"
#include "lookback/detail/cpu/scan.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/detail/cpu/table_bands.hpp"
#include "lookback/detail/cpu/table_problems.hpp"
#include "lookback/detail/cpu/table_strip.hpp"
#include "lookback/summed_area.hpp"

namespace lookback::detail {

/// The number of items that pay for another thread, and that are claimed at a time.
inline constexpr std::size_t table_share = std::size_t{1} << 16;

inline std::size_t divided_up(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }

constexpr std::size_t common_multiple(std::size_t a, std::size_t b = 1) { return std::lcm(a, b); }

/// The number of columns of a strip. A row of the strip's accumulators and two rows of its tiles
/// stay in the L1 cache. Strips are narrower if several workers follow one another along bands.
template <class A>
std::size_t strip_columns(std::size_t width, std::size_t workers) {
    constexpr std::size_t tile = table_tile_columns<A>;
    const std::size_t cached = std::max<std::size_t>(1, 8192 / sizeof(A) / tile);
    const std::size_t shared = detail::divided_up(width, 4 * workers * tile);
    constexpr std::size_t least = std::max<std::size_t>(1, 2048 / sizeof(A) / tile);
    return tile * (workers > 1 ? std::clamp(shared, least, cached) : cached);
}

/// Tables of narrow or low images, one after another.
template <bool bordered, class Above, class Strips>
void table_by_pieces(const cpu& where, const table_shape& s, bool narrow, const Above& above,
                     const Strips& strips) {
    using A = typename Strips::value_type;
    const auto run = [&](const table_problem<A>& problem) { detail::single_pass(where, problem); };
    constexpr std::size_t tile = table_tile_columns<A>;
    const std::size_t rows = std::min(table_tile_rows, s.height);
    const std::size_t pieces = detail::divided_up(table_share / rows, tile) * tile;
    const band_grid grid(s, narrow ? s.width : pieces);
    for (std::size_t image = 0; image < s.images; ++image) {
        if constexpr (bordered) {
            for (std::size_t row = 0; row < s.height; row += table_tile_rows) {
                detail::put_border<A>(strips.out.out, s, image, row);
            }
        }
        constexpr bool has_above = !std::same_as<Above, no_array>;
        std::vector<A> row_above(!narrow || has_above ? s.width : 0);
        detail::start_row(above, image * s.width, s.width, row_above.data());
        if (narrow) {
            const std::size_t bands = detail::divided_up(table_share, table_tile_rows * s.width);
            run(stretch_problem<Strips>(grid, image, strips, bands, std::move(row_above)));
        } else {
            for (std::size_t row = 0; row < s.height; row += table_tile_rows) {
                run(piece_problem<Strips>(grid, image, row, strips, row_above.data(),
                                          has_above || row > 0));
            }
        }
    }
}

/// The tables of all `strips`.
template <bool bordered, class Above, class First, class... Strips>
void make_strips(const cpu& where, const table_shape& s, const Above& above, const First& first,
                 const Strips&... rest) {
    if (s.width == 0 || s.height == 0) {
        const auto zeros = [&]<class S>(const S& strips) {
            for (std::size_t image = 0; image < s.images; ++image) {
                for (std::size_t row = 0; row == 0 || row < s.height; row += table_tile_rows) {
                    detail::put_border<typename S::value_type>(strips.out.out, s, image, row);
                }
            }
        };
        (zeros(first), ..., zeros(rest));
        return;
    }
    const std::size_t items = s.images * s.height * s.width;
    const std::size_t workers =
        items < 2 * table_share
            ? 1
            : std::min(static_cast<std::size_t>(worker_limit(where)), items / table_share);
    const std::size_t tile =
        detail::common_multiple(table_tile_columns<typename First::value_type>,
                                table_tile_columns<typename Strips::value_type>...);
    const std::size_t columns =
        std::max({detail::strip_columns<typename First::value_type>(s.width, workers),
                  detail::strip_columns<typename Strips::value_type>(s.width, workers)...});
    const band_grid grid(s, detail::divided_up(columns, tile) * tile);
    banded_tables<bordered, Above, First, Strips...> banded(grid, above, first, rest...);
    const auto threads = static_cast<int>(workers);
    if (workers == 1 || s.images >= 4 * workers) {
        const std::size_t most = detail::divided_up(s.images, 4 * workers);
        banded.run_whole(threads,
                         std::clamp<std::size_t>(table_share / (s.height * s.width), 1, most));
    } else if (grid.strips >= workers && grid.bands_of_image >= 2 * workers) {
        banded.run_bands(threads);
    } else {
        const bool narrow = grid.bands_of_image >= 2 * workers;
        detail::table_by_pieces<bordered>(where, s, narrow, above, first);
        (detail::table_by_pieces<bordered>(where, s, narrow, above, rest), ...);
    }
}

/// Whether it is one row, or one column without gaps, with items: its table is a plain scan.
inline bool is_line(const table_shape& s) {
    const bool is_column = s.width == 1 && s.in_pitch == 1 && s.out_pitch == 1;
    return s.images == 1 && s.height * s.width > 0 && (s.height == 1 || is_column);
}

template <>
struct summed_areas_on<cpu> {
    template <bool bordered, class In, class Out, class Squares, class Above>
    static void run(const cpu& where, const In& in, const table_shape& s, const Out& out,
                    const Squares& squares, const Above& above) {
        using A = std::iter_value_t<Out>;
        using item = std::iter_value_t<In>;
        constexpr bool alone = std::same_as<Squares, no_array> && std::same_as<Above, no_array>;
        if constexpr (!bordered && alone && std::integral<A> && adds_exactly<A> &&
                      has_kernel<In, Out, A, plus<>>) {
            if (is_line(s)) {
                return detail::scan_array<false, A>(where, in, s.height * s.width, out,
                                                    std::optional<A>{}, plus<>{});
            }
        }
        const std::size_t tables = std::same_as<Squares, no_array> ? 1 : 2;
        // A table is made to be read, so it is left in the shared cache up to twice the usual size
        // (of LOOKBACK_STREAM_ABOVE too).
        const bool stream = s.images * s.height * s.width * (sizeof(item) + tables * sizeof(A)) >=
                            2 * streaming_threshold();
        const auto sums = detail::strips_of<A, false>(in, out, stream);
        if constexpr (std::same_as<Squares, no_array>) {
            detail::make_strips<bordered>(where, s, above, sums);
        } else {
            const auto of_squares =
                detail::strips_of<std::iter_value_t<Squares>, true>(in, squares, stream);
            detail::make_strips<bordered>(where, s, above, sums, of_squares);
        }
    }
};

}  // namespace lookback::detail
