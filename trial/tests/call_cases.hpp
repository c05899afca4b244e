// What trials of several calls share: calls in a row, the number of items of a call, arrays that a
// call walks through in either direction, the place of a call's count, and keys in runs.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>

#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {

using detail::device::access;

/// One call: `start` starts it, and `check` checks its results after all calls have been started.
struct pending_call {
    std::function<void(lookback::gpu&)> start;
    std::function<void()> check;
};

/// Several calls in a row on one stream or two. Each has a driver of its own, and the host does not
/// wait between them. A: the value that tiles publish in some of them.
template <class A, class Make>
void calls_in_a_row(case_choices& choices, const Make& make) {
    const gpu_stream beside;
    lookback::gpu first, second(beside);
    std::vector<pending_call> calls;
    const auto many = choices.said("calls", choices.between(1, 3));
    for (std::uint64_t i = 0; i < many; ++i) calls.push_back(make());
    if (choices.one_in(6)) access::set_epoch<A>(first, 0xffffffffU - 1);
    second.reserve(1);
    cudaDeviceSynchronize();
    for (const pending_call& call : calls) {
        lookback::gpu& gpu = choices.said("beside", choices.one_in(4)) ? second : first;
        const auto driver = choices.said("driver", choices.below(4));
        access::use_pipeline(gpu, driver > 0);
        access::copy_in_bulk(gpu, driver > 1);
        access::use_small(gpu, choices.said("small", choices.coin()));
        choose_epoch<A>(choices, gpu);
        call.start(gpu);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return;
    for (const pending_call& call : calls) call.check();
}

/// Several calls in a row, all with one driver. A: the value that tiles publish.
template <class A, class Make>
void calls_by_one_driver(case_choices& choices, const Make& make) {
    lookback::gpu gpu;
    choose_driver(choices, gpu);
    if (choices.one_in(8)) access::set_epoch<A>(gpu, 0xffffffffU - 1);
    std::vector<pending_call> calls;
    const auto many = choices.said("calls", choices.between(1, 3));
    for (std::uint64_t i = 0; i < many; ++i) calls.push_back(make());
    for (const pending_call& call : calls) {
        choose_epoch<A>(choices, gpu);
        call.start(gpu);
    }
    for (const pending_call& call : calls) call.check();
}

/// The number of a call's items, and the room in its arrays, which is larger if the number is in
/// device memory.
class call_size {
 public:
    call_size(case_choices& choices, std::uint64_t tile, bool always_on_host = false)
        // Sometimes more tiles than a block has stages.
        : n(choices.size_around(tile, choices.one_in(5) ? 12 : 5)),

          at_most(n),
          is_on_device_(!always_on_host && choices.said("device count", choices.coin())),
          place_(std::make_shared<gpu_array<std::uint64_t>>(std::vector{n})) {
        if (is_on_device_) at_most += choices.of<std::uint64_t>({0, 1, 100, tile, 2 * tile + 5});
    }
    std::uint64_t n;
    std::uint64_t at_most;

    /// Calls `f` with the end of the sequence that begins at `first`.
    template <class First, class F>
    void with_end(First first, const F& f) const {
        if (is_on_device_) {
            f(count_at<std::uint64_t>{place_->data(), at_most});
        } else {
            f(first + static_cast<std::ptrdiff_t>(n));
        }
    }

 private:
    bool is_on_device_;
    std::shared_ptr<gpu_array<std::uint64_t>> place_;
};

/// The counts of a call: left in device memory, or returned by a call that waits for them.
class call_counts {
 public:
    explicit call_counts(case_choices& choices)
        : waits_(choices.said("waits", choices.one_in(4))) {}

    /// Calls `f` with the place for the counts, or without it.
    template <class F>
    void from(const F& f) {
        if (!waits_) return f(count_to<std::uint64_t>{place_.data()});
        const auto returned = f();
        if constexpr (std::is_same_v<decltype(returned), const partition_counts>) {
            place_.set({returned.first, returned.second});
        } else {
            place_.set({returned});
        }
    }
    void check(const std::vector<std::uint64_t>& want) {
        EXPECT_TRUE(same_items(place_.get(want.size()), want)) << "the count";
    }

 private:
    bool waits_;
    gpu_array<std::uint64_t> place_{2};
};

/// An array that a call walks through: from its first item upward, or from its last item downward.
template <class T, bool backward = false>
class walked_array {
 public:
    walked_array(case_choices& choices, std::uint64_t items)
        : items_(items), memory_(items, choices.shift()) {}
    walked_array(case_choices& choices, std::uint64_t items, const std::vector<T>& values)
        : walked_array(choices, items) {
        before_ = values;
        memory_.set(in_memory(values), skipped(values.size()));
    }

    auto writes() { return walk(memory_.data()); }
    auto reads() { return walk(static_cast<const T*>(memory_.data())); }

    /// Checks that the array holds `want`, that the items behind it are unchanged, and that nothing
    /// was written around the array.
    void check(const std::vector<T>& want, const std::string& what) {
        std::vector<T> all = want;
        if (all.size() < before_.size()) {
            all.insert(all.end(), before_.begin() + static_cast<std::ptrdiff_t>(want.size()),
                       before_.end());
        }
        const std::uint64_t first = skipped(all.size());
        EXPECT_TRUE(same_items(in_memory(memory_.get(all.size(), first)), all)) << what;
        EXPECT_TRUE(memory_.is_untouched_around(all.size(), first))
            << what << ": somebody wrote around it";
    }
    void expect_unchanged() { check(before_, "an input"); }
    std::vector<T> get(std::uint64_t n) { return in_memory(memory_.get(n, skipped(n))); }

 private:
    std::uint64_t skipped(std::uint64_t used) const { return backward ? items_ - used : 0; }
    static std::vector<T> in_memory(std::vector<T> values) {
        if (backward) std::reverse(values.begin(), values.end());
        return values;
    }
    template <class P>
    auto walk(P first) const {
        if constexpr (backward) {
            return std::reverse_iterator(first + items_);
        } else {
            return first;
        }
    }

    std::uint64_t items_;
    gpu_array<T> memory_;
    std::vector<T> before_;
};

/// An output: `in` itself, or another array.
template <class T, bool backward>
std::shared_ptr<walked_array<T, backward>> output_over(
    case_choices& choices, const std::shared_ptr<walked_array<T, backward>>& in,
    const call_size& size) {
    if (choices.said("in place", choices.coin())) return in;
    return std::make_shared<walked_array<T, backward>>(choices, size.at_most);
}

/// A run number for each item: runs of one item, short runs, long runs, runs across tiles, one run;
/// or a mixture.
inline std::vector<std::uint32_t> runs_of_items(case_choices& choices, std::uint64_t n,
                                                std::uint64_t tile) {
    const std::vector<std::uint64_t> means = {1, 1, 2, 3, 10, 500, 2 * tile, n + 1};
    std::uint64_t mean = choices.said("mean run", choices.of(means));
    const bool mixed = choices.said("mixed", choices.one_in(3));
    // Or runs that begin at the edges of tiles, or just before them.
    const std::uint64_t at_edges = choices.one_in(6) ? choices.between(1, 2) : 0;
    std::vector<std::uint32_t> runs(n);
    std::uint32_t run = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        if (mixed && choices.one_in(tile / 2)) mean = choices.of(means);
        if (at_edges > 0 ? (i + at_edges) % tile == 1 : choices.one_in(mean)) ++run;
        runs[i] = run;
    }
    return runs;
}

}  // namespace lookback::trial
