#include "simulator/clock.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lookback::trial {

namespace {

using row_ptr = boost::intrusive_ptr<const clock_row>;

row_ptr join(const row_ptr& a, const row_ptr& b) {
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    const row_ptr& longer = a->known.size() >= b->known.size() ? a : b;
    const row_ptr& shorter = &longer == &a ? b : a;
    boost::intrusive_ptr<clock_row> all(new clock_row(*longer));
    bool more = false;
    for (std::size_t i = 0; i < shorter->known.size(); ++i) {
        if (shorter->known[i] > all->known[i]) {
            all->known[i] = shorter->known[i];
            more = true;
        }
    }
    return more ? row_ptr(all) : longer;
}

clock_ptr join_now(const clock_ptr& a, const clock_ptr& b) {
    boost::intrusive_ptr<vector_clock> all(new vector_clock(*a));
    if (all->group.size() < b->group.size()) all->group.resize(b->group.size());
    bool is_a = true, is_b = all->group.size() == b->group.size();
    for (std::size_t g = 0; g < b->group.size(); ++g) {
        all->group[g] = join(all->group[g], b->group[g]);
        is_a = is_a && g < a->group.size() && all->group[g] == a->group[g];
        is_b = is_b && all->group[g] == b->group[g];
    }
    return is_a ? a : is_b ? b : clock_ptr(all);
}

// The threads of a block join the same two clocks one after the other.
struct remembered {
    clock_ptr a, b, all;
};
std::array<remembered, 4096> joins;

}  // namespace

clock_ptr join(const clock_ptr& a, const clock_ptr& b) {
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    const auto key = (reinterpret_cast<std::uintptr_t>(a.get()) * 31 +
                      reinterpret_cast<std::uintptr_t>(b.get())) /
                     16;
    remembered& mine = joins[(key ^ (key >> 12)) % joins.size()];
    if (mine.a != a || mine.b != b) mine = {a, b, join_now(a, b)};
    return mine.all;
}

clock_ptr join(std::span<const stamp> stamps) {
    clock_ptr all;
    const vector_clock* last = nullptr;
    for (const stamp& s : stamps) {
        if (s.known.get() != last) all = join(all, s.known);
        last = s.known.get();
    }
    std::unordered_map<std::uint16_t, boost::intrusive_ptr<clock_row>> changed;
    for (const stamp& s : stamps) {
        if (s.own == 0 || knows(all.get(), s.who, s.own)) continue;
        auto& row = changed[s.who.group];
        if (row == nullptr) {
            const bool known = all != nullptr && s.who.group < all->group.size() &&
                               all->group[s.who.group] != nullptr;
            row.reset(known ? new clock_row(*all->group[s.who.group]) : new clock_row);
        }
        if (row->known.size() <= s.who.member) row->known.resize(s.who.member + std::size_t{1});
        row->known[s.who.member] = std::max(row->known[s.who.member], s.own);
    }
    if (changed.empty()) return all;
    boost::intrusive_ptr<vector_clock> result(all == nullptr ? new vector_clock
                                                             : new vector_clock(*all));
    for (auto& [group, row] : changed) {
        if (result->group.size() <= group) result->group.resize(group + std::size_t{1});
        result->group[group] = row;
    }
    return result;
}

void forget_joins() { joins = {}; }

}  // namespace lookback::trial
