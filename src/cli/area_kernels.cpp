#include "area_kernels.hpp"

#include <cstdint>
#include <type_traits>

#include "lookback/detail/table_order.hpp"
#include "lookback/pixel.hpp"
#include "lookback/summed_area.hpp"

namespace lookback::cli {

static_assert(strip_rows % detail::table_tile_rows == 0);

template <class Pixel, class A>
static void sum_pixels(const A* in, const image_extents& extents, A* out, const A* above,
                       int threads) {
    const cpu where{.threads = threads};
    const auto* const from = reinterpret_cast<const Pixel*>(in);
    auto* const to = reinterpret_cast<Pixel*>(out);
    if (above == nullptr) {
        summed_area_table(where, from, extents, to);
    } else {
        summed_area_table(where, from, extents, to,
                          table_above{reinterpret_cast<const Pixel*>(above)});
    }
}

template <class A>
void summed_area(const A* in, const image_extents& extents, std::size_t channels, A* out,
                 const A* above, int threads) {
    switch (channels) {
        case 1: return sum_pixels<A>(in, extents, out, above, threads);
        case 2: return sum_pixels<pixel<A, 2>>(in, extents, out, above, threads);
        case 3: return sum_pixels<pixel<A, 3>>(in, extents, out, above, threads);
        default: return sum_pixels<pixel<A, 4>>(in, extents, out, above, threads);
    }
}

template void summed_area(const std::uint32_t*, const image_extents&, std::size_t, std::uint32_t*,
                          const std::uint32_t*, int);
template void summed_area(const std::uint64_t*, const image_extents&, std::size_t, std::uint64_t*,
                          const std::uint64_t*, int);
template void summed_area(const float*, const image_extents&, std::size_t, float*, const float*,
                          int);
template void summed_area(const double*, const image_extents&, std::size_t, double*, const double*,
                          int);

}  // namespace lookback::cli
