// Launches on trial: chains of scans and of kernels with a prefix_workspace, each on the results of
// earlier ones, without a wait of the host between them; in graphs; on two streams; while epochs
// begin again and the workspace grows.
#include <algorithm>
#include <memory>
#include <numeric>

#include "lookback/kernel/device_prefix.hpp"
#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using detail::device::access;
using T = std::uint32_t;

/// out[t] = in[0] + ... + in[t], one tile for each.
__global__ void prefix_kernel(prefix_workspace<T> workspace, const T* in, T* out) {
    detail::device::wait_for_previous_kernel();
    device_prefix<T> before(workspace, detail::device::shared_memory<device_prefix<T>::memory>(),
                            T{});
    while (before.claim()) {
        const T item = in[before.tile()];
        const T prefix = before.exclusive_prefix(item);
        if (detail::device::thread_in_block() == 0) out[before.tile()] = prefix + item;
    }
}

/// Calls on three arrays, and their expected results.
class chain {
 public:
    chain(case_choices& choices, std::uint64_t calls) : choices_(choices), gpu_(stream_) {
        choose_driver(choices_, gpu_);
        const std::uint64_t room = choices_.of<std::uint64_t>({1000, 4000, 20'000, 1'050'000});
        for (int i = 0; i < 3; ++i) {
            arrays_.push_back(
                std::make_unique<gpu_array<T>>(room, choices_.one_in(3) ? choices_.below(4) : 0));
            items_.push_back({});
        }
        for (std::uint64_t i = 0; i < calls; ++i) draw_call(room);
        refill();
        grow(room);
        if (choices_.one_in(4)) {
            access::set_epoch<T>(gpu_, 0xffffffffU - static_cast<std::uint32_t>(choices_.below(4)));
        }
    }

    void start(std::uint64_t i) {
        const call& c = calls_[i];
        const T* const from = arrays_[c.from]->data();
        T* const to = arrays_[c.to]->data();
        if (c.places != nullptr) {
            start_kernel(stream_, prefix_kernel, c.places->blocks(prefix_kernel, 64), 64, c.early,
                         *c.places, from, to);
        } else {
            lookback::inclusive_scan(gpu_, from,
                                     count_at<std::uint64_t>{c.count->data(), c.at_most}, to);
        }
    }
    void start() {
        for (std::uint64_t i = 0; i < calls_.size(); ++i) start(i);
    }
    /// The same calls on the host.
    void follow() {
        for (const call& c : calls_) {
            std::partial_sum(items_[c.from].begin(),
                             items_[c.from].begin() + static_cast<long>(c.n), items_[c.to].begin());
        }
    }

    /// Writes other items, in the order of the stream.
    void refill() {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            items_[i] = test::random_values<T>(std::min<std::uint64_t>(arrays_[i]->items(), 20'000),
                                               choices_.bits());
            cudaMemcpyAsync(arrays_[i]->data(), items_[i].data(), items_[i].size() * sizeof(T),
                            cudaMemcpyHostToDevice, stream_);
        }
    }
    void grow(std::uint64_t items) { gpu_.reserve<T>(items); }
    /// Gives the next launch the last epoch; then epochs begin again.
    void end_epochs() { access::set_epoch<T>(gpu_, 0xffffffffU); }

    void check() {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            EXPECT_TRUE(same_items(arrays_[i]->get(items_[i].size()), items_[i])) << "array " << i;
            EXPECT_TRUE(arrays_[i]->is_untouched_around(items_[i].size()));
        }
    }

    cudaStream_t stream() const { return stream_; }
    std::uint64_t calls() const { return calls_.size(); }

 private:
    struct call {
        std::size_t from, to;
        std::uint64_t n, at_most;
        std::unique_ptr<gpu_array<std::uint64_t>> count;
        std::unique_ptr<prefix_workspace<T>> places;  // nullptr: a scan
        bool early;
    };

    void draw_call(std::uint64_t room) {
        call c{};
        c.from = choices_.below(3);
        c.to = choices_.below(3);
        c.early = choices_.coin();
        c.at_most = std::min(room, choices_.of<std::uint64_t>({1000, 4000, 20'000, 1'050'000}));
        const std::uint64_t most = std::min<std::uint64_t>(c.at_most, 20'000);
        if (choices_.one_in(4)) {
            c.n = choices_.below(std::min<std::uint64_t>(most, 70));
            c.places = std::make_unique<prefix_workspace<T>>(gpu_, c.n);
        } else {
            c.n = choices_.one_in(4) ? most : choices_.below(choices_.coin() ? most : 100);
            c.count = std::make_unique<gpu_array<std::uint64_t>>(std::vector<std::uint64_t>{c.n});
        }
        choices_.said(std::string(c.places != nullptr ? "prefixes" : "scan") + " of " +
                          std::to_string(c.at_most) + " from " + std::to_string(c.from) + " to " +
                          std::to_string(c.to),
                      c.n);
        calls_.push_back(std::move(c));
    }

    case_choices& choices_;
    gpu_stream stream_;
    lookback::gpu gpu_;
    std::vector<std::unique_ptr<gpu_array<T>>> arrays_;
    std::vector<std::vector<T>> items_;
    std::vector<call> calls_;
};

class captured {
 public:
    explicit captured(chain& calls) : calls_(calls) {
        cudaStreamBeginCapture(calls.stream(), cudaStreamCaptureModeGlobal);
        calls.start();
        cudaGraph_t graph = nullptr;
        cudaStreamEndCapture(calls.stream(), &graph);
        cudaGraphInstantiate(&executable_, graph);
        cudaGraphDestroy(graph);
    }
    ~captured() { cudaGraphExecDestroy(executable_); }
    captured(const captured&) = delete;
    captured& operator=(const captured&) = delete;
    void replay() { cudaGraphLaunch(executable_, calls_.stream()); }

 private:
    chain& calls_;
    cudaGraphExec_t executable_ = nullptr;
};

TEST(Launches, OneBehindTheOther) {
    for_schedules(80, [](case_choices& choices) {
        chain calls(choices, choices.between(6, 10));
        // The workspace is replaced between calls: once, or because it is too small.
        const std::uint64_t grows_before =
            choices.one_in(4) ? choices.below(calls.calls()) : calls.calls();
        for (std::uint64_t i = 0; i < calls.calls(); ++i) {
            if (i == grows_before) calls.grow(choices.said("grows for", 20'000'003));
            if (choices.one_in(8)) calls.end_epochs();
            calls.start(i);
        }
        calls.follow();
        calls.check();
    });
}

TEST(Launches, InGraphs) {
    for_schedules(40, [](case_choices& choices) {
        chain calls(choices, choices.between(1, 4));
        captured graph(calls);
        const std::uint64_t replays = choices.said("replays", choices.between(1, 4));
        for (std::uint64_t i = 0; i < replays; ++i) {
            if (choices.coin()) calls.refill();
            graph.replay();
            calls.follow();
            // Without the graph, and with a workspace that the graph does not know.
            if (choices.one_in(4)) calls.grow(20'000'003);
            if (choices.one_in(3)) {
                calls.start();
                calls.follow();
            }
        }
        calls.check();
    });
}

TEST(Launches, OnTwoStreams) {
    for_schedules(60, [](case_choices& choices) {
        chain first(choices, choices.between(3, 6)), second(choices, choices.between(3, 6));
        for (std::uint64_t i = 0; i < std::max(first.calls(), second.calls()); ++i) {
            if (i < first.calls()) first.start(i);
            if (i < second.calls()) second.start(i);
        }
        first.follow();
        second.follow();
        first.check();
        second.check();
    });
}

}  // namespace
}  // namespace lookback::trial
