// Barriers with phases. A phase completes after all its arrivals, and after all the bytes of bulk
// copies that were announced in it. A thread that has waited for a phase knows what the arriving
// threads knew.
#include "simulator/phases.hpp"

#include <span>

#include "simulator/api.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

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

// `known`: what the arriving thread tells, or the copies that it arrives after.
void arrive(phase_state& p, std::span<const stamp> known, const stamp& shown, code_place place) {
    if (p.missing == 0) {
        fail("more threads arrive at a barrier than its phase takes\n    at " + describe(place));
    }
    --p.missing;
    p.known.insert(p.known.end(), known.begin(), known.end());
    p.shown.push_back(shown);
    complete_if_all_are_there(p);
}

}  // namespace

phase_state& phase_at(std::uintptr_t at, code_place place) {
    return phase_of(*gpu().current->block, at, place);
}

phase_state& phase_of(gpu_block& b, std::uintptr_t at, code_place place) {
    const auto found = b.phases.find(at);
    if (found == b.phases.end()) {
        fail("a barrier with phases is used that has not been initialised\n    at " +
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

void land(phase_state& p, std::size_t bytes, const stamp& written) {
    p.bytes -= static_cast<std::int64_t>(bytes);
    p.known.push_back(written);
    complete_if_all_are_there(p);
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
    arrive(p, std::span(&known, 1), me.shown, place);
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

bool phase_has_passed(void* at, std::uint32_t phase) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    phase_state& p = phase_at(reinterpret_cast<std::uintptr_t>(at), place);
    const weakness weak = weakness_of("phase_barrier::has_passed", place);
    if (weak == weakness::left_out) return true;
    if (p.phase != phase && p.phase != phase + 1) {
        fail("phase " + std::to_string(phase) + " of a barrier is asked for in its phase " +
             std::to_string(p.phase) + ": a barrier tells one phase from the next only\n    at " +
             describe(place));
    }
    if (p.phase == phase) return false;
    if (weak != weakness::unordered) acquire(me, p);
    return true;
}

void phase_arrive_after_copies(void* at) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    phase_at(address, place);
    if (weakness_of("phase_barrier::arrive_after_copies", place) == weakness::left_out) return;
    // The last copy to land arrives for all of them.
    struct landing {
        std::size_t missing;
        std::vector<stamp> known;
    };
    auto all = std::make_shared<landing>();
    gpu_block* const b = me.block;
    const auto land = [all, b, address, place] {
        if (all->missing > 0) return;
        arrive(b->phases[address], all->known, {}, place);
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

}  // namespace lookback::trial
