/// \file
/// Vector clocks: what an actor (a simulated thread, or an asynchronous copy) knows of the work of
/// other actors.
///
/// An actor counts its own work in epochs. An access in epoch e of actor a happens before whatever
/// an actor does that knows a up to e. Actors form groups, one for the threads of each block and
/// one for its copies, so a clock is a row of epochs for each group. Rows and clocks are immutable
/// and shared, because most actors of a block know the same (FastTrack, Flanagan & Freund 2009,
/// with sharing).
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace lookback::trial {

using epoch = std::uint32_t;

struct actor {
    std::uint16_t group = 0;
    std::uint16_t member = 0;
    auto operator<=>(const actor&) const = default;
};

struct clock_row : boost::intrusive_ref_counter<clock_row, boost::thread_unsafe_counter> {
    std::vector<epoch> known;  ///< of each member
};
struct vector_clock : boost::intrusive_ref_counter<vector_clock, boost::thread_unsafe_counter> {
    std::vector<boost::intrusive_ptr<const clock_row>> group;
};
/// Null: nothing is known.
using clock_ptr = boost::intrusive_ptr<const vector_clock>;

inline bool knows(const vector_clock* clock, actor who, epoch when) {
    if (clock == nullptr || who.group >= clock->group.size()) return false;
    const clock_row* const row = clock->group[who.group].get();
    return row != nullptr && who.member < row->known.size() && row->known[who.member] >= when;
}

/// What a or b knows.
clock_ptr join(const clock_ptr& a, const clock_ptr& b);

/// What an actor knows, and its own work up to `own`.
struct stamp {
    clock_ptr known;
    actor who;
    epoch own = 0;  ///< 0: none of its own work
};

/// What a stamp contains, without sharing it.
struct stamp_view {
    const vector_clock* known;
    actor who;
    epoch own = 0;
    stamp_view(const vector_clock* known) : known(known) {}
    stamp_view(const stamp& s) : known(s.known.get()), who(s.who), own(s.own) {}
};
inline bool knows(const stamp_view& s, actor who, epoch when) {
    return (who == s.who && when <= s.own) || knows(s.known, who, when);
}

/// What at least one of these stamps contains.
clock_ptr join(std::span<const stamp> stamps);
inline clock_ptr whole(const stamp& s) { return join(std::span(&s, 1)); }

/// Empties the cache of joins.
void forget_joins();

}  // namespace lookback::trial
