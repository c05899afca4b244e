/// \file
/// Threads and caches of this machine: the little that the library asks of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lookback/cpu.hpp"

namespace lookback::detail {

/// How many threads may take part in a call from this thread.
[[gnu::visibility("default")]] int worker_limit(const cpu& where);

/// Calls `body(context)` on up to `workers` threads, as run_workers below promises.
[[gnu::visibility("default")]] void run_in_arena(int workers, void (*body)(void*), void* context);

// oneTBB orders what the caller wrote before what the bodies read, and the other way round on
// return. These counters say the same where the thread sanitizer can see it: in the program that
// includes this, though oneTBB and the library may not be instrumented. The cost is two atomic
// operations a body. The first counter is global, since a body cannot read where to look before it
// has looked.
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

/// Calls `body` on up to `workers` threads, the caller's among them, and returns when all have
/// returned. `body` may run fewer times at once than asked: it must not count on company. The first
/// exception that leaves a `body` is rethrown here.
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

/// Bytes of input and output above which results are better written around the caches.
[[gnu::visibility("default")]] std::size_t streaming_threshold();

// Functions of the library, because the headers that they need take long to compile.

/// Tells the core that it runs a waiting loop.
[[gnu::visibility("default")]] void pause();

/// Lets another thread have the core.
[[gnu::visibility("default")]] void yield();

/// Time, on a clock that never goes back.
[[gnu::visibility("default")]] std::int64_t nanoseconds();

}  // namespace lookback::detail
