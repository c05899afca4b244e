// A build without CUDA: there are no GPUs.

#include <stdexcept>

#include "gpus.hpp"
#include "image_window.hpp"
#include "sort_window.hpp"
#include "window_kernels.hpp"
#include "window_scan.hpp"

namespace lookback::on_gpu {

static constexpr const char* why =
    "this build has no CUDA support; expected one made with -DLOOKBACK_CUDA=ON, which needs nvcc";

survey find_gpus() { return {.gpus = {}, .why_none = why, .driver = "", .runtime = ""}; }

struct window_scan::state {};

window_scan::window_scan(std::size_t) { throw std::runtime_error(why); }
window_scan::~window_scan() = default;
std::size_t window_scan::window_bytes() const { return 0; }
std::byte* window_scan::room() { return nullptr; }
std::byte* window_scan::collect() { return nullptr; }

template <class T>
void window_scan::start(std::size_t, operation, bool, const std::optional<T>&) {}

struct window_memory::state {};

window_memory::window_memory() { throw std::runtime_error(why); }
window_memory::~window_memory() = default;

template <class U>
std::size_t compaction_window<U>::select(window_memory&, const U*, std::size_t, U*,
                                         const wanted_numbers<U>&) {
    return 0;
}
template <class U>
std::size_t compaction_window<U>::partition(window_memory&, const U*, std::size_t, U*, U*,
                                            const wanted_numbers<U>&) {
    return 0;
}
template <class U>
std::size_t compaction_window<U>::unique(window_memory&, const U*, std::size_t, U*, number_kind) {
    return 0;
}
template <class U>
std::size_t compaction_window<U>::run_length_encode(window_memory&, const U*, std::size_t, U*,
                                                    std::int64_t*, number_kind) {
    return 0;
}
template <class T>
void segments_window<T>::scan(window_memory&, const T*, std::size_t, const std::uint8_t*, T*,
                              operation, const std::optional<T>&, std::optional<T>&, bool) {}
template <class T>
std::size_t segments_window<T>::reduce(window_memory&, const T*, std::size_t, const std::uint8_t*,
                                       T*, operation, std::optional<T>&) {
    return 0;
}

template <class T>
void sum_areas(window_memory&, const T*, const image_extents&, T*, const T*) {}
template <class T>
void blur_image(window_memory&, const T*, const image_extents&, const blur_radius&, image_border,
                T*) {}

template <class Word>
void sort_window(window_memory&, Word*, std::size_t) {}
template <class Word, class Load>
void sort_window(window_memory&, Word*, Load*, std::size_t) {}

template void sort_window(window_memory&, std::uint8_t*, std::size_t);
template void sort_window(window_memory&, std::uint16_t*, std::size_t);
template void sort_window(window_memory&, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::size_t);
template void sort_window(window_memory&, std::uint32_t*, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint32_t*, std::uint64_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::uint64_t*, std::size_t);
template void sum_areas(window_memory&, const std::uint32_t*, const image_extents&, std::uint32_t*,
                        const std::uint32_t*);
template void sum_areas(window_memory&, const std::uint64_t*, const image_extents&, std::uint64_t*,
                        const std::uint64_t*);
template void sum_areas(window_memory&, const float*, const image_extents&, float*, const float*);
template void sum_areas(window_memory&, const double*, const image_extents&, double*,
                        const double*);
template void blur_image(window_memory&, const std::uint8_t*, const image_extents&,
                         const blur_radius&, image_border, std::uint8_t*);
template void blur_image(window_memory&, const std::uint16_t*, const image_extents&,
                         const blur_radius&, image_border, std::uint16_t*);
template struct compaction_window<std::uint8_t>;
template struct compaction_window<std::uint16_t>;
template struct compaction_window<std::uint32_t>;
template struct compaction_window<std::uint64_t>;
template struct segments_window<std::uint8_t>;
template struct segments_window<std::uint16_t>;
template struct segments_window<std::uint32_t>;
template struct segments_window<std::uint64_t>;
template struct segments_window<float>;
template struct segments_window<double>;

}  // namespace lookback::on_gpu

#include "window_scan_start-inl.hpp"
