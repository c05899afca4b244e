// Makes summed-area tables on a GPU, for table_check (summed_area.hpp).
#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include "lookback/gpu.hpp"
#include "support/table_orders.hpp"

namespace lookback::test {

/// Copies placed rows to an `Array` in the GPU's memory, and back.
template <template <class> class Array>
struct tables_on_device {
    template <class Placed>
    using bytes_of = Array<std::byte>;

    static constexpr std::size_t strip_rows = 512;
    gpu& where;

    template <class F, class... Placed>
    void with(const F& f, Placed&... placed) const {
        std::tuple<bytes_of<Placed>...> memory(placed.bytes()...);
        std::apply(
            [&](auto&... m) {
                f(where, reinterpret_cast<decltype(placed.data())>(m.data() + placed.offset())...);
                ((placed.bytes() = m.get()), ...);
            },
            memory);
    }
    template <class A>
    static std::vector<A> table(const std::vector<A>& image, std::size_t height, std::size_t width,
                                bool beside_squares) {
        const bool two = beside_squares && 2 * sizeof(A) <= 32;
        return table_by_tiles(image, height, width, two ? 2 * sizeof(A) : sizeof(A));
    }
};

}  // namespace lookback::test
