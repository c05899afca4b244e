/// \file
/// The scans of the CUDA toolkit, called as their users do, with memory that exists already.
#pragma once

#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <string>

#include "toolkit.cuh"

namespace lookback::bench {

/// `Count` is the type of the number of items: CUB is quicker if 32 bits hold it.
template <class Count, class T, class Op>
implementation cub_scan(session& s, std::string name, int slot, std::uint64_t n, Op op) {
    const auto* const in = static_cast<const T*>(s.in());
    auto* const out = static_cast<T*>(s.out());
    const auto count = static_cast<Count>(n);
    return cub_call(s, std::move(name), slot, [=, &s](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, op, count, s.stream());
    });
}

template <class W, class Op>
implementation cub_scan(session& s, std::string name, int slot, std::uint64_t n, Op op) {
    using item = typename W::item;
    if constexpr (W::largest_exponent >= 32) {
        if (n > UINT32_MAX) return cub_scan<std::uint64_t, item>(s, std::move(name), slot, n, op);
    }
    return cub_scan<std::uint32_t, item>(s, std::move(name), slot, n, op);
}

template <class W>
implementation thrust_scan(session& s, std::uint64_t n) {
    using item = typename W::item;
    const auto* const in = static_cast<const item*>(s.in());
    auto* const out = static_cast<item*>(s.out());
    return {"thrust", [=, &s] {
                thrust_memory memory(s);
                thrust::inclusive_scan(thrust::cuda::par_nosync(memory).on(s.stream()), in, in + n,
                                       out, typename W::peer_op{});
            }};
}

}  // namespace lookback::bench
