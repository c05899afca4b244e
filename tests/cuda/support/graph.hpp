// Captured graphs for tests.
#pragma once

#include <functional>

#include "support/device.hpp"

namespace lookback::test {

/// A captured sequence of calls.
class graph {
 public:
    graph(cudaStream_t stream, const std::function<void()>& calls) : stream_(stream) {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "beginning a capture");
        cudaGraph_t captured = nullptr;
        try {
            calls();
        } catch (...) {
            // A program that catches the error does the same.
            check(cudaStreamEndCapture(stream, &captured), "ending a capture after an error");
            if (captured != nullptr) cudaGraphDestroy(captured);
            throw;
        }
        check(cudaStreamEndCapture(stream, &captured), "ending a capture");
        check(cudaGraphInstantiate(&executable_, captured, 0), "instantiating a graph");
        check(cudaGraphDestroy(captured), "destroying a graph");
    }
    ~graph() {
        cudaStreamSynchronize(stream_);
        if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    }
    graph(const graph&) = delete;
    graph& operator=(const graph&) = delete;
    void replay() { check(cudaGraphLaunch(executable_, stream_), "replaying a graph"); }

 private:
    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace lookback::test
