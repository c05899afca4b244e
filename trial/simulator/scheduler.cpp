// The scheduler: fibers, and the loop that chooses which of them goes on.
#include <sys/mman.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <map>
#include <utility>

#include "simulator/atomics.hpp"
#include "simulator/gpu.hpp"
#include "simulator/names.hpp"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace lookback::trial {

namespace context = boost::context::detail;

namespace {
constexpr std::size_t stack_bytes = 256 << 10;  // pages that are never accessed cost nothing
constexpr std::uint64_t most_quiet_rounds = 3000;
constexpr std::uint64_t most_steps = 400'000'000;
}  // namespace

const thread_place* here = nullptr;

simulated_gpu the_gpu;

void fail(const std::string& what) {
    if (gpu().current == nullptr) throw failure(what);
    gpu().stop(what);
}

// Tells the address sanitizer when the stack changes.
struct fiber {
    static void switched_to([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                            [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
    }
    static void arrived([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                        [[maybe_unused]] std::size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(fake, bottom, bytes);
#endif
    }
    static inline const void* scheduler_bottom = nullptr;
    static inline std::size_t scheduler_bytes = 0;

    static void main(context::transfer_t from) {
        arrived(nullptr, &scheduler_bottom, &scheduler_bytes);
        simulated_gpu& g = gpu();
        g.scheduler_ = from.fctx;
        g.current->block->of->run_thread();
        g.finish_current();
    }
};

void simulated_gpu::resume(gpu_thread* t) {
    current = t;
    here = &t->place;
    void* fake = nullptr;
    fiber::switched_to(&fake, t->stack, stack_bytes);
    const auto back = context::jump_fcontext(t->context, t);
    fiber::arrived(fake, nullptr, nullptr);
    current = nullptr;
    t->context = back.fctx;
    if (t->runs == gpu_thread::state::done) end_thread(*t);
}

void simulated_gpu::to_scheduler() {
    void* fake = nullptr;
    const bool ends = current->runs == gpu_thread::state::done || !failure_.empty();
    fiber::switched_to(ends ? nullptr : &fake, fiber::scheduler_bottom, fiber::scheduler_bytes);
    const auto back = context::jump_fcontext(scheduler_, nullptr);
    fiber::arrived(fake, &fiber::scheduler_bottom, &fiber::scheduler_bytes);
    scheduler_ = back.fctx;
}

void simulated_gpu::finish_current() {
    remove(ready_, current);
    current->runs = gpu_thread::state::done;
    to_scheduler();
}

void simulated_gpu::stop(const std::string& what) {
    failure_ = what + "\n    in " + name_of(current->who);
    to_scheduler();
    std::abort();  // the thread is never resumed
}

void simulated_gpu::start_thread(gpu_block& b, unsigned number) {
    auto t = std::make_unique<gpu_thread>();
    t->block = &b;
    t->place = {number, b.number, b.of->threads, b.of->blocks};
    t->who = {b.group, static_cast<std::uint16_t>(number)};
    t->known = b.start_known;
    t->shown = {t->known, t->who, 0};
    t->priority = static_cast<unsigned>(choices.bits());
    if (stacks_.empty()) {
        constexpr std::size_t many = 64;
        auto* const slab =
            static_cast<std::byte*>(mmap(nullptr, many * stack_bytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (slab == MAP_FAILED) throw std::bad_alloc();
        for (std::size_t i = 0; i < many; ++i) stacks_.push_back(slab + i * stack_bytes);
    }
    t->stack = stacks_.back();
    stacks_.pop_back();
#if defined(__SANITIZE_ADDRESS__)
    // Fibers end, or are abandoned, without returning from their functions.
    __asan_unpoison_memory_region(t->stack, stack_bytes);
#endif
    // Stacks that all began at the same distance from a boundary would compete for the same cache
    // lines.
    const std::size_t skew = number * 2 % 64 * 64 + number / 32 % 16 * 4096;
    t->context =
        context::make_fcontext(t->stack + stack_bytes - skew, stack_bytes - skew, fiber::main);
    t->list_place = ready_.size();
    ready_.push_back(t.get());
    b.threads.push_back(std::move(t));
}

void simulated_gpu::remove(std::vector<gpu_thread*>& list, gpu_thread* t) {
    list[t->list_place] = list.back();
    list[t->list_place]->list_place = t->list_place;
    list.pop_back();
}

void simulated_gpu::wake(gpu_thread* t) {
    if (t->runs == gpu_thread::state::ready) return;
    if (t->runs == gpu_thread::state::polling) remove(polling_, t);
    t->runs = gpu_thread::state::ready;
    t->list_place = ready_.size();
    ready_.push_back(t);
}

void simulated_gpu::wake_pollers() {
    while (!polling_.empty()) wake(polling_.back());
}

void simulated_gpu::block(const char* what, code_place where) {
    current->waits_for = what;
    current->waits_at = where;
    remove(ready_, current);
    current->runs = gpu_thread::state::blocked;
    to_scheduler();
}

void simulated_gpu::poll() {
    remove(ready_, current);
    current->runs = gpu_thread::state::polling;
    current->list_place = polling_.size();
    polling_.push_back(current);
    to_scheduler();
}

void simulated_gpu::give_way() {
    plain_steps_ =
        static_cast<long>(choices.between(1, 2 * static_cast<std::uint64_t>(how.plain_steps)));
    to_scheduler();
}

void simulated_gpu::step() {
    if (++steps > most_steps) stop("too many steps: a livelock?");
    if (choices.one_in(static_cast<std::uint64_t>(how.gives_way))) give_way();
}

bool simulated_gpu::is_starved(const gpu_thread& t) const {
    switch (how.starved) {
        case 0: return false;
        case 1: return t.place.thread % 64 == starved_value_ % 64;
        case 2: return t.place.thread / warp_size % 8 == starved_value_ % 8;
        default: return t.place.block % 4 == starved_value_ % 4;
    }
}

gpu_thread* simulated_gpu::pick() {
    if (steps > starved_until_) {
        starved_value_ = static_cast<unsigned>(choices.bits());
        starved_until_ = steps + choices.between(100, 20'000);
    }
    // Usually the thread that was woken last goes on: its data is in the caches.
    if (how.stays_close && !choices.one_in(16)) return ready_.back();
    gpu_thread* best = ready_[choices.below(ready_.size())];
    for (int i = 0; i < 6; ++i) {
        if (!is_starved(*best) && !how.by_priority) break;
        gpu_thread* const other = ready_[choices.below(ready_.size())];
        if (is_starved(*best) ? !is_starved(*other)
                              : !is_starved(*other) && other->priority > best->priority) {
            best = other;
        }
    }
    if (how.by_priority && choices.one_in(500))
        best->priority = static_cast<unsigned>(choices.bits());
    return best;
}

bool simulated_gpu::run(stream_state* until) {
    if (has_failed()) return false;
    const auto is_done = [&] {
        if (until != nullptr) return is_idle(*until);
        return std::all_of(streams_.begin(), streams_.end(),
                           [&](const auto& s) { return is_idle(*s.second); });
    };
    try {
        for (std::uint64_t seen = changes;;) {
            if (!failure_.empty()) throw failure(failure_);
            if (std::exchange(may_progress_, false)) progress_streams();
            if (is_done()) break;
            if ((ready_.empty() || choices.one_in(16)) && start_cluster()) continue;
            if (!copies_.empty() && (ready_.empty() || choices.one_in(6))) {
                run_copy();
            } else if (!ready_.empty()) {
                if (!polling_.empty() && choices.one_in(64)) wake(polling_.back());
                resume(pick());
            } else if (!polling_.empty()) {
                quiet_rounds_ = seen == changes ? quiet_rounds_ + 1 : 0;
                seen = changes;
                if (quiet_rounds_ > most_quiet_rounds) {
                    throw failure("a livelock: threads look at memory that does not change\n" +
                                  who_waits());
                }
                steps += 16;
                wake_pollers();
            } else {
                throw failure("a deadlock: no thread can go on\n" + who_waits());
            }
        }
    } catch (const failure& f) {
        found_ = f.what();
        return false;
    }
    for (const auto& [handle, s] : streams_) {
        if (s.get() == until || until == nullptr) host_known_ = join(host_known_, s->known);
    }
    if (until == nullptr && blocks_.empty() &&
        std::all_of(streams_.begin(), streams_.end(),
                    [&](const auto& s) { return is_idle(*s.second); })) {
        forget_history();
    }
    return true;
}

void simulated_gpu::check() const {
    if (has_failed()) throw failure(found_);
}

void simulated_gpu::forget_history() {
    gpu_memory().forget_all();
    forget_values();
    forget_joins();
    host_known_ = nullptr;
    group_names.clear();
    group_kernels.clear();
    for (auto& [handle, s] : streams_) {
        s->known = nullptr;
    }
}

std::string simulated_gpu::who_waits() const {
    std::map<std::string, std::pair<int, const gpu_thread*>> waits;
    for (const auto& b : blocks_) {
        for (const auto& t : b->threads) {
            if (t->runs == gpu_thread::state::done) continue;
            auto& w = waits[std::string(t->waits_for) + " at " + std::to_string(t->waits_at)];
            ++w.first;
            w.second = t.get();
        }
    }
    std::string text;
    for (const auto& [key, w] : waits) {
        text += "    " + std::to_string(w.first) + " wait or look for: " + w.second->waits_for +
                "\n      at " + describe(w.second->waits_at) + "\n      such as " +
                name_of(w.second->who) + "\n";
    }
    return text;
}

}  // namespace lookback::trial
