// The CUDA runtime over the simulated GPU. Nothing runs before the host waits for it.
#include <cuda_runtime.h>

#include <cstring>
#include <set>
#include <vector>

#include "simulator/gpu.hpp"

namespace lookback::trial {

namespace {

using work = stream_state::work;

std::set<cudaStream_t>& capturing() {
    static std::set<cudaStream_t> all;
    return all;
}
std::vector<work>& captured() {
    static std::vector<work> all;
    return all;
}

struct stream_handle {};
struct graph {
    std::vector<work> nodes;
};

// Each launch has its own state, so a graph makes new launches at each replay.
work fresh(const work& node) {
    work copy = node;
    if (node.kernel != nullptr) copy.kernel = std::make_shared<launch>(*node.kernel);
    return copy;
}

cudaError_t put(cudaStream_t stream, work node) {
    if (capturing().contains(stream)) {
        captured().push_back(std::move(node));
    } else {
        gpu().enqueue(stream, std::move(node));
    }
    return cudaSuccess;
}

cudaError_t run(stream_state* until) {
    return gpu().run(until) ? cudaSuccess : cudaErrorLaunchFailure;
}

// The number of blocks of a launch's clusters.
unsigned cluster_of(const cudaLaunchConfig_t& how) {
    for (unsigned i = 0; i < how.numAttrs; ++i) {
        if (how.attrs[i].id == cudaLaunchAttributeClusterDimension) {
            return how.attrs[i].val.clusterDim.x;
        }
    }
    return 1;
}

void touch(const accessor& by, const void* at, std::size_t bytes, bool writes) {
    if (gpu_memory().holds(at)) gpu_memory().access(by, at, bytes, {writes});
}

}  // namespace

cudaError_t launch_kernel(cudaStream_t stream, kernel_call call) {
    if (call.blocks == 0 || call.threads == 0 || call.threads > 1024) return cudaErrorInvalidValue;
    auto l = std::make_shared<launch>();
    l->kernel = call.kernel;
    l->blocks = call.blocks;
    l->threads = call.threads;
    l->dynamic_bytes = call.dynamic_bytes;
    l->cluster = cluster_of(*call.how);
    if (call.blocks % l->cluster != 0 || resident_clusters(*call.how) == 0) {
        return cudaErrorInvalidValue;
    }
    for (unsigned i = 0; i < call.how->numAttrs; ++i) {
        if (call.how->attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization) {
            l->may_start_early = true;
        }
        if (call.how->attrs[i].id == cudaLaunchAttributeCooperative) {
            l->together = call.how->attrs[i].val.cooperative != 0;
        }
    }
    if (l->together &&
        call.blocks > static_cast<unsigned>(
                          resident_blocks(static_cast<int>(call.threads), call.dynamic_bytes) *
                          gpu().how.reported)) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    l->run_thread = std::move(call.run_thread);
    return put(stream, {l, {}, nullptr});
}

int resident_blocks(int threads, std::size_t shared_bytes) {
    return gpu().resident_blocks(static_cast<unsigned>(threads), shared_bytes);
}

int resident_clusters(const cudaLaunchConfig_t& how) {
    const unsigned cluster = cluster_of(how);
    const int blocks = gpu().resident_blocks(how.blockDim.x, how.dynamicSmemBytes);
    return cluster > 16 ? 0 : blocks * gpu().how.multiprocessors / static_cast<int>(cluster);
}

}  // namespace lookback::trial

using namespace lookback::trial;

const char* cudaGetErrorString(cudaError_t code) {
    switch (code) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorNotReady: return "device not ready";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
        case cudaErrorStreamCaptureUnsupported:
            return "operation not permitted when stream is capturing";
        default: return "operation failed due to a previous error during capture";
    }
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
        case cudaDevAttrMultiProcessorCount: *value = gpu().how.reported; break;
        case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 232448; break;
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return run(nullptr); }

cudaError_t cudaMalloc(void** at, std::size_t bytes) {
    *at = gpu_memory().allocate(bytes);
    return *at == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* at) {
    if (at == nullptr) return cudaSuccess;
    if (const cudaError_t code = run(nullptr); code != cudaSuccess) return code;
    gpu_memory().free(static_cast<std::byte*>(at));
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (bytes == 0) return cudaSuccess;
    if (kind == cudaMemcpyHostToDevice) {
        // Host memory that is not pinned is read at once.
        const auto* const first = static_cast<const std::byte*>(from);
        const auto held = std::make_shared<std::vector<std::byte>>(first, first + bytes);
        return put(stream, {nullptr,
                            [=](const accessor& by) {
                                touch(by, to, bytes, true);
                                std::memcpy(to, held->data(), bytes);
                            },
                            nullptr});
    }
    put(stream, {nullptr,
                 [=](const accessor& by) {
                     touch(by, from, bytes, false);
                     touch(by, to, bytes, true);
                     std::memmove(to, from, bytes);
                 },
                 nullptr});
    return kind == cudaMemcpyDeviceToHost ? cudaStreamSynchronize(stream) : cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    // It waits for the default stream only.
    cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return run(&gpu().stream(nullptr));
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream) {
    return put(stream, {nullptr,
                        [=](const accessor& by) {
                            touch(by, at, bytes, true);
                            std::memset(at, value, bytes);
                        },
                        nullptr});
}
cudaError_t cudaMemset(void* at, int value, std::size_t bytes) {
    return cudaMemsetAsync(at, value, bytes, nullptr);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = reinterpret_cast<cudaStream_t>(new stream_handle);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    cudaStreamSynchronize(stream);
    if (!gpu().has_failed()) gpu().forget_stream(stream);
    delete reinterpret_cast<stream_handle*>(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (capturing().contains(stream)) return cudaErrorStreamCaptureUnsupported;
    return run(&gpu().stream(stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    capturing().insert(stream);
    captured().clear();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* to) {
    capturing().erase(stream);
    *to = reinterpret_cast<cudaGraph_t>(new graph{std::move(captured())});
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    *status =
        capturing().contains(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t from, unsigned long long) {
    *to = reinterpret_cast<cudaGraphExec_t>(new graph(*reinterpret_cast<graph*>(from)));
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    for (const work& node : reinterpret_cast<graph*>(exec)->nodes) put(stream, fresh(node));
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
    delete reinterpret_cast<graph*>(g);
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g) {
    delete reinterpret_cast<graph*>(g);
    return cudaSuccess;
}
