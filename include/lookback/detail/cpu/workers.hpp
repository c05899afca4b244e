/// \file
/// Threads and caches of this machine: all that the library needs to know of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lookback/cpu.hpp"

namespace lookback::detail {

/// The number of threads that may take part in a call from this thread.
[[gnu::visibility("default")]] int worker_limit(const cpu& where);

/// Calls `body(context)` on up to `workers` threads, as run_workers below promises.
[[gnu::visibility("default")]] void run_in_arena(int workers, void (*body)(void*), void* context);

// oneTBB orders the caller's earlier writes before the reads of the bodies, and the bodies' writes
// before the caller's reads on return. These two counters repeat this order where the thread
// sanitizer can see it: in the program that includes this header, even if oneTBB and the library
// are not instrumented. The cost is two atomic operations for each body. The first counter is
// global, because a body must load it before it may read any memory that would tell it where to
// look.
inline std::atomic<unsigned> calls_handed_over{0};

template <class Body>
struct call_of_workers {
    const Body& body;
    std::atomic<unsigned> finished_bodies{0};

    static void run_body(void* context) {
        (void)calls_handed_over.load(std::memory_order_acquire);
        auto& call = *static_cast<call_of_workers*>(context);
        struct on_leaving {
            std::atomic<unsigned>& counter;
            ~on_leaving() { counter.fetch_add(1, std::memory_order_release); }
        } const leaving{call.finished_bodies};
        call.body();
    }
};

/// Calls `body` on up to `workers` threads, including the calling one, and returns when all calls
/// have returned. Fewer calls than asked may run at the same time, so a `body` must not wait for
/// others to begin. The first exception that leaves a `body` is rethrown here.
template <class Body>
void run_workers(int workers, const Body& body) {
    call_of_workers<Body> call{body};
    struct on_return {
        std::atomic<unsigned>& counter;
        ~on_return() { (void)counter.load(std::memory_order_acquire); }
    } const returning{call.finished_bodies};
    calls_handed_over.fetch_add(1, std::memory_order_release);
    run_in_arena(workers, call_of_workers<Body>::run_body, &call);
}

/// Input and output of more bytes than this are better written by non-temporal stores.
[[gnu::visibility("default")]] std::size_t streaming_threshold();

// These are functions of the library, because their headers take long to compile.

/// Tells the core that this is a waiting loop.
[[gnu::visibility("default")]] void pause();

/// Lets another thread have the core.
[[gnu::visibility("default")]] void yield();

/// The time in nanoseconds, on a clock that never goes back.
[[gnu::visibility("default")]] std::int64_t nanoseconds();

}  // namespace lookback::detail
