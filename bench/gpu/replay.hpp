/// \file
/// How long equal calls take on the device, in a CUDA graph or one by one.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <type_traits>

namespace lookback::bench {

struct destroy {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
template <class T>
using owned = std::unique_ptr<std::remove_pointer_t<T>, destroy>;

/// Two events around what is timed.
class event_pair {
 public:
    explicit event_pair(cudaStream_t stream) : stream_(stream) {}
    void begin() const;
    /// Waits, and returns the us since begin().
    double end() const;

 private:
    static owned<cudaEvent_t> make_event();

    cudaStream_t stream_;
    owned<cudaEvent_t> start_ = make_event();
    owned<cudaEvent_t> stop_ = make_event();
};

class replay {
 public:
    /// Captures `calls` calls that enqueue work on `stream`. An exception from a call is passed on.
    replay(cudaStream_t stream, const std::function<void()>& call, int calls);

    /// Device time of one call, in us. The graph runs twice in a row and the second run is timed:
    /// its launch is over before the first run has ended, so it costs the device nothing.
    double call_us() const;

 private:
    cudaStream_t stream_;
    int calls_;
    owned<cudaGraphExec_t> graph_;
    event_pair events_{stream_};
};

/// Device time of one of `calls` plain calls in a row, in us, with the gaps between them.
double plain_call_us(cudaStream_t stream, const std::function<void()>& call, int calls);

}  // namespace lookback::bench
