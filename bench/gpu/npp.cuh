/// \file
/// NVIDIA's NPP as a peer, where LOOKBACK_BENCH_NPP names its folder. Its tables of bytes are
/// exclusive, have entries of 32 bits, and are of one image.
#pragma once

#include <vector>

#include "session.hpp"
#include "tables.hpp"

#if LOOKBACK_BENCH_NPP

#include <nppi_filtering_functions.h>
#include <nppi_statistics_functions.h>

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace lookback::bench {

inline NppStreamContext npp_context(cudaStream_t stream) {
    NppStreamContext context{};
    context.hStream = stream;
    check(cudaGetDevice(&context.nCudaDeviceId), "finding the current device");
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, context.nCudaDeviceId), "describing the device");
    context.nMultiProcessorCount = gpu.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = gpu.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = gpu.maxThreadsPerBlock;
    context.nSharedMemPerBlock = gpu.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = gpu.major;
    context.nCudaDevAttrComputeCapabilityMinor = gpu.minor;
    check(cudaStreamGetFlags(stream, &context.nStreamFlags), "asking for a stream's flags");
    return context;
}

/// NPP's table, if it makes such tables.
template <class In, class A>
std::vector<implementation> npp_tables(const session& s, const image_case& of, const In* in,
                                       A* out) {
    if constexpr (std::same_as<In, std::uint8_t> && std::same_as<A, std::uint32_t>) {
        if (!of.exclusive || of.images != 1) return {};
        const auto bytes = [](std::uint64_t items, std::size_t of_item) {
            return static_cast<int>(items * of_item);
        };
        const int in_step = bytes(of.width + of.gap, sizeof(In));
        const int out_step = bytes(of.width + 1 + of.gap, sizeof(A));
        const NppiSize size{static_cast<int>(of.width), static_cast<int>(of.height)};
        return {{"npp", [=, context = npp_context(s.stream())] {
                     const NppStatus status = nppiIntegral_8u32s_C1R_Ctx(
                         in, in_step, reinterpret_cast<Npp32s*>(out), out_step, size, 0, context);
                     if (status != NPP_SUCCESS) {
                         throw std::runtime_error("NPP returns " + std::to_string(status));
                     }
                 }}};
    }
    return {};
}

/// NPP's mean of square windows of RGBA8; the border repeats the outermost pixels.
inline std::vector<implementation> npp_box_filter(const session& s, const void* in, void* out,
                                                  std::uint64_t side, std::int32_t radius) {
    const int pixels = static_cast<int>(side), step = 4 * pixels;
    const NppiSize size{pixels, pixels}, mask{2 * radius + 1, 2 * radius + 1};
    return {{"npp", [=, context = npp_context(s.stream())] {
                 const NppStatus status = nppiFilterBoxBorder_8u_C4R_Ctx(
                     static_cast<const Npp8u*>(in), step, size, {0, 0}, static_cast<Npp8u*>(out),
                     step, size, mask, {radius, radius}, NPP_BORDER_REPLICATE, context);
                 if (status != NPP_SUCCESS) {
                     throw std::runtime_error("NPP returns " + std::to_string(status));
                 }
             }}};
}

}  // namespace lookback::bench

#else

namespace lookback::bench {

template <class In, class A>
std::vector<implementation> npp_tables(const session&, const image_case&, const In*, A*) {
    return {};
}
inline std::vector<implementation> npp_box_filter(const session&, const void*, void*, std::uint64_t,
                                                  std::int32_t) {
    return {};
}

}  // namespace lookback::bench

#endif
