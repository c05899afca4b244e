#include <cstdint>

#include "image_window.hpp"
#include "lookback/summed_area.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {
namespace {

// Rows without gaps are copied as one piece: they may be longer than cudaMemcpy2D allows.
void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
               std::size_t row, std::size_t rows, cudaMemcpyKind kind, const char* what) {
    detail::device::check(to_pitch == row && from_pitch == row
                              ? cudaMemcpy(to, from, row * rows, kind)
                              : cudaMemcpy2D(to, to_pitch, from, from_pitch, row, rows, kind),
                          what);
}

}  // namespace

// On the GPU, rows have no gaps.
template <class T>
void sum_areas(window_memory& memory, const T* in, const image_extents& extents, T* out,
               const T* above) {
    auto& on = memory.get();
    const std::size_t rows = extents.images * extents.height, row = extents.width * sizeof(T);
    const auto pitch = [&](std::size_t items) { return items == 0 ? row : items * sizeof(T); };
    T* const there = on.room<T>(on.arrays[0], rows * extents.width);
    const T* const from = upload(on.arrays[1], above, extents.images * extents.width);
    copy_rows(there, row, in, pitch(extents.in_pitch), row, rows, cudaMemcpyHostToDevice,
              "copying to the GPU");
    summed_area_table(on.gpu, there, image_extents{extents.height, extents.width, extents.images},
                      there, table_above{from});
    copy_rows(out, pitch(extents.out_pitch), there, row, row, rows, cudaMemcpyDeviceToHost,
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
