/// \file
/// The functions of window_kernels.hpp on segments. The types are divided among window_*.cu, to
/// compile faster.
///
/// The carry becomes one more item before the others, which begins a segment. This segment
/// continues with the first item, unless the first item is a head.
#pragma once

#include "any_operator.hpp"
#include "lookback/runs.hpp"
#include "lookback/segmented.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

// Heads as keys: an item continues the run of the item before it unless it is a head.
struct goes_on {
    __device__ bool operator()(std::uint8_t, std::uint8_t head) const { return head == 0; }
};

// folds[0] belongs to the item before the first one.
template <class T>
__global__ void fold_seed(const T* folds, const std::uint8_t* heads, T* out, std::size_t items,
                          any_operator<T> fold, T seed, bool is_exclusive) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= items) return;
    out[i] = is_exclusive && heads[i] != 0 ? seed : fold(seed, folds[is_exclusive ? i : i + 1]);
}

template <class T>
void segments_window<T>::scan(window_memory& memory, const T* in, std::size_t items,
                              const std::uint8_t* heads, T* out, operation op,
                              const std::optional<T>& seed, std::optional<T>& carry,
                              bool is_exclusive) {
    auto& on = memory.get();
    T* folds = upload_behind(carry.value_or(T{}), on.arrays[0], in, items);
    const auto* const flags = upload_behind(std::uint8_t{1}, on.arrays[1], heads, items);
    const any_operator<T> fold{op};
    inclusive_segmented_scan(on.gpu, folds, folds + items + 1, head_flags{flags}, folds, fold);
    const T* results = folds + 1;
    if (seed) {
        T* const seeded = on.room<T>(on.arrays[2], items);
        constexpr unsigned threads = 256;
        const auto blocks = static_cast<unsigned>((items + threads - 1) / threads);
        fold_seed<<<blocks, threads>>>(folds, flags + 1, seeded, items, fold, *seed, is_exclusive);
        detail::device::check(cudaGetLastError(), "starting a kernel");
        results = seeded;
    }
    download(out, results, items);
    T last;
    download(&last, folds + items, 1);
    carry = last;
}

template <class T>
std::size_t segments_window<T>::reduce(window_memory& memory, const T* in, std::size_t items,
                                       const std::uint8_t* heads, T* out, operation op,
                                       std::optional<T>& carry) {
    auto& on = memory.get();
    T* const values = upload_behind(carry.value_or(T{}), on.arrays[0], in, items);
    auto* const flags = upload_behind(std::uint8_t{1}, on.arrays[1], heads, items);
    const std::size_t runs = reduce_by_key(on.gpu, flags, flags + items + 1, values, flags, values,
                                           any_operator<T>{op}, goes_on{});
    // If nothing came before, the first item is a head, and the extra item before it is a run of
    // its own, which is dropped.
    const std::size_t first = carry ? 0 : 1;
    download(out, values + first, runs - first);
    carry = out[runs - first - 1];
    return runs - first - 1;
}

}  // namespace lookback::on_gpu
