/// \file
/// Summed-area tables on the CPU.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <vector>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/table_strip.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/summed_area.hpp"

namespace lookback::detail {

template <>
struct summed_areas_on<cpu> {
    template <bool bordered, class In, class Out, class Squares, class Above>
    static void run(const cpu& /*where*/, const In& in, const table_shape& shape, const Out& out,
                    const Squares& squares, const Above& above) {
        if constexpr (!std::same_as<Squares, no_array>) {
            one_table<bordered, true>(in, shape, squares, above);
        }
        one_table<bordered, false>(in, shape, out, above);
    }

 private:
    template <bool bordered, bool squared, class In, class Out, class Above>
    static void one_table(const In& in, const table_shape& s, const Out& out, const Above& above) {
        using A = std::iter_value_t<Out>;
        std::vector<A> row_above(s.width), left(table_tile_rows);
        for (std::size_t image = 0; image < s.images; ++image) {
            if constexpr (bordered) {
                for (std::size_t c = 0; c <= s.width; ++c) {
                    detail::put(out, image * s.out_image + c, A{});
                }
                for (std::size_t r = 0; r < s.height; ++r) {
                    detail::put(out, image * s.out_image + (r + 1) * s.out_pitch, A{});
                }
            }
            if constexpr (!std::same_as<Above, no_array>) {
                for (std::size_t c = 0; c < s.width; ++c) {
                    row_above[c] = static_cast<A>(detail::item(above, image * s.width + c));
                }
            }
            for (std::size_t r = 0; r < s.height; r += table_tile_rows) {
                const strip_place at{image * s.in_image + r * s.in_pitch,
                                     image * s.out_image + s.out_first + r * s.out_pitch,
                                     s.in_pitch,
                                     s.out_pitch,
                                     std::min(table_tile_rows, s.height - r),
                                     s.width,
                                     true,
                                     r == 0 && std::same_as<Above, no_array>};
                detail::sum_strip(
                    at, left.data(), row_above.data(),
                    [&](std::size_t i, std::size_t c) {
                        const A item =
                            static_cast<A>(detail::item(in, at.in + i * at.in_pitch + c));
                        if constexpr (squared) {
                            return multiplies<A>{}(item, item);
                        } else {
                            return item;
                        }
                    },
                    [&](std::size_t i, std::size_t c, const A& entry) {
                        detail::put(out, at.out + i * at.out_pitch + c, entry);
                    });
            }
        }
    }
};

}  // namespace lookback::detail
