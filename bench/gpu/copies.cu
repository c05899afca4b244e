// What a scan cannot beat by much: copies, and the launch of a kernel. The copy kernel may start
// early, as our scans may.

#include "lookback/detail/device/launch.hpp"
#include "session.hpp"

namespace lookback::bench {
namespace {

constexpr unsigned copy_threads = 256;
constexpr unsigned copy_vectors = 4;  // of 16 bytes for each thread

__global__ void __launch_bounds__(copy_threads)
    copy_kernel(const uint4* in, uint4* out, std::uint64_t vectors) {
    detail::device::wait_for_previous_kernel();
    const std::uint64_t first =
        std::uint64_t{blockIdx.x} * (copy_threads * copy_vectors) + threadIdx.x;
    uint4 held[copy_vectors];
#pragma unroll
    for (unsigned v = 0; v < copy_vectors; ++v) {
        const std::uint64_t i = first + v * copy_threads;
        if (i < vectors) held[v] = in[i];
    }
#pragma unroll
    for (unsigned v = 0; v < copy_vectors; ++v) {
        const std::uint64_t i = first + v * copy_threads;
        if (i < vectors) out[i] = held[v];
    }
}

__global__ void empty_kernel() {}

}  // namespace

void copy(session& s, const void* from, void* to, std::uint64_t bytes) {
    const std::uint64_t vectors = bytes / sizeof(uint4);
    constexpr unsigned tile = copy_threads * copy_vectors;
    detail::device::start<copy_kernel>(
        s.gpu(), detail::device::access::facts<copy_kernel>(s.gpu(), copy_threads, 0),
        (vectors + tile - 1) / tile, copy_threads, 0, static_cast<const uint4*>(from),
        static_cast<uint4*>(to), vectors);
}

std::vector<implementation> copies(session& s, std::uint64_t bytes) {
    return {{"copy_kernel", [=, &s] { copy(s, s.in(), s.out(), bytes); }},
            {"memcpy", [=, &s] {
                 check(
                     cudaMemcpyAsync(s.out(), s.in(), bytes, cudaMemcpyDeviceToDevice, s.stream()),
                     "copying");
             }}};
}

implementation empty_launch(const session& s) {
    return {"empty", [&s] {
                empty_kernel<<<1, 32, 0, s.stream()>>>();
                check(cudaGetLastError(), "launching an empty kernel");
            }};
}

}  // namespace lookback::bench
