// Copies that run by themselves, and the barriers with phases that they complete on.
//
// A copy reads at some moment after it was started, and writes at a later one. A bulk copy sees
// memory through a proxy of its own: of what threads have done to shared memory it may rely on what
// proxy fences have shown, and to global memory on what launches before have done.
#include <algorithm>
#include <cstring>

#include "simulator/api.hpp"
#include "simulator/names.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

// Bulk copies that have a number of their own; then numbers, not epochs, begin again.
constexpr unsigned copies_in_turn = 4096;

phase_state& phase_at(std::uintptr_t at, code_place place) {
    gpu_block& b = *gpu().current->block;
    const auto found = b.phases.find(at);
    if (found == b.phases.end()) {
        fail("a barrier with phases is used that nobody has initialised\n    at " +
             describe(place));
    }
    gpu_thread& me = *gpu().current;
    const stamp& by = found->second.initialised;
    if (by.who != me.who && !knows(me.known.get(), by.who, by.own)) {
        fail("a barrier with phases is used whose initialisation is not known\n    at " +
             describe(place));
    }
    return found->second;
}

void acquire(gpu_thread& t, const phase_state& p) {
    t.learn(p.phase_known);
    t.shown.known = join(t.shown.known, p.phase_shown);
}

void complete_if_all_are_there(phase_state& p) {
    if (p.missing > 0 || p.bytes != 0) return;
    p.phase_known = join(p.known);
    p.phase_shown = join(p.shown);
    p.known.clear();
    p.shown.clear();
    p.missing = p.arrivals;
    ++p.phase;
    for (gpu_thread* t : p.waiting) gpu().wake(t);
    p.waiting.clear();
}

void arrive(phase_state& p, const stamp& known, const stamp& shown, code_place place) {
    if (p.missing == 0) {
        fail("more threads arrive at a barrier than its phase takes\n    at " + describe(place));
    }
    --p.missing;
    p.known.push_back(known);
    p.shown.push_back(shown);
    complete_if_all_are_there(p);
}

std::shared_ptr<copy> new_copy(void* to, const void* from, std::size_t bytes, bool is_bulk,
                               code_place place) {
    gpu_thread& me = *gpu().current;
    gpu_block& b = *me.block;
    auto c = std::make_shared<copy>();
    const unsigned threads = me.place.threads;
    const unsigned nth = is_bulk ? b.bulk_copies++ : b.small_copies++;
    const unsigned turn = is_bulk ? copies_in_turn : 16 * threads;
    const unsigned member = threads + (is_bulk ? 0 : copies_in_turn) + nth % turn;
    c->before = nth / turn * copy_written;
    c->who = {b.group, static_cast<std::uint16_t>(member)};
    const clock_ptr known = whole(me.knowledge());
    c->of_copies = known;
    c->of_threads_shared = is_bulk ? whole(me.shown) : known;
    // The launches before, where this thread knows that they have ended.
    const auto& before = b.of->before;
    const bool has_waited =
        before != nullptr && before->is_done() && join(me.known, before->done_known) == me.known;
    c->of_threads_global = !is_bulk     ? known
                           : has_waited ? join(b.of->start_known, before->done_known)
                                        : b.of->start_known;
    c->to = static_cast<std::byte*>(to);
    c->from = static_cast<const std::byte*>(from);
    c->bytes = bytes;
    c->is_bulk = is_bulk;
    c->may_race = me.speculates;
    c->place = place;
    c->block = &b;
    ++me.now;
    return c;
}

void check_boundary(const void* to, const void* from, std::size_t bytes, std::size_t boundary,
                    code_place place) {
    const auto off = [&](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % boundary; };
    if (off(to) != 0 || off(from) != 0 || bytes % boundary != 0 || bytes == 0) {
        fail("a copy of " + std::to_string(bytes) + " bytes, off by " + std::to_string(off(from)) +
             " and " + std::to_string(off(to)) + " bytes from a boundary of " +
             std::to_string(boundary) + "\n    at " + describe(place));
    }
}

}  // namespace

void simulated_gpu::start_copy(std::shared_ptr<copy> c) {
    ++c->block->copies_under_way;
    copies_.push_back(std::move(c));
}

void simulated_gpu::run_copy() {
    const std::size_t at = choices.below(copies_.size());
    const std::shared_ptr<copy> c = copies_[at];
    const bool reads = c->is == copy::state::started;
    // Its side in shared memory, or in global memory.
    const bool shared = reads == c->stores;
    const accessor by = {c->who,
                         c->before + (reads ? copy_read : copy_written),
                         shared ? c->of_threads_shared.get() : c->of_threads_global.get(),
                         c->of_copies.get(),
                         c->place,
                         true};
    if (reads) {
        if (c->may_race) {
            gpu_memory().check_bounds(c->from, c->bytes, c->place);
        } else {
            gpu_memory().access(by, c->from, c->bytes, {false, false, c->is_bulk});
        }
        c->data.assign(c->from, c->from + c->bytes);
        c->is = copy::state::read;
    } else {
        gpu_memory().access(by, c->to, c->bytes, {true, false, c->is_bulk});
        std::memcpy(c->to, c->data.data(), c->bytes);
        c->is = copy::state::written;
        copies_[at] = copies_.back();
        copies_.pop_back();
        --c->block->copies_under_way;
        if (c->barrier != 0) {
            phase_state& p = c->block->phases[c->barrier];
            p.bytes -= static_cast<std::int64_t>(c->bytes);
            // What it has written is known then; not what the thread that started it has.
            p.known.push_back({nullptr, c->who, c->before + copy_written});
            complete_if_all_are_there(p);
        }
        if (c->when_written) c->when_written();
    }
    if (c->waiting != nullptr) wake(c->waiting);
}

void phase_init(void* at, int arrivals) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    if (weakness_of("phase_barrier::init", place) == weakness::one_less) --arrivals;
    phase_state p;
    p.arrivals = p.missing = arrivals;
    p.initialised = {nullptr, me.who, me.now++};
    me.block->phases[reinterpret_cast<std::uintptr_t>(at)] = p;
}

void phase_arrive(void* at) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    phase_state& p = phase_at(reinterpret_cast<std::uintptr_t>(at), place);
    const weakness weak = weakness_of("phase_barrier::arrive", place);
    if (weak == weakness::left_out) return;
    if (weak == weakness::unordered) return arrive(p, {}, {}, place);
    const stamp known = me.knowledge();
    ++me.now;
    arrive(p, known, me.shown, place);
}

void phase_expect(void* at, std::uint32_t bytes) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    phase_state& p = phase_at(reinterpret_cast<std::uintptr_t>(at), place);
    if (weakness_of("phase_barrier::expect", place) == weakness::left_out) return;
    p.bytes += bytes;
    complete_if_all_are_there(p);
}

void phase_wait(void* at, std::uint32_t phase) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    phase_state& p = phase_at(reinterpret_cast<std::uintptr_t>(at), place);
    const weakness weak = weakness_of("phase_barrier::wait", place);
    if (weak == weakness::left_out) return;
    if (p.phase != phase && p.phase != phase + 1) {
        fail("phase " + std::to_string(phase) + " of a barrier is waited for in its phase " +
             std::to_string(p.phase) + ": a barrier tells one phase from the next only\n    at " +
             describe(place));
    }
    while (p.phase == phase) {
        p.waiting.push_back(&me);
        gpu().block("a phase of a barrier", place);
    }
    if (p.phase != phase + 1) {
        fail("phase " + std::to_string(phase) + " of a barrier is waited for until its phase " +
             std::to_string(p.phase) +
             " is over: a barrier tells one phase from the next only\n"
             "    at " +
             describe(place));
    }
    if (weak != weakness::unordered) acquire(me, p);
}

void phase_arrive_after_copies(void* at) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    phase_at(address, place);
    if (weakness_of("phase_barrier::arrive_after_copies", place) == weakness::left_out) return;
    // The last copy to land arrives for all.
    struct landing {
        std::size_t missing;
        std::vector<stamp> known;
    };
    auto all = std::make_shared<landing>();
    gpu_block* const b = me.block;
    const auto land = [all, b, address, place] {
        if (all->missing > 0) return;
        phase_state& p = b->phases[address];
        arrive(p, all->known.empty() ? stamp{} : stamp{join(all->known), {}, 0}, {}, place);
    };
    for (const auto& c : me.copies) {
        if (c->is_bulk) continue;
        const stamp done = {nullptr, c->who, c->before + copy_written};
        if (c->is == copy::state::written) {
            all->known.push_back(done);
            continue;
        }
        ++all->missing;
        c->when_written = [all, land, done] {
            --all->missing;
            all->known.push_back(done);
            land();
        };
    }
    std::erase_if(me.copies, [](const auto& c) { return !c->is_bulk; });
    land();
}

void publish_phases() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    if (weakness_of("publish_barriers", place) == weakness::left_out) return;
    for (auto& [at, p] : gpu().current->block->phases) p.published = true;
}

void copy_small(void* to, const void* from, std::size_t bytes) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    check_boundary(to, from, bytes, bytes, place);
    const auto c = new_copy(to, from, bytes, false, place);
    c->stores = false;
    gpu().current->copies.push_back(c);
    gpu().start_copy(c);
}

void copy_in(void* to, const void* from, std::size_t bytes, void* phase) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    check_boundary(to, from, bytes, 16, place);
    const auto c = new_copy(to, from, bytes, true, place);
    c->stores = false;
    c->barrier = reinterpret_cast<std::uintptr_t>(phase);
    if (!phase_at(c->barrier, place).published) {
        fail("a bulk copy completes on a barrier whose initialisation was not published\n    at " +
             describe(place));
    }
    gpu().start_copy(c);
}

void copy_out(void* to, const void* from, std::size_t bytes) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    check_boundary(to, from, bytes, 16, place);
    const auto c = new_copy(to, from, bytes, true, place);
    c->stores = true;
    gpu().current->copies.push_back(c);
    gpu().start_copy(c);
}

void wait_for_copies(bool until_written) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    if (weakness_of(until_written ? "wait_bulk_stores" : "wait_bulk_stores_read", place) ==
        weakness::left_out) {
        return;
    }
    std::vector<stamp> ends = {me.knowledge()};
    for (const auto& c : me.copies) {
        if (!c->is_bulk) continue;
        while (c->is == copy::state::started || (until_written && c->is == copy::state::read)) {
            c->waiting = &me;
            gpu().block("its bulk copies", place);
        }
        c->waiting = nullptr;
        ends.push_back({nullptr, c->who, c->before + (until_written ? copy_written : copy_read)});
    }
    me.known = join(ends);  // its own work among it
    // Those that have been read only are asked for again.
    if (until_written) std::erase_if(me.copies, [](const auto& c) { return c->is_bulk; });
}

void show_writes() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    if (weakness_of("show_to_bulk_copies", place) == weakness::left_out) return;
    me.shown = {join(me.shown.known, me.known), me.who, me.now++};
}

}  // namespace lookback::trial
