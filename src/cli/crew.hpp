/// \file
/// A few threads that do one job on the parts of something, for files. (The library's own threads
/// are for arrays; the readers and writers do not depend on them.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "background.hpp"

namespace lookback::cli {

class crew {
 public:
    /// At most `threads` threads; 0: as many as the machine has. They are started when they are
    /// first needed.
    explicit crew(int threads)
        : others_((threads > 0 ? static_cast<std::size_t>(threads)
                               : std::max(1U, std::thread::hardware_concurrency())) -
                  1) {}

    std::size_t size() const { return others_.size() + 1; }

    /// Calls job(i) for each i in [0, parts), at the same time; `parts` is at most size(). Rethrows
    /// what one of the calls threw.
    template <class Job>
    void run(std::size_t parts, const Job& job) {
        const waiting until_done{others_, parts};
        for (std::size_t i = 1; i < parts; ++i) others_[i - 1].start([&job, i] { job(i); });
        if (parts > 0) job(0);
        for (std::size_t i = 1; i < parts; ++i) others_[i - 1].wait();
    }

 private:
    // Whatever is thrown, no job is running any more when `run` returns.
    struct waiting {
        ~waiting() {
            for (std::size_t i = 1; i < parts; ++i) {
                try {
                    others[i - 1].wait();
                } catch (...) {  // another exception is on its way already
                }
            }
        }
        std::vector<background>& others;
        std::size_t parts;
    };

    std::vector<background> others_;
};

}  // namespace lookback::cli
