#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "table/device/folds.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
__global__ void put(T* to, T item) {
    *to = item;
}

template <class T, class Op>
__global__ void fold_into(T* to, T init, Op op) {
    *to = op(init, *to);
}

struct in_float32 {
    any_operator<float> op;

    template <class T>
    __device__ T operator()(T a, T b) const {
        return T(op(static_cast<float>(a), static_cast<float>(b)));
    }
};

void copy(gpu& where, void* to, const void* from, std::size_t bytes) {
    if (to == from || bytes == 0) return;
    detail::device::check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, where.stream()), "copying");
}

// Prepares a scan in place: copies the items to the output and puts or folds the initial value into
// the first place.
template <class T, class Op>
void begin(gpu& where, bool is_exclusive, const void* in, std::size_t items, T init, T* out,
           const Op& op) {
    copy(where, out + (is_exclusive ? 1 : 0), in, (items - (is_exclusive ? 1 : 0)) * sizeof(T));
    if (is_exclusive) {
        put<<<1, 1, 0, where.stream()>>>(out, init);
    } else {
        fold_into<<<1, 1, 0, where.stream()>>>(out, init, op);
    }
    detail::device::check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

void scan_from(const place& where, item_type type, operation op, bool is_exclusive, const void* in,
               std::size_t items, const void* init, void* out) {
    if (!can_scan(type, op, type)) refuse("such scan", type);
    if (items == 0) return;
    const call here(where);
    gpu& on = here;
    const auto run = [&]<class T, class Op>(std::type_identity<T>, const Op& fold, T none) {
        T* const to = static_cast<T*>(out);
        if (init == nullptr) {
            put<<<1, 1, 0, on.stream()>>>(to, none);
            detail::device::check(cudaGetLastError(), "launching a kernel");
            if (items > 1) scan_axis(where, type, op, in, {1, items - 1, 1}, type, to + 1);
            return;
        }
        T first;
        std::memcpy(&first, init, sizeof(T));
        begin(on, is_exclusive, in, items, first, to, fold);
        scan_axis(where, type, op, to, {1, items, 1}, type, to);
    };
    if (init == nullptr && !is_exclusive) {
        return scan_axis(where, type, op, in, {1, items, 1}, type, out);
    }
    const on_gpu::operation fold = kernel_operation(type, op);
    const auto run_half = [&]<class T>(std::type_identity<T> as) {
        run(as, in_float32{{fold}}, T(identity_of<float>(fold)));
    };
    const auto run_number = [&]<class T>(std::type_identity<T> as) {
        run(as, any_operator<T>{fold}, identity_of<T>(fold));
    };
    using enum item_type;
    if (type == float16) return run_half(std::type_identity<__half>{});
    if (type == bfloat16) return run_half(std::type_identity<__nv_bfloat16>{});
    if (type == uint8) return run_number(std::type_identity<std::uint8_t>{});
    const bool is_done = with_folded(type, op, run_number);
    if (!is_done) refuse("such scan", type);
}

}  // namespace lookback::on_device
