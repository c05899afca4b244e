/// \file
/// Some threads that do the same to parts of something, for files: the library's own are for
/// arrays, and not part of the readers and writers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "background.hpp"

namespace lookback::cli {

class crew {
 public:
    /// At most so many threads, 0: as many as the machine has. They are started when they are
    /// needed.
    explicit crew(int threads)
        : others_((threads > 0 ? static_cast<std::size_t>(threads)
                               : std::max(1U, std::thread::hardware_concurrency())) -
                  1) {}

    std::size_t size() const { return others_.size() + 1; }

    /// Calls job(i) for i from 0 to before `parts`, which is at most size(), at the same time.
    /// Rethrows what one of them threw.
    template <class Job>
    void run(std::size_t parts, const Job& job) {
        const waiting until_done{others_, parts};
        for (std::size_t i = 1; i < parts; ++i) others_[i - 1].start([&job, i] { job(i); });
        if (parts > 0) job(0);
        for (std::size_t i = 1; i < parts; ++i) others_[i - 1].wait();
    }

 private:
    // Whatever is thrown, nobody works on when `run` is left.
    struct waiting {
        ~waiting() {
            for (std::size_t i = 1; i < parts; ++i) {
                try {
                    others[i - 1].wait();
                } catch (...) {  // something else is on its way already
                }
            }
        }
        std::vector<background>& others;
        std::size_t parts;
    };

    std::vector<background> others_;
};

}  // namespace lookback::cli
