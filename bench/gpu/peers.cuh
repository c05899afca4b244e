/// \file
/// The scans of the CUDA toolkit, called as their users do, with memory that exists already.
#pragma once

#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <string>
#include <utility>

#include "toolkit.cuh"

namespace lookback::bench {

/// Calls f(n), with n as an integer of 32 bits if they hold it: then CUB is quicker.
template <class W, class Function>
implementation with_count(std::uint64_t n, Function f) {
    if constexpr (W::largest_exponent >= 32) {
        if (n > UINT32_MAX) return f(n);
    }
    return f(static_cast<std::uint32_t>(n));
}

template <class W, class Op>
implementation cub_scan(session& s, std::string name, int slot, std::uint64_t n, Op op) {
    using item = typename W::item;
    const auto* const in = static_cast<const item*>(s.in());
    auto* const out = static_cast<item*>(s.out());
    return with_count<W>(n, [&](auto count) {
        return cub_call(s, std::move(name), slot, [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, op, count, s.stream());
        });
    });
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
