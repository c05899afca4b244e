// Memory as weak as the rules allow. Each word that atomic operations access has a history of
// values, in the order in which they were written. A load may return any value that the thread has
// no reason to take for overwritten. A value counts as overwritten if the thread has written or
// seen a later one, or knows of another thread's access that wrote or saw a later one (coherence).
// Beyond that, a thread knows of other work only by release and acquire, or by fences on both
// sides. The race detector checks that at each plain access.
#include "simulator/atomics.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "simulator/api.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

struct value {
    atomic_word word;
    stamp by;           // own == 0: the value was there before
    clock_ptr carries;  // what an acquire of the value brings
    struct reader {
        actor who;
        epoch when;
    };
    std::vector<reader> readers;  // in the order of their actors
};
struct location {
    std::size_t bytes;
    std::vector<value> values;  // the newest is the last
};
constexpr std::size_t most_values = 12;

std::unordered_map<std::uintptr_t, location> locations;
clock_ptr known_by_fences;  // the knowledge of all fences

atomic_word in_memory(const void* at, std::size_t bytes) {
    atomic_word word;
    std::memcpy(&word, at, bytes);
    return word;
}
bool same(const atomic_word& a, const atomic_word& b) { return a.low == b.low && a.high == b.high; }

location& location_at(const void* at, std::size_t bytes) {
    location& l = locations[reinterpret_cast<std::uintptr_t>(at)];
    const atomic_word now = in_memory(at, bytes);
    // The word was changed by other means. The race detector has checked that the writer knew of
    // all earlier values; so the history begins anew.
    if (l.values.empty() || l.bytes != bytes || !same(l.values.back().word, now)) {
        l = {bytes, {{now, {}, nullptr, {}}}};
    }
    return l;
}

bool knows_value(const gpu_thread& me, const value& v) {
    if (v.by.own == 0 || v.by.who == me.who || knows(me.known.get(), v.by.who, v.by.own))
        return true;
    if (knows(me.not_older.get(), v.by.who, v.by.own)) return true;
    return std::any_of(v.readers.begin(), v.readers.end(), [&](const value::reader& r) {
        return r.who == me.who || knows(me.known.get(), r.who, r.when) ||
               knows(me.not_older.get(), r.who, r.when);
    });
}

void check_access(const void* at, std::size_t bytes, bool writes, bool atomic, code_place place) {
    if (reinterpret_cast<std::uintptr_t>(at) % bytes != 0) {
        fail("an atomic operation on " + std::to_string(bytes) +
             " bytes off their boundary\n    at " + describe(place));
    }
    if (!gpu_memory().holds(at))
        fail("an atomic operation outside GPU memory\n    at " + describe(place));
    gpu_memory().access(gpu().by_current(place), at, bytes, {writes, atomic});
}

void append(location& l, void* at, const atomic_word& word, const clock_ptr& carries) {
    gpu_thread& me = *gpu().current;
    if (l.values.size() == most_values) l.values.erase(l.values.begin());
    l.values.push_back({word, {nullptr, me.who, me.now}, carries, {}});
    std::memcpy(at, &word, l.bytes);
    ++me.now;
    ++gpu().changes;
    gpu().wake_pollers();
}

clock_ptr carried_by_relaxed(const gpu_thread& me) {
    return me.released.own == 0 ? nullptr : whole(me.released);
}

}  // namespace

void forget_values() {
    locations.clear();
    known_by_fences = nullptr;
}
void forget_values_in(const std::byte* at, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(at);
    std::erase_if(locations,
                  [&](const auto& l) { return l.first >= begin && l.first < begin + bytes; });
}

atomic_word atomic_load(const void* at, std::size_t bytes, order o) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    me.waits_for = "a value in memory";
    me.waits_at = place;
    gpu().step();
    const weakness weak = weakness_of(o == order::relaxed ? "load_relaxed" : "load_acquire", place);
    check_access(at, bytes, false, weak != weakness::plain, place);
    location& l = location_at(at, bytes);
    std::size_t oldest = l.values.size() - 1;
    while (oldest > 0 && !knows_value(me, l.values[oldest])) --oldest;
    std::size_t chosen = l.values.size() - 1;
    if (oldest < chosen && gpu().choices.one_in(static_cast<std::uint64_t>(gpu().how.stale))) {
        chosen = gpu().choices.between(oldest, chosen);
    }
    value& v = l.values[chosen];
    const atomic_word word = v.word;
    if (o == order::synchronises && weak != weakness::unordered) {
        me.learn(v.carries);
    } else {
        me.to_acquire = join(me.to_acquire, v.carries);
    }
    const auto mine = std::ranges::lower_bound(v.readers, me.who, {}, &value::reader::who);
    if (mine == v.readers.end() || mine->who != me.who) {
        v.readers.insert(mine, {me.who, me.now});
    } else {
        // The same value once more: the thread polls.
        gpu().poll();
    }
    return word;
}

void atomic_store(void* at, std::size_t bytes, atomic_word word, order o) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    const weakness weak =
        weakness_of(o == order::relaxed ? "store_relaxed" : "store_release", place);
    if (weak == weakness::left_out) return;
    check_access(at, bytes, true, weak != weakness::plain, place);
    const bool releases = o == order::synchronises && weak != weakness::unordered;
    const clock_ptr carries = releases ? whole(me.knowledge()) : carried_by_relaxed(me);
    if (weak == weakness::torn) {
        atomic_word half = in_memory(at, bytes);
        std::memcpy(reinterpret_cast<std::byte*>(&half) + bytes / 2,
                    reinterpret_cast<const std::byte*>(&word) + bytes / 2, bytes / 2);
        append(location_at(at, bytes), at, half, carries);
        gpu().give_way();
    }
    append(location_at(at, bytes), at, word, carries);
}

std::uint64_t atomic_update(void* at, std::size_t bytes, update how, std::uint64_t operand,
                            std::uint64_t expected) {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    const weakness weak = weakness_of(how == update::add      ? "fetch_add"
                                      : how == update::lowest ? "set_to_lowest"
                                                              : "compare_exchange",
                                      place);
    check_access(at, bytes, true, weak != weakness::plain, place);
    location& l = location_at(at, bytes);
    const value& newest = l.values.back();
    const atomic_word before = newest.word;
    atomic_word after = before;
    switch (how) {
        case update::add: after.low += operand; break;
        case update::lowest: after.low = std::min(after.low, operand); break;
        default: after.low = before.low == expected ? operand : before.low;
    }
    if (bytes == 4) after.low &= 0xffffffffU;
    me.to_acquire = join(me.to_acquire, newest.carries);
    // A read-modify-write continues a release sequence: this value also carries what the value
    // before carried.
    append(l, at, after, join(newest.carries, carried_by_relaxed(me)));
    if (weak == weakness::by_block) {
        return (before.low >> 32 << 32) + me.place.block + me.block->tickets++ * me.place.blocks;
    }
    return before.low;
}

void fence_all() {
    const code_place place = place_of(__builtin_return_address(0));
    gpu_thread& me = *gpu().current;
    gpu().step();
    if (weakness_of("fence", place) == weakness::left_out) return;
    me.learn(me.to_acquire);
    me.to_acquire = nullptr;
    me.released = me.knowledge();
    // Fences are sequentially consistent: they have one total order, here the order in which they
    // run. A load after a later fence does not return a value older than what was known before an
    // earlier fence. Nothing else relies on that order.
    me.not_older = join(me.not_older, known_by_fences);
    known_by_fences = join(known_by_fences, whole(me.released));
    ++me.now;
}

}  // namespace lookback::trial
