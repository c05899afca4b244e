#include "lookback/cuda/execution.hpp"
#include "replay.hpp"

namespace lookback::bench {

using detail::gpu::check;

replay::owned<cudaEvent_t> replay::make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "creating an event");
    return owned<cudaEvent_t>(event);
}

replay::replay(cudaStream_t stream, const std::function<void()>& call, int calls)
    : stream_(stream), calls_(calls) {
    // Relaxed: a peer may ask the device questions while it is captured.
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "capturing a graph");
    cudaGraph_t captured = nullptr;
    try {
        for (int i = 0; i < calls; ++i) call();
    } catch (...) {
        cudaStreamEndCapture(stream, &captured);
        cudaGetLastError();
        const owned<cudaGraph_t> unfinished(captured);
        throw;
    }
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    const owned<cudaGraph_t> graph(captured);
    check(ended, "ending the capture of a graph");
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph.get(), 0), "making a graph executable");
    graph_.reset(executable);
    check(cudaGraphUpload(graph_.get(), stream), "uploading a graph");
}

double replay::call_us() const {
    check(cudaGraphLaunch(graph_.get(), stream_), "launching a graph");
    check(cudaEventRecord(start_.get(), stream_), "recording an event");
    check(cudaGraphLaunch(graph_.get(), stream_), "launching a graph");
    check(cudaEventRecord(stop_.get(), stream_), "recording an event");
    check(cudaEventSynchronize(stop_.get()), "running a graph");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_.get(), stop_.get()), "timing a graph");
    return 1e3 * static_cast<double>(ms) / calls_;
}

}  // namespace lookback::bench
