/// \file
/// A CUDA graph of equal calls, and how long it takes on the device.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <type_traits>

namespace lookback::bench {

class replay {
 public:
    /// Captures `calls` calls that enqueue work on `stream`. What a call throws is passed on.
    replay(cudaStream_t stream, const std::function<void()>& call, int calls);

    /// Device time of one call, in us. The graph runs twice in a row and the second time is taken:
    /// its launch is over before the first has ended, so it costs the device nothing.
    double call_us() const;

 private:
    struct destroy {
        void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
        void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    template <class T>
    using owned = std::unique_ptr<std::remove_pointer_t<T>, destroy>;
    static owned<cudaEvent_t> make_event();

    cudaStream_t stream_;
    int calls_;
    owned<cudaGraphExec_t> graph_;
    owned<cudaEvent_t> start_ = make_event();
    owned<cudaEvent_t> stop_ = make_event();
};

}  // namespace lookback::bench
