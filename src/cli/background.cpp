#include "background.hpp"

#include <system_error>
#include <utility>

#include "error.hpp"

namespace lookback::cli {

void background::start_thread() {
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error& problem) {
        fail("cannot start a thread: {}", problem.code().message());
    }
}

background::~background() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void background::begin(std::function<void()> job) {
    if (!thread_.joinable()) start_thread();
    {
        const std::lock_guard lock(mutex_);
        job_ = std::move(job);
    }
    changed_.notify_all();
}

void background::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !job_; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void background::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return job_ || is_over_; });
        if (!job_) return;
        lock.unlock();
        std::exception_ptr thrown;
        try {
            job_();  // only this thread changes it while it is set
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        thrown_ = thrown;
        job_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace lookback::cli
