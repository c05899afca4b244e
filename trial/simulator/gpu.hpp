/// \file
/// The simulated GPU: threads, warps, blocks, launches, streams; and the scheduler that runs them.
///
/// Every GPU thread is a fiber. One fiber runs at a time. It gives way only inside the functions of
/// the machine (the headers machine*.hpp in include/lookback/detail/device), and sometimes at an
/// access to memory. The seed decides which fiber goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/clock.hpp"
#include "simulator/failure.hpp"
#include "simulator/memory.hpp"
#include "simulator/random.hpp"

namespace lookback::trial {

inline constexpr int warp_size = 32;

struct gpu_block;
struct cluster_state;
struct copy;

/// What the kernel's code asks for at every step.
struct thread_place {
    unsigned thread = 0, block = 0, threads = 0, blocks = 0;
};

struct gpu_thread {
    gpu_block* block = nullptr;
    thread_place place;

    // What the thread knows (clock.hpp): `known`, and its own work, in epochs up to `now`.
    actor who;
    epoch now = 1;
    clock_ptr known;
    /// What bulk copies that it starts may rely on: what was known at its proxy fences.
    stamp shown;
    /// What its relaxed stores carry: what was known at its last fence.
    stamp released;
    /// From the order of fences: loads must not return values older than those known here.
    clock_ptr not_older;
    /// What its relaxed loads have brought; the thread knows it from its next fence on.
    clock_ptr to_acquire;

    // How the thread runs.
    void* context = nullptr;
    std::byte* stack = nullptr;
    enum class state { ready, blocked, polling, done } runs = state::ready;
    std::size_t list_place = 0;
    unsigned priority = 0;
    const char* waits_for = "";
    code_place waits_at = 0;
    int barrier_result = 0;
    std::uint64_t collectives = 0, cluster_arrivals = 0;
    bool speculates = false;  ///< it reads what others may overwrite, and drops such values

    std::vector<std::shared_ptr<copy>> copies;  ///< that it has started and not waited for

    stamp knowledge() const { return {known, who, now}; }
    void learn(const clock_ptr& more) { known = join(known, more); }
};

/// An asynchronous copy. It may run at any time, beside the threads.
struct copy {
    actor who;
    epoch before = 0;
    stamp of_threads_shared, of_threads_global, of_copies;
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
    bool is_bulk;
    bool stores;            ///< to global memory
    bool may_race = false;  ///< its read may race
    code_place place;
    std::uintptr_t barrier = 0;  ///< on which it completes; 0: none
    enum class state { started, read, written } is = state::started;
    std::vector<std::byte> data;
    gpu_thread* waiting = nullptr;
    gpu_block* block = nullptr;
    std::function<void()> when_written;
};
/// The epochs of a copy, counted from the last epoch of the previous copy with its number.
inline constexpr epoch copy_read = 1, copy_written = 2;

/// A barrier of a block: the block's own, a numbered one, or a warp's.
struct meeting {
    std::vector<gpu_thread*> waiting;
    int expected = 0;
    int sum = 0;
    int kind = 0;
};

/// Where the lanes of a warp exchange words. A warp uses two of these alternately: when lanes
/// arrive at one again, all lanes have left it.
struct exchange {
    std::uint32_t arrived = 0;
    int kind = 0;
    std::array<std::uint32_t, warp_size> word{};
};
struct warp_state {
    exchange turns[2];
    std::vector<gpu_thread*> waiting;
    meeting barrier;
};

/// A barrier with phases, in shared memory.
struct phase_state {
    int arrivals = 0, missing = 0;
    std::int64_t bytes = 0;
    std::uint32_t phase = 0;
    std::vector<stamp> known, shown;
    clock_ptr phase_known, phase_shown;  ///< of the last complete phase
    std::vector<gpu_thread*> waiting;
    stamp initialised;
    bool published = false;
};

struct launch {
    const void* kernel;
    unsigned blocks, threads;
    std::size_t dynamic_bytes;
    unsigned cluster = 1;  ///< the number of blocks of a cluster
    bool may_start_early = false;
    bool together = false;  ///< all blocks begin at once
    std::function<void()> run_thread;
    std::uint64_t number = 0;
    /// The first blocks of clusters that have not started; the last of them starts next.
    std::vector<unsigned> to_start;
    unsigned left = 0;       ///< blocks that have not ended
    unsigned passed_on = 0;  ///< blocks that have let the next launch start
    clock_ptr start_known, done_known;
    std::shared_ptr<launch> before;
    std::vector<gpu_thread*> waiting;  ///< threads that wait for its end
    bool is_done() const { return left == 0; }
};

struct gpu_block {
    std::shared_ptr<launch> of;
    std::shared_ptr<cluster_state> cluster;
    unsigned number = 0;
    int multiprocessor = 0;
    std::uint16_t group = 0;
    std::optional<std::uint16_t> copies_group;  ///< its copies' group, from its first copy on
    std::byte* shared = nullptr;
    std::size_t shared_bytes = 0, shared_used = 0;
    std::unordered_map<const void*, std::byte*> objects;  ///< in shared memory, by type
    std::vector<std::unique_ptr<gpu_thread>> threads;
    std::vector<warp_state> warps;
    std::array<meeting, 16> barriers;
    std::unordered_map<std::uintptr_t, phase_state> phases;
    clock_ptr start_known;  ///< what its threads know at their start
    std::vector<stamp> ends;
    unsigned running = 0, bulk_copies = 0, small_copies = 0;
    std::uint64_t tickets = 0;  ///< tickets that it has drawn, if they are drawn by block number
    int copies_under_way = 0;
    bool passed_on = false;
};

struct stream_state {
    struct work {
        std::shared_ptr<launch> kernel;               ///< a launch, or
        std::function<void(const accessor&)> on_gpu;  ///< a copy, for example
        clock_ptr known;  ///< what the host knew when it made the request
    };
    std::deque<work> queue;
    std::vector<std::shared_ptr<launch>> running;
    clock_ptr known;
};

/// How a simulation runs; drawn from its seed.
struct schedule {
    int multiprocessors = 2;  ///< multiprocessors that are free
    int reported = 2;   ///< multiprocessors that the GPU reports; another kernel holds the others
    int resident = 1;   ///< the most blocks on a multiprocessor
    int order = 0;      ///< of starting blocks: ascending, descending, random
    int gives_way = 4;  ///< threads give way at one in this many steps
    int plain_steps = 2000;  ///< and at one in this many plain accesses
    bool by_priority = false;
    bool stays_close = false;  ///< the thread that was woken last usually goes on
    int starved = 0;           ///< what hardly runs: nothing, a thread, a warp, a block
    int stale = 4;             ///< one in this many loads returns an old value
    std::uint64_t cycles = 100;
    static schedule draw(random_choices& choices);
    std::string text() const;
};

class simulated_gpu {
 public:
    /// Ends the last simulation, and begins a new one.
    void begin(std::uint64_t seed);

    // ---- the host's side
    stream_state& stream(void* handle);
    void forget_stream(void* handle);
    void enqueue(void* handle, stream_state::work work);
    /// Runs until the stream has no more work, or, for nullptr, all streams. Returns whether
    /// nothing was found. After something has been found, nothing runs any more.
    bool run(stream_state* until);
    /// Throws what has been found.
    void check() const;
    bool has_failed() const { return !found_.empty(); }
    bool is_idle(const stream_state& s) const { return s.queue.empty() && s.running.empty(); }
    int resident_blocks(unsigned threads, std::size_t shared_bytes) const;

    // ---- the threads' side
    gpu_thread* current = nullptr;
    /// A point where other threads may run.
    void step();
    void plain_step() {
        if (--plain_steps_ == 0) give_way();
    }
    void give_way();
    /// Blocks the current thread until another one wakes it.
    void block(const char* what, code_place where);
    /// Suspends the current thread until an atomic operation changes something, or for a while.
    void poll();
    void wake(gpu_thread* t);
    void wake_pollers();
    [[noreturn]] void stop(const std::string& what);
    /// The block lets the next launch start, if it has not done so before.
    void pass_on(gpu_block& b);

    accessor by_current(code_place place) const {
        const vector_clock* const known = current->known.get();
        return {current->who, current->now, known, known, place};
    }
    void start_copy(std::shared_ptr<copy> c);
    /// A group of actors (clock.hpp), and what reports call it.
    std::uint16_t new_group(const std::string& name, const void* kernel);
    bool is_shared_memory(const std::byte* at) const {
        for (const auto& b : blocks_) {
            if (b->shared == at) return true;
        }
        return false;
    }

    random_choices choices;
    schedule how;
    std::uint64_t steps = 0;
    std::uint64_t changes = 0;  ///< the number of atomic operations that changed something
    std::vector<std::string> group_names;  ///< without the kernel's name
    std::vector<const void*> group_kernels;

 private:
    void progress_streams();
    void run_on_gpu(stream_state& s, const stream_state::work& w);
    int find_place(const launch& l, const std::vector<int>& taken);
    bool start_cluster();
    void start_block(const std::shared_ptr<launch>& l, unsigned number, int multiprocessor,
                     const std::shared_ptr<cluster_state>& cluster);
    void end_thread(gpu_thread& t);
    void end_block(gpu_block& b);
    gpu_thread* pick();
    bool is_starved(const gpu_thread& t) const;
    void resume(gpu_thread* t);
    void run_copy();
    std::string who_waits() const;
    static void remove(std::vector<gpu_thread*>& list, gpu_thread* t);
    void to_scheduler();
    void finish_current();
    friend struct fiber;
    void start_thread(gpu_block& b, unsigned number);
    void forget_history();

    std::vector<std::pair<void*, std::unique_ptr<stream_state>>> streams_;  // in order of first use
    bool may_progress_ = true;  // since the last progress, work came, or a block passed on or ended
    std::vector<std::unique_ptr<gpu_block>> blocks_;
    std::vector<gpu_thread*> ready_, polling_;
    std::vector<std::shared_ptr<copy>> copies_;
    std::vector<std::byte*> stacks_;
    std::vector<std::pair<std::byte*, std::size_t>> shared_arenas_;
    std::vector<std::shared_ptr<launch>> startable_;
    std::uint64_t launches_ = 0;
    std::uint64_t quiet_rounds_ = 0;
    long plain_steps_ = 1;
    unsigned starved_value_ = 0;
    std::uint64_t starved_until_ = 0;
    clock_ptr host_known_;
    void* scheduler_ = nullptr;
    std::string failure_;  ///< found in a thread, to be thrown by the scheduler
    std::string found_;
};

/// A program has one simulated GPU.
extern simulated_gpu the_gpu;
inline simulated_gpu& gpu() { return the_gpu; }
/// The place of the running thread.
extern const thread_place* here;

}  // namespace lookback::trial
