// Launches: streams, and blocks that start and end.
#include <algorithm>
#include <cstring>

#include "simulator/atomics.hpp"
#include "simulator/clusters.hpp"
#include "simulator/gpu.hpp"
#include "simulator/names.hpp"

namespace lookback::trial {

namespace {
constexpr unsigned most_threads = 2048;
constexpr std::size_t most_shared = 233472 - 1024;  // of a multiprocessor, and of a block
}  // namespace

schedule schedule::draw(random_choices& choices) {
    schedule s;
    // Few, so that blocks wait for room; sometimes enough for two clusters of eight large blocks.
    s.multiprocessors =
        static_cast<int>(choices.one_in(5) ? choices.between(8, 17) : choices.between(1, 4));
    // Sometimes another kernel holds further multiprocessors.
    s.reported =
        s.multiprocessors + (choices.one_in(4) ? static_cast<int>(choices.between(1, 4)) : 0);
    s.resident = static_cast<int>(choices.between(1, 3));
    s.order = static_cast<int>(choices.below(3));
    s.gives_way = static_cast<int>(std::uint64_t{1} << choices.between(0, 5));
    s.plain_steps = static_cast<int>(std::uint64_t{16} << choices.between(0, 9));
    s.by_priority = choices.one_in(3);
    s.stays_close = !choices.one_in(4);
    s.starved = choices.one_in(2) ? 0 : static_cast<int>(choices.between(1, 3));
    s.stale = static_cast<int>(choices.between(2, 8));
    s.cycles = std::uint64_t{1} << choices.between(2, 12);
    return s;
}

std::string schedule::text() const {
    const char* const orders[] = {"in order", "in reverse", "in any order"};
    const char* const whom[] = {"nothing", "threads", "warps", "blocks"};
    return std::to_string(multiprocessors) + " multiprocessors (" + std::to_string(reported) +
           " reported) with " + std::to_string(resident) + " blocks at most, started " +
           orders[order] + "; one step in " + std::to_string(gives_way) + " gives way, " +
           (stays_close   ? "mostly to the thread woken last, "
            : by_priority ? "by priority, "
                          : "") +
           "starving " + whom[starved];
}

void simulated_gpu::begin(std::uint64_t seed) {
    choices = random_choices(seed);
    how = schedule::draw(choices);
    for (auto& b : blocks_) {
        for (auto& t : b->threads) {
            if (t->stack != nullptr) stacks_.push_back(t->stack);
        }
    }
    ready_.clear();
    polling_.clear();
    copies_.clear();
    startable_.clear();
    streams_.clear();
    blocks_.clear();
    shared_arenas_.clear();
    steps = changes = quiet_rounds_ = starved_until_ = launches_ = 0;
    plain_steps_ = 1;
    failure_.clear();
    found_.clear();
    current = nullptr;
    forget_history();
    gpu_memory().clear();
}

stream_state& simulated_gpu::stream(void* handle) {
    for (auto& [other, state] : streams_) {
        if (other == handle) return *state;
    }
    return *streams_.emplace_back(handle, std::make_unique<stream_state>()).second;
}
void simulated_gpu::forget_stream(void* handle) {
    std::erase_if(streams_, [&](const auto& s) { return s.first == handle; });
}

void simulated_gpu::enqueue(void* handle, stream_state::work work) {
    if (has_failed()) return;
    work.known = host_known_;
    stream(handle).queue.push_back(std::move(work));
    may_progress_ = true;
}

int simulated_gpu::resident_blocks(unsigned threads, std::size_t shared_bytes) const {
    if (threads > 1024 || shared_bytes > most_shared) return 0;
    const unsigned by_threads = most_threads / threads;
    const std::size_t by_shared = shared_bytes == 0 ? 32 : most_shared / shared_bytes;
    return static_cast<int>(std::min(
        {static_cast<std::size_t>(how.resident), static_cast<std::size_t>(by_threads), by_shared}));
}

void simulated_gpu::progress_streams() {
    for (auto& [handle, state] : streams_) {
        stream_state& s = *state;
        const auto retire = [](stream_state& mine) {
            std::erase_if(mine.running, [&](const auto& l) {
                if (l->is_done()) mine.known = join(mine.known, l->done_known);
                return l->is_done();
            });
        };
        for (retire(s); !s.queue.empty(); retire(s)) {
            const stream_state::work next = s.queue.front();
            if (next.kernel == nullptr) {
                if (!s.running.empty()) break;
                s.queue.pop_front();
                run_on_gpu(s, next);
                continue;
            }
            launch& l = *next.kernel;
            launch* const before = s.running.empty() ? nullptr : s.running.back().get();
            if (before != nullptr && !(l.may_start_early && before->passed_on == before->blocks)) {
                break;
            }
            s.queue.pop_front();
            l.number = ++launches_;
            if (before != nullptr) l.before = s.running.back();
            l.start_known = join(before == nullptr ? s.known : before->start_known, next.known);
            l.left = l.blocks;
            for (unsigned b = 0; b < l.blocks; b += l.cluster) {
                l.to_start.push_back(l.blocks - l.cluster - b);
            }
            if (how.order == 1) std::reverse(l.to_start.begin(), l.to_start.end());
            if (how.order == 2) {
                for (std::size_t i = l.to_start.size(); i > 1; --i) {
                    std::swap(l.to_start[i - 1], l.to_start[choices.below(i)]);
                }
            }
            s.running.push_back(next.kernel);
            startable_.push_back(next.kernel);
        }
    }
}

// Runs a request of the host, such as a copy, as an actor of its own.
void simulated_gpu::run_on_gpu(stream_state& s, const stream_state::work& w) {
    const actor who{new_group("a copy that the host has asked for", nullptr), 0};
    s.known = join(s.known, w.known);
    const accessor by{who, 1, s.known.get(), s.known.get(), 0};
    w.on_gpu(by);
    s.known = whole({s.known, who, 1});
}

std::uint16_t simulated_gpu::new_group(const std::string& name, const void* kernel) {
    if (group_names.size() > 60'000) throw failure("too many blocks between two waits of the host");
    group_names.push_back(name);
    group_kernels.push_back(kernel);
    return static_cast<std::uint16_t>(group_names.size() - 1);
}

// A multiprocessor with room for one more block, or -1 if there is none. `taken`: the
// multiprocessors of blocks that begin together with it.
int simulated_gpu::find_place(const launch& l, const std::vector<int>& taken) {
    std::vector<int> free;
    // For a launch whose blocks begin together, the other kernel lets go of its multiprocessors.
    const int multiprocessors = l.together ? how.reported : how.multiprocessors;
    for (int m = 0; m < multiprocessors; ++m) {
        const auto with_it = static_cast<unsigned>(std::count(taken.begin(), taken.end(), m));
        int blocks = static_cast<int>(with_it);
        unsigned threads = with_it * l.threads;
        std::size_t shared = (with_it + 1) * l.dynamic_bytes;
        for (const auto& b : blocks_) {
            if (b->multiprocessor != m) continue;
            ++blocks;
            threads += b->of->threads;
            shared += b->of->dynamic_bytes;
        }
        if (blocks < how.resident && threads + l.threads <= most_threads && shared <= most_shared) {
            free.push_back(m);
        }
    }
    return free.empty() ? -1 : free[choices.below(free.size())];
}

// Starts a cluster, or a whole cooperative launch: all of its blocks begin at once.
bool simulated_gpu::start_cluster() {
    std::erase_if(startable_, [](const auto& l) { return l->to_start.empty(); });
    if (startable_.empty()) return false;
    const auto l = startable_[choices.below(startable_.size())];
    const unsigned at_once = l->together ? l->blocks : l->cluster;
    std::vector<int> places;
    while (places.size() < at_once) {
        places.push_back(find_place(*l, places));
        if (places.back() < 0) return false;
    }
    for (auto place = places.begin(); place != places.end();) {
        const unsigned first = l->to_start.back();
        l->to_start.pop_back();
        const auto cluster = new_cluster(*l);
        for (unsigned b = 0; b < l->cluster; ++b) start_block(l, first + b, *place++, cluster);
    }
    return true;
}

void simulated_gpu::start_block(const std::shared_ptr<launch>& l, unsigned number,
                                int multiprocessor, const std::shared_ptr<cluster_state>& cluster) {
    auto b = std::make_unique<gpu_block>();
    b->of = l;
    b->number = number;
    b->cluster = cluster;
    b->multiprocessor = multiprocessor;
    b->group = new_group("block " + std::to_string(b->number) + " of " + std::to_string(l->blocks) +
                             ", launch " + std::to_string(l->number),
                         l->kernel);
    if (shared_arenas_.empty()) {
        std::byte* const fresh = gpu_memory().allocate(most_shared);
        if (fresh == nullptr) throw failure("the simulated GPU has no memory left");
        shared_arenas_.push_back({fresh, most_shared});
    }
    b->shared = shared_arenas_.back().first;
    b->shared_bytes = shared_arenas_.back().second;
    shared_arenas_.pop_back();
    // The contents are undefined, and there are no earlier accesses.
    gpu_memory().forget(b->shared, b->shared_bytes);
    b->shared_used = (l->dynamic_bytes + 1023) / 1024 * 1024;
    gpu_memory().allow(b->shared, b->shared_bytes, false);
    gpu_memory().allow(b->shared, l->dynamic_bytes, true);
    std::memset(b->shared, static_cast<int>(choices.between(1, 255)), l->dynamic_bytes);
    b->warps.resize((l->threads + warp_size - 1) / warp_size);
    b->running = l->threads;
    enter_cluster(*b);
    for (unsigned t = 0; t < l->threads; ++t) start_thread(*b, t);
    blocks_.push_back(std::move(b));
}

void simulated_gpu::end_thread(gpu_thread& t) {
    gpu_block& b = *t.block;
    b.ends.push_back(t.knowledge());
    stacks_.push_back(t.stack);
    t.stack = nullptr;
    const warp_state& w = b.warps[t.place.thread / warp_size];
    if (!w.waiting.empty() || !w.barrier.waiting.empty()) {
        throw failure("a lane ends while others of its warp wait for it\n    " + name_of(t.who) +
                      "\n" + who_waits());
    }
    for (const auto& c : t.copies) {
        if (c->is_bulk && c->stores && c->is == copy::state::started) {
            throw failure(
                "a thread ends while a bulk copy that it has started reads shared memory"
                "\n    " +
                name_of(t.who) + "\n    started at " + describe(c->place));
        }
    }
    end_in_cluster(t);
    if (--b.running > 0) {
        // The barrier of the block is a barrier of the remaining threads.
        meeting& m = b.barriers[0];
        if (!m.waiting.empty() && m.waiting.size() == b.running) {
            throw failure("threads end while others wait at the barrier of their block\n" +
                          who_waits());
        }
        return;
    }
    end_block(b);
}

void simulated_gpu::pass_on(gpu_block& b) {
    if (b.passed_on) return;
    b.passed_on = true;
    ++b.of->passed_on;
    may_progress_ = true;
}

void simulated_gpu::end_block(gpu_block& b) {
    if (b.copies_under_way > 0) {
        throw failure(
            "a block ends while a copy into or out of its shared memory is under way\n    " +
            group_names[b.group]);
    }
    leave_cluster(b);
    launch& l = *b.of;
    l.done_known = join(l.done_known, join(b.ends));
    pass_on(b);
    --l.left;
    may_progress_ = true;
    forget_values_in(b.shared, b.shared_used);
    shared_arenas_.push_back({b.shared, b.shared_bytes});
    const auto of = b.of;
    std::erase_if(blocks_, [&](const auto& other) { return other.get() == &b; });
    if (of->is_done()) {
        for (gpu_thread* t : of->waiting) wake(t);
        of->waiting.clear();
    }
    ++changes;
}

}  // namespace lookback::trial
