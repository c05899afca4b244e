#include <cstdint>

#include "image_window.hpp"
#include "lookback/summed_area.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

// In tight rows on the GPU.
template <class T>
void sum_areas(window_memory& memory, const T* in, const image_extents& extents, T* out,
               const T* above) {
    auto& on = memory.get();
    const std::size_t rows = extents.images * extents.height, row = extents.width * sizeof(T);
    const auto pitch = [&](std::size_t items) { return items == 0 ? row : items * sizeof(T); };
    T* const there = on.room<T>(on.arrays[0], rows * extents.width);
    const T* const from = upload(on.arrays[1], above, extents.images * extents.width);
    detail::device::check(
        cudaMemcpy2D(there, row, in, pitch(extents.in_pitch), row, rows, cudaMemcpyHostToDevice),
        "copying to the GPU");
    summed_area_table(on.gpu, there, image_extents{extents.height, extents.width, extents.images},
                      there, table_above{from});
    detail::device::check(
        cudaMemcpy2D(out, pitch(extents.out_pitch), there, row, row, rows, cudaMemcpyDeviceToHost),
        "copying from the GPU");
}

template void sum_areas(window_memory&, const std::uint32_t*, const image_extents&, std::uint32_t*,
                        const std::uint32_t*);
template void sum_areas(window_memory&, const std::uint64_t*, const image_extents&, std::uint64_t*,
                        const std::uint64_t*);
template void sum_areas(window_memory&, const float*, const image_extents&, float*, const float*);
template void sum_areas(window_memory&, const double*, const image_extents&, double*,
                        const double*);

}  // namespace lookback::on_gpu
