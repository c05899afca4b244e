// The examples of docs/start_cuda.md, which quotes them. They run beside the GPU tests, and on the
// simulated GPU in trial/tests/start_page.cpp.
#pragma once

#include <lookback/lookback.hpp>

#include "example.hpp"

// [predicate]
struct is_positive {
    __host__ __device__ bool operator()(float x) const { return x > 0; }
};
// [/predicate]

// [chain]
// The running sum of the positive items: two kernels, and the host does not wait between them.
inline void sum_positive(lookback::gpu& gpu, const float* in, std::size_t n, float* out,
                         std::size_t* kept) {
    lookback::select_if(gpu, in, in + n, out, lookback::count_to{kept}, is_positive{});
    lookback::inclusive_scan(gpu, out, lookback::count_at{kept, n}, out);
}
// [/chain]

inline bool first_scans() {
    const std::vector<int> on_host = {3, 1, 7, 0, 4, 1, 6, 3};
    const device_array<int> in_device(on_host), out_device(on_host.size());
    const std::size_t n = on_host.size();
    const int* in = in_device.data();
    int* out = out_device.data();
    // [scans]
    lookback::gpu gpu;  // the default stream of the current device, or gpu{stream}

    lookback::inclusive_scan(gpu, in, in + n, out);                       // 3 4 11 11 15 16 22 25
    lookback::exclusive_scan(gpu, in, in + n, out, 0);                    // 0 3 4 11 11 15 16 22
    lookback::inclusive_scan(gpu, in, in + n, out, lookback::maximum{});  // 3 3 7 7 7 7 7 7

    lookback::sort_keys(gpu, in, in + n, out);                              // 0 1 1 3 3 4 6 7
    const std::size_t distinct = lookback::unique(gpu, out, out + n, out);  // waits: 0 1 3 4 6 7
    // [/scans]
    return distinct == 6 && out_device.get()[5] == 7;
}

inline bool in_a_graph() {
    const std::vector<float> on_host = {1, -2, 3, 4, -5, 6};
    const device_array<float> in_device(on_host), out_device(on_host.size());
    const device_array<std::size_t> kept_device(1);
    const std::size_t n = on_host.size();
    const float* in = in_device.data();
    float* out = out_device.data();
    std::size_t* kept = kept_device.data();
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    {
        // [graph]
        lookback::gpu gpu{stream};
        gpu.reserve(n);  // inside a capture the workspace cannot grow
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t launchable = nullptr;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        sum_positive(gpu, in, n, out, kept);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&launchable, graph, 0);
        cudaGraphLaunch(launchable, stream);  // as often as you like, with other data
        // [/graph]
        check(cudaStreamSynchronize(stream), "running the graph");
        check(cudaGraphExecDestroy(launchable), "destroying the graph");
        check(cudaGraphDestroy(graph), "destroying the graph");
    }
    check(cudaStreamDestroy(stream), "destroying the stream");
    const std::vector<float> sums = out_device.get();
    return kept_device.get()[0] == 4 && sums[0] == 1 && sums[1] == 4 && sums[2] == 8 &&
           sums[3] == 14;
}

inline bool run_start_page() { return first_scans() && in_a_graph(); }
