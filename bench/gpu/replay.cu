#include "lookback/gpu.hpp"
#include "replay.hpp"

namespace lookback::bench {

using detail::device::check;

owned<cudaEvent_t> event_pair::make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "creating an event");
    return owned<cudaEvent_t>(event);
}

void event_pair::begin() const {
    check(cudaEventRecord(start_.get(), stream_), "recording an event");
}

double event_pair::end() const {
    check(cudaEventRecord(stop_.get(), stream_), "recording an event");
    check(cudaEventSynchronize(stop_.get()), "running what is timed");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_.get(), stop_.get()), "timing");
    return 1e3 * static_cast<double>(ms);
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
    events_.begin();
    check(cudaGraphLaunch(graph_.get(), stream_), "launching a graph");
    return events_.end() / calls_;
}

double plain_call_us(cudaStream_t stream, const std::function<void()>& call, int calls) {
    const event_pair events(stream);
    events.begin();
    for (int i = 0; i < calls; ++i) call();
    return events.end() / calls;
}

}  // namespace lookback::bench
