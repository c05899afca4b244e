// Asynchronous copies.
//
// A copy reads at some moment after it was started, and writes at a later moment. A bulk copy sees
// memory through a proxy of its own: of what threads have done to shared memory, it may rely on
// what proxy fences have shown; of what they have done to global memory, on what earlier launches
// have done.
#include <cstring>

#include "simulator/api.hpp"
#include "simulator/phases.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

// The number of bulk copies of a block that have a number of their own; then numbers, not epochs,
// begin again.
constexpr unsigned copies_in_turn = 4096;

std::shared_ptr<copy> new_copy(void* to, const void* from, std::size_t bytes, bool is_bulk,
                               code_place place) {
    gpu_thread& me = *gpu().current;
    gpu_block& b = *me.block;
    auto c = std::make_shared<copy>();
    // Copies are many, and one thread's knowledge of its own work changes with each. In a group of
    // their own, the row of the threads, which is copied each time, stays short.
    if (!b.copies_group) {
        b.copies_group = gpu().new_group("the copies of " + gpu().group_names[b.group],
                                         gpu().group_kernels[b.group]);
    }
    const unsigned nth = is_bulk ? b.bulk_copies++ : b.small_copies++;
    const unsigned turn = is_bulk ? copies_in_turn : 16 * me.place.threads;
    const unsigned member = (is_bulk ? 0 : copies_in_turn) + nth % turn;
    c->before = nth / turn * copy_written;
    c->who = {*b.copies_group, static_cast<std::uint16_t>(member)};
    c->of_copies = me.knowledge();
    if (is_bulk) {
        c->of_threads_shared = me.shown;
        c->of_threads_global.known = b.of->start_known;
        // The earlier launches, if this thread knows that they have ended.
        const auto& before = b.of->before;
        if (before != nullptr && before->is_done() &&
            join(me.known, before->done_known) == me.known) {
            c->of_threads_global.known = join(b.of->start_known, before->done_known);
        }
    } else {
        c->of_threads_shared = c->of_threads_global = me.knowledge();
    }
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
    // Whether this step accesses shared memory, not global memory.
    const bool shared = reads == c->stores;
    const accessor by = {c->who,
                         c->before + (reads ? copy_read : copy_written),
                         shared ? c->of_threads_shared : c->of_threads_global,
                         c->of_copies,
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
            land(c->block->phases[c->barrier], c->bytes,
                 {nullptr, c->who, c->before + copy_written});
        }
        if (c->when_written) c->when_written();
    }
    if (c->waiting != nullptr) wake(c->waiting);
}

void copy_small(void* to, const void* from, std::size_t bytes, std::size_t word) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu().step();
    check_boundary(to, from, word, word, place);
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

void wait_for_small_copies() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    if (weakness_of("wait_copies", place) == weakness::left_out) return;
    std::vector<stamp> ends = {me.knowledge()};
    for (const auto& c : me.copies) {
        if (c->is_bulk) continue;
        while (c->is != copy::state::written) {
            c->waiting = &me;
            gpu().block("its copies", place);
        }
        c->waiting = nullptr;
        ends.push_back({nullptr, c->who, c->before + copy_written});
    }
    me.known = join(ends);  // includes its own work
    std::erase_if(me.copies, [](const auto& c) { return !c->is_bulk; });
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
    me.known = join(ends);  // includes its own work
    // A later wait asks again for copies that have only been read.
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
