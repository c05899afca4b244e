#include "simulator/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "simulator/names.hpp"

namespace lookback::trial {

namespace {

// Pages that are never accessed cost nothing.
void* reserve(std::size_t bytes) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return at;
}

}  // namespace

memory the_memory;

memory::memory()
    : bytes_(static_cast<std::byte*>(reserve(capacity))),
      allocated_(static_cast<std::uint8_t*>(reserve(capacity))),
      shadows_(static_cast<shadow*>(reserve(capacity * sizeof(shadow)))),
      generation_(capacity / page, 1) {}

memory::~memory() {
    munmap(bytes_, capacity);
    munmap(allocated_, capacity);
    munmap(shadows_, capacity * sizeof(shadow));
}

std::byte* memory::allocate(std::size_t bytes) {
    // On a page of its own, because accesses are forgotten by pages.
    const std::size_t begin = (used_ + guard + page - 1) / page * page;
    if (bytes > capacity || begin + bytes + guard > capacity) return nullptr;
    used_ = begin + bytes;
    ++live_;
    blocks_.push_back({begin, bytes, false});
    std::memset(bytes_ + begin, 0xA5, bytes);
    std::memset(allocated_ + begin, 1, bytes);
    forget(bytes_ + begin, bytes);
    return bytes_ + begin;
}

void memory::free(std::byte* at) {
    const std::size_t begin = offset_of(at);
    const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const block& b) { return b.begin == begin && !b.is_free; });
    if (found == blocks_.end()) fail("memory is freed that is not allocated");
    found->is_free = true;
    std::memset(allocated_ + begin, 0, found->bytes);
    if (--live_ == 0) clear();
}

std::size_t memory::size_of(const std::byte* at) const {
    const std::size_t begin = offset_of(at);
    for (const block& b : blocks_) {
        if (b.begin == begin && !b.is_free) return b.bytes;
    }
    return 0;
}

void memory::allow(const std::byte* at, std::size_t bytes, bool yes) {
    std::memset(allocated_ + offset_of(at), yes ? 1 : 0, bytes);
}

void memory::clear() {
    for (const block& b : blocks_) std::memset(allocated_ + b.begin, 0, b.bytes);
    blocks_.clear();
    used_ = guard;
    live_ = 0;
    forget_all();
}

void memory::forget(const std::byte* at, std::size_t bytes) {
    if (bytes == 0) return;
    ++last_generation_;
    const std::size_t begin = offset_of(at);
    for (std::size_t p = begin / page; p <= (begin + bytes - 1) / page; ++p) {
        generation_[p] = last_generation_;
    }
}

void memory::forget_all() {
    std::fill(generation_.begin(), generation_.end(), ++last_generation_);
    lists_.clear();
    free_lists_.clear();
}

void memory::check_bounds(const void* at, std::size_t bytes, code_place place) const {
    const std::size_t begin = offset_of(at);
    if (begin + bytes <= capacity && std::memchr(allocated_ + begin, 0, bytes) == nullptr) {
        return;
    }
    std::string what = "an access of " + std::to_string(bytes) + " bytes outside every array";
    std::size_t nearest = capacity;
    for (const block& b : blocks_) {
        if (b.begin > begin) continue;
        if (begin - b.begin < nearest) {
            nearest = begin - b.begin;
            what += "; the one before it has " + std::to_string(b.bytes) + " bytes" +
                    (b.is_free ? " and is free" : "") + ", and this is byte " +
                    std::to_string(nearest);
        }
    }
    fail(what + "\n    at " + describe(place));
}

memory::shadow* memory::word_at(std::size_t word, bool whole) {
    shadow* const s = shadows_ + 4 * word;
    const std::uint32_t generation = generation_[4 * word / page];
    if (s->generation != generation) {
        *s = {};
        s->generation = generation;
    }
    if (!whole && !s->split) {
        s->split = true;
        for (int i = 1; i < 4; ++i) {
            s[i] = *s;
            if (s->more != 0) {
                lists_.push_back(std::vector(lists_[s->more - 1]));
                s[i].more = static_cast<std::uint32_t>(lists_.size());
            }
        }
    }
    return s;
}

void memory::access(const accessor& by, const void* at, std::size_t bytes, access_kind kind) {
    if (bytes == 0) return;
    check_bounds(at, bytes, by.place);
    const std::size_t begin = offset_of(at), end = begin + bytes;
    for (std::size_t word = begin / 4; word <= (end - 1) / 4; ++word) {
        const std::size_t first = std::max(begin, 4 * word), last = std::min(end, 4 * word + 4);
        shadow* const s = word_at(word, last - first == 4);
        if (!s->split) {
            access_byte(by, *s, first, kind);
        } else {
            for (std::size_t i = first; i < last; ++i) access_byte(by, s[i - 4 * word], i, kind);
        }
    }
}

bool memory::comes_after(const accessor& by, const touch& earlier, bool was_bulk) {
    return earlier.who == by.who ||
           knows(was_bulk ? by.of_copies : by.of_threads, earlier.who, earlier.when);
}

void memory::access_byte(const accessor& by, shadow& s, std::size_t offset, access_kind kind) {
    if (s.write.when != 0 && !(s.atomic_write && kind.is_atomic) &&
        !comes_after(by, s.write, s.bulk_write)) {
        report(by, s.write, true, s.bulk_write, offset, kind);
    }
    if (s.list_has_writes && !kind.is_atomic) {
        for (const one_more& m : lists_[s.more - 1]) {
            if (m.writes && !comes_after(by, m.what, m.is_bulk)) {
                report(by, m.what, true, m.is_bulk, offset, kind);
            }
        }
    }
    if (!kind.writes) return remember_read(by, s, kind);
    if (s.read.when != 0 && !(s.atomic_read && kind.is_atomic) &&
        !comes_after(by, s.read, s.bulk_read)) {
        report(by, s.read, false, s.bulk_read, offset, kind);
    }
    if (s.more != 0) {
        auto& list = lists_[s.more - 1];
        for (const one_more& m : list) {
            if (!m.writes && !(m.is_atomic && kind.is_atomic) &&
                !comes_after(by, m.what, m.is_bulk)) {
                report(by, m.what, false, m.is_bulk, offset, kind);
            }
        }
        // An atomic write does not order the atomic reads that it does not know of.
        if (!kind.is_atomic) {
            list.clear();
            free_lists_.push_back(s.more);
            s.more = 0;
            s.list_has_writes = false;
        }
    }
    // Atomic writes have no order among themselves: an access that comes after this one need not
    // come after the one before.
    if (kind.is_atomic && s.atomic_write && s.write.when != 0 && !comes_after(by, s.write, false)) {
        remember(s, {s.write, true, false, true});
        s.list_has_writes = true;
    }
    s.write = {by.who, by.now, by.place};
    s.atomic_write = kind.is_atomic;
    s.bulk_write = kind.is_bulk;
    if (!kind.is_atomic) s.read = {};
}

void memory::remember(shadow& s, const one_more& m) {
    if (s.more == 0) {
        if (free_lists_.empty()) {
            lists_.emplace_back();
            free_lists_.push_back(static_cast<std::uint32_t>(lists_.size()));
        }
        s.more = free_lists_.back();
        free_lists_.pop_back();
    }
    auto& list = lists_[s.more - 1];
    if (list.size() == 8192) {
        // Of each actor, the last access of each kind is enough.
        const auto key = [](const one_more& x) {
            return std::tuple(x.what.who.group, x.what.who.member, x.writes, x.is_atomic,
                              x.is_bulk);
        };
        std::sort(list.begin(), list.end(), [&](const one_more& a, const one_more& b) {
            return std::tuple(key(a), ~a.what.when) < std::tuple(key(b), ~b.what.when);
        });
        list.erase(std::unique(list.begin(), list.end(),
                               [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                   list.end());
    }
    list.push_back(m);
}

void memory::remember_read(const accessor& by, shadow& s, access_kind kind) {
    const bool replaces =
        s.read.when == 0 ||
        (s.atomic_read == kind.is_atomic && s.bulk_read == kind.is_bulk && !by.is_copy &&
         (s.read.who == by.who || knows(by.of_threads, s.read.who, s.read.when)));
    if (!replaces) remember(s, {s.read, s.atomic_read, s.bulk_read, false});
    s.read = {by.who, by.now, by.place};
    s.atomic_read = kind.is_atomic;
    s.bulk_read = kind.is_bulk;
}

void memory::report(const accessor& by, const touch& earlier, bool earlier_writes, bool was_bulk,
                    std::size_t offset, access_kind kind) const {
    std::string where = "device memory";
    for (const block& b : blocks_) {
        if (b.begin <= offset && offset < b.begin + b.bytes) {
            where = "byte " + std::to_string(offset - b.begin) + " of an array of " +
                    std::to_string(b.bytes) + " bytes" + name_of_array(bytes_ + b.begin);
        }
    }
    const auto text = [](bool writes, bool atomic, bool bulk) {
        return std::string(atomic ? "an atomic "
                           : bulk ? "a bulk copy's "
                                  : "a ") +
               (writes ? "write" : "read");
    };
    fail("a race at " + where + ":\n    " + text(kind.writes, kind.is_atomic, kind.is_bulk) +
         " by " + name_of(by.who) + "\n    at " + describe(by.place) + "\n    does not know of " +
         text(earlier_writes, false, was_bulk) + " by " + name_of(earlier.who) + "\n    at " +
         describe(earlier.place));
}

}  // namespace lookback::trial
