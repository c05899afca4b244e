// Within a block: exchanges between the lanes of a warp, barriers, shared memory.
#include <bit>
#include <cstring>

#include "simulator/api.hpp"
#include "simulator/names.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

warp_state& warp_of(const gpu_thread& t) { return t.block->warps[t.place.thread / warp_size]; }

unsigned lanes_of(const gpu_thread& t) {
    const unsigned first = t.place.thread / warp_size * warp_size;
    return std::min<unsigned>(warp_size, t.place.threads - first);
}

// Wakes all threads of a meeting. If it orders, each of them then knows what all of them knew.
void let_go(meeting& m, bool orders) {
    if (orders) {
        std::vector<stamp> known, shown;
        for (const gpu_thread* t : m.waiting) {
            known.push_back(t->knowledge());
            shown.push_back(t->shown);
        }
        const clock_ptr all = join(known), all_shown = join(shown);
        for (gpu_thread* t : m.waiting) {
            t->known = all;
            t->shown = {all_shown, t->who, t->shown.own};
            ++t->now;
        }
    }
    for (gpu_thread* t : m.waiting) {
        t->barrier_result = m.sum;
        if (t != gpu().current) gpu().wake(t);
    }
    m.waiting.clear();
    m.sum = 0;
}

int meet(meeting& m, int expected, int kind, int x, bool orders, const char* what,
         code_place place) {
    gpu_thread& me = *gpu().current;
    if (m.waiting.empty()) {
        m.expected = expected;
        m.kind = kind;
    } else if (m.expected != expected || m.kind != kind) {
        fail(std::string("threads meet at ") + what + " that disagree: one for " +
             std::to_string(expected) + " threads, others for " + std::to_string(m.expected) +
             "\n    at " + describe(place) + "\n    and " + describe(m.waiting[0]->waits_at));
    }
    m.waiting.push_back(&me);
    m.sum += x;
    me.waits_at = place;
    if (static_cast<int>(m.waiting.size()) == expected) {
        let_go(m, orders);
        gpu().step();
    } else {
        gpu().block(what, place);
    }
    return me.barrier_result;
}

}  // namespace

std::uint32_t exchange_words(exchange_kind kind, std::uint32_t word, int argument) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    warp_state& w = warp_of(me);
    exchange& turn = w.turns[me.collectives++ % 2];
    const unsigned lanes = lanes_of(me), lane = me.place.thread % warp_size;
    const std::uint32_t all = lanes == warp_size ? ~0U : (1U << lanes) - 1;
    if (lanes < warp_size)
        fail("a warp of less than 32 threads exchanges words\n    at " + describe(place));
    if (turn.arrived == all) turn.arrived = 0;
    if (turn.arrived == 0) {
        turn.kind = static_cast<int>(kind);
    } else if (turn.kind != static_cast<int>(kind)) {
        fail("lanes of a warp meet in different instructions\n    at " + describe(place) +
             "\n    and " + describe(w.waiting.empty() ? 0 : w.waiting[0]->waits_at));
    }
    turn.word[lane] = word;
    turn.arrived |= 1U << lane;
    if (turn.arrived == all) {
        for (gpu_thread* t : w.waiting) gpu().wake(t);
        w.waiting.clear();
    } else {
        w.waiting.push_back(&me);
        gpu().block("the other lanes of the warp", place);
    }
    const auto at = [&](int other) {
        return other >= 0 && other < warp_size ? turn.word[static_cast<std::size_t>(other)] : word;
    };
    const int mine = static_cast<int>(lane);
    std::uint32_t votes = 0;
    switch (kind) {
        case exchange_kind::up: return at(mine - argument);
        case exchange_kind::down: return at(mine + argument);
        case exchange_kind::across: return at(mine ^ argument);
        case exchange_kind::from: return at(argument % warp_size);
        default: break;
    }
    for (int l = 0; l < warp_size; ++l) {
        votes |= (at(l) != 0 ? 1U : 0U) << l;
    }
    return kind == exchange_kind::all ? votes == all : votes;
}

void meet_warp() {
    const code_place place = place_of(__builtin_return_address(0));
    if (weakness_of("sync_warp", place) == weakness::left_out) return;
    gpu_thread& me = *gpu().current;
    meet(warp_of(me).barrier, static_cast<int>(lanes_of(me)), 0, 0, true, "the barrier of a warp",
         place);
}

int meet_block(meeting_kind kind, bool x) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    const weakness weak = weakness_of("sync_block", place);
    if (weak == weakness::left_out && kind == meeting_kind::plain) return 0;
    gpu_block& b = *me.block;
    const int threads = static_cast<int>(b.running);
    const int sum = meet(b.barriers[0], threads, static_cast<int>(kind), x ? 1 : 0,
                         weak == weakness::none, "the barrier of the block", place);
    switch (kind) {
        case meeting_kind::any: return sum != 0;
        case meeting_kind::all: return sum == threads;
        default: return sum;
    }
}

void meet_threads(int barrier, int threads) {
    const code_place place = place_of(__builtin_return_address(0));
    if (weakness_of("sync_threads", place) == weakness::left_out) return;
    gpu_thread& me = *gpu().current;
    meet(me.block->barriers[static_cast<std::size_t>(barrier)], threads, 0, 0, true,
         "a barrier of some threads of the block", place);
}

void* shared_object(const void* type, std::size_t bytes, std::size_t alignment) {
    gpu_block& b = *gpu().current->block;
    std::byte*& at = b.objects[type];
    if (at == nullptr) {
        b.shared_used = (b.shared_used + alignment - 1) / alignment * alignment;
        at = b.shared + b.shared_used;
        b.shared_used += bytes;
        if (b.shared_used > b.shared_bytes) {
            fail("a block needs " + std::to_string(b.shared_used) + " bytes of shared memory");
        }
        gpu_memory().allow(at, bytes, true);
        // The contents are undefined.
        std::memset(at, static_cast<int>(gpu().choices.between(1, 255)), bytes);
    }
    return at;
}

void* dynamic_shared() { return gpu().current->block->shared; }

void wait_for_launch_before() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu_block& b = *me.block;
    const weakness weak = weakness_of("wait_for_previous_kernel", place);
    if (weak == weakness::early) gpu().pass_on(b);
    gpu().step();
    if (weak != weakness::left_out && b.of->before != nullptr) {
        launch& before = *b.of->before;
        if (!before.is_done()) {
            before.waiting.push_back(&me);
            gpu().block("the launch before", place);
        }
        me.learn(before.done_known);
        me.shown.known = join(me.shown.known, before.done_known);
    }
    gpu().pass_on(b);
}

std::uint64_t number_of_launch() { return gpu().current->block->of->number; }

std::uint64_t clock_cycles() { return gpu().steps * gpu().how.cycles; }

void speculate(bool yes) { gpu().current->speculates = yes; }

}  // namespace lookback::trial
