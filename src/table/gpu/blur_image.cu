#include <cstdint>

#include "image_window.hpp"
#include "lookback/box_filter.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

template <class T>
void blur_image(window_memory& memory, const T* in, const image_extents& extents,
                const blur_radius& radius, image_border border, T* out) {
    auto& on = memory.get();
    const std::size_t pixels = extents.height * extents.width;
    const T* const from = upload(on.arrays[0], in, pixels);
    T* const to = on.room<T>(on.arrays[1], pixels);
    if (radius.each == nullptr) {
        box_filter(on.gpu, from, extents, radius.one, to, border);
    } else {
        const std::int32_t* const radii = upload(on.arrays[2], radius.each, pixels);
        if (radius.is_sharp_apart) {
            constexpr auto what = detail::window_result::mean_of_blurred;
            detail::filter_windows<what>(on.gpu, from, extents, radii, "radii", radii, to, border);
        } else {
            box_filter(on.gpu, from, extents, radii, to, border);
        }
    }
    download(out, to, pixels);
}

template void blur_image(window_memory&, const std::uint8_t*, const image_extents&,
                         const blur_radius&, image_border, std::uint8_t*);
template void blur_image(window_memory&, const std::uint16_t*, const image_extents&,
                         const blur_radius&, image_border, std::uint16_t*);

}  // namespace lookback::on_gpu
