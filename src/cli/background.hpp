/// \file
/// One job in the background: results are written while the next ones are computed.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace lookback::cli {

class background {
 public:
    background() = default;
    ~background();

    /// Starts `job` once the job before it is done. Rethrows what that job threw. The first job
    /// needs a thread: throws `error` if the system has none left.
    template <class Job>
    void start(const Job& job) {
        wait();  // first: the copy may throw too, and would hide an earlier error
        begin(job);
    }
    /// Waits until the last job is done. Rethrows what it threw.
    void wait();

 private:
    void begin(std::function<void()> job);
    void start_thread();
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;  // empty when there is nothing to do
    std::exception_ptr thrown_;
    bool is_over_ = false;
    std::thread thread_;  // last: it uses the members above
};

}  // namespace lookback::cli
