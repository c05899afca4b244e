#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>

#include "replay.hpp"
#include "session.hpp"

namespace lookback::bench {
namespace {

constexpr int warm_up_copies = 100;
constexpr int warm_up_rounds = 2;
constexpr int rounds = 11;
constexpr double round_us = 1000;  // a round is made of calls for about so long
constexpr int most_calls = 1000;   // in a graph

constexpr int host_calls = 400;
constexpr int host_queue = 50;  // calls between two synchronisations

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

int calls_in_replay(cudaStream_t stream, const std::function<void()>& call) {
    const double alone = replay(stream, call, 1).call_us();
    if (alone >= round_us) return 1;
    // A short call alone is mostly the launch of its graph, so several are timed.
    const double among_others = replay(stream, call, 16).call_us();
    return std::clamp(static_cast<int>(round_us / among_others), 1, most_calls);
}

// Returns a function that times one round: us of a call.
std::function<double()> timer(cudaStream_t stream, const implementation& one) {
    if (one.waits) {
        const double alone = plain_call_us(stream, one.call, 1);
        const int calls = std::clamp(static_cast<int>(round_us / alone), 1, most_calls);
        return [=, call = one.call] { return plain_call_us(stream, call, calls); };
    }
    const int calls = calls_in_replay(stream, one.call);
    const auto graph = std::make_shared<replay>(stream, one.call, calls);
    return [graph] { return graph->call_us(); };
}

}  // namespace

session::session(std::uint64_t most_bytes, int arrays) {
    std::size_t unused = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&unused, &total), "asking for the free memory");
    // The peers, graphs and our workspace need memory, too.
    const std::uint64_t room = unused / 10 * 9 / static_cast<std::uint64_t>(arrays);
    array_bytes_ = std::min(most_bytes, room / 256 * 256);
    arrays_.resize(static_cast<std::size_t>(arrays));
    for (void*& array : arrays_) check(cudaMalloc(&array, array_bytes_), "allocating an array");
    void* flag = nullptr;
    check(cudaMalloc(&flag, sizeof(*flag_)), "allocating a number");
    flag_ = static_cast<std::uint64_t*>(flag);
    for (int i = 0; i < warm_up_copies; ++i) {  // the clocks of an idle device are low
        check(cudaMemcpyAsync(out(), in(), array_bytes_, cudaMemcpyDeviceToDevice, stream_),
              "warming up");
    }
    synchronise();
}

session::~session() {
    cudaStreamSynchronize(stream_);
    for (const memory& m : scratch_) cudaFree(m.at);
    cudaFree(flag_);
    for (void* const array : arrays_) cudaFree(array);
}

void* session::scratch(int slot, std::size_t bytes) {
    const auto index = static_cast<std::size_t>(slot);
    if (scratch_.size() <= index) scratch_.resize(index + 1);
    memory& m = scratch_[index];
    if (m.bytes < bytes) {
        synchronise();
        check(cudaFree(m.at), "giving a peer's memory back");
        m = {};
        check(cudaMalloc(&m.at, bytes), "allocating a peer's memory");
        m.bytes = bytes;
    }
    return m.at;
}

times session::device_times(const std::vector<implementation>& all, std::string& trouble) const {
    struct contender {
        std::string name;
        std::function<double()> call_us;
        std::vector<double> us;
    };
    std::vector<contender> contenders;
    for (const implementation& one : all) {
        try {
            contenders.push_back({one.name, timer(stream_, one), {}});
        } catch (const std::exception& e) {
            trouble += (trouble.empty() ? "" : "; ") + one.name + " is not timed: " + e.what();
        }
    }
    for (int round = 0; round < warm_up_rounds + rounds; ++round) {
        for (contender& c : contenders) {
            const double us = c.call_us();
            if (round >= warm_up_rounds) c.us.push_back(us);
        }
    }
    times result;
    for (contender& c : contenders) result[c.name] = median(std::move(c.us));
    return result;
}

times session::host_times(const std::vector<implementation>& all) const {
    times result;
    for (const implementation& one : all) {
        std::vector<double> us;
        for (int call = -host_queue; call < host_calls; ++call) {  // calls below 0 warm up
            if (call % host_queue == 0) synchronise();
            const auto start = std::chrono::steady_clock::now();
            one.call();
            const std::chrono::duration<double, std::micro> taken =
                std::chrono::steady_clock::now() - start;
            if (call >= 0) us.push_back(taken.count());
        }
        synchronise();
        result[one.name] = median(std::move(us));
    }
    return result;
}

}  // namespace lookback::bench
