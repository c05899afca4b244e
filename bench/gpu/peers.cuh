/// \file
/// The scans of the CUDA toolkit, called as their users do, with memory that is there already.
#pragma once

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <string>
#include <type_traits>

#include "session.hpp"

namespace lookback::bench {

inline constexpr int cub_slot = 0;
inline constexpr int cub_narrow_slot = 1;
inline constexpr int thrust_slot = 2;

/// `Count` is the type of the number of items: CUB is quicker where 32 bits hold it.
template <class Count, class T, class Op>
implementation cub_scan(session& s, std::string name, int slot, std::uint64_t n, Op op) {
    const auto* const in = static_cast<const T*>(s.in());
    auto* const out = static_cast<T*>(s.out());
    const auto count = static_cast<Count>(n);
    std::size_t bytes = 0;
    check(cub::DeviceScan::InclusiveScan(nullptr, bytes, in, out, op, count, s.stream()),
          "asking CUB for its memory");
    void* const temporary = s.scratch(slot, bytes);
    return {std::move(name), [=, &s] {
                std::size_t size = bytes;
                check(
                    cub::DeviceScan::InclusiveScan(temporary, size, in, out, op, count, s.stream()),
                    "scanning with CUB");
            }};
}

template <class W, class Op>
implementation cub_scan(session& s, std::string name, int slot, std::uint64_t n, Op op) {
    using item = typename W::item;
    if constexpr (W::largest_exponent >= 32) {
        if (n > UINT32_MAX) return cub_scan<std::uint64_t, item>(s, std::move(name), slot, n, op);
    }
    return cub_scan<std::uint32_t, item>(s, std::move(name), slot, n, op);
}

/// Gives Thrust the same memory at each call.
class kept_memory {
 public:
    using value_type = char;
    explicit kept_memory(session& s) : session_(&s) {}
    char* allocate(std::ptrdiff_t bytes) {
        return static_cast<char*>(session_->scratch(thrust_slot, static_cast<std::size_t>(bytes)));
    }
    void deallocate(char*, std::size_t) {}

 private:
    session* session_;
};

template <class W>
implementation thrust_scan(session& s, std::uint64_t n) {
    using item = typename W::item;
    const auto* const in = static_cast<const item*>(s.in());
    auto* const out = static_cast<item*>(s.out());
    return {"thrust", [=, &s] {
                kept_memory memory(s);
                thrust::inclusive_scan(thrust::cuda::par_nosync(memory).on(s.stream()), in, in + n,
                                       out, typename W::peer_op{});
            }};
}

}  // namespace lookback::bench
