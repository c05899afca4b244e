#include <stdexcept>

#include "lookback/box_filter.hpp"
#include "table/arrays.hpp"
#include "table/pixels.hpp"

namespace lookback::table {

void box_filter(dtype type, const void* in, const image_extents& extents, std::size_t channels,
                std::int64_t radius, image_border border, void* out, int threads) {
    const auto filter = [&]<class T>(std::type_identity<T>) {
        with_pixel<T>(channels, [&]<class Pixel>(std::type_identity<Pixel>) {
            lookback::box_filter(cpu{.threads = threads}, static_cast<const Pixel*>(in), extents,
                                 radius, static_cast<Pixel*>(out), border);
        });
    };
    switch (type) {
        case dtype::uint8: return filter(std::type_identity<std::uint8_t>{});
        case dtype::uint16: return filter(std::type_identity<std::uint16_t>{});
        case dtype::float32: return filter(std::type_identity<float>{});
        case dtype::float64: return filter(std::type_identity<double>{});
        default: throw std::logic_error("lookback: box_filter: no filter of this type");
    }
}

}  // namespace lookback::table
