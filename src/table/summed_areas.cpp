#include <stdexcept>

#include "lookback/summed_area.hpp"
#include "table/arrays.hpp"
#include "table/pixels.hpp"

namespace lookback::table {

void summed_area(dtype type, const void* in, const image_extents& extents, std::size_t channels,
                 void* out, int threads) {
    const auto sum = [&]<class T>(std::type_identity<T>) {
        with_pixel<T>(channels, [&]<class Pixel>(std::type_identity<Pixel>) {
            summed_area_table(cpu{.threads = threads}, static_cast<const Pixel*>(in), extents,
                              static_cast<Pixel*>(out));
        });
    };
    switch (without_sign(type)) {
        case dtype::uint32: return sum(std::type_identity<std::uint32_t>{});
        case dtype::uint64: return sum(std::type_identity<std::uint64_t>{});
        case dtype::float32: return sum(std::type_identity<float>{});
        case dtype::float64: return sum(std::type_identity<double>{});
        default: throw std::logic_error("lookback: summed_area: no tables of this type");
    }
}

}  // namespace lookback::table
