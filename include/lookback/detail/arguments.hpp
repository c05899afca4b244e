/// \file
/// Checks of a call's arguments, and the order in which iterators go through memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace lookback::detail {

// An iterator's way: from `start`, upwards (step 1) or downwards (-1). A reverse iterator goes the
// way of the iterator that it reverses, downwards. A way through an array starts from a pointer.
template <class It>
struct walk {
    static constexpr int step = 1;
    static constexpr bool in_array = std::contiguous_iterator<It>;
    static auto start(const It& it) {
        if constexpr (in_array) {
            return std::to_address(it);
        } else {
            return it;
        }
    }
};
template <class It>
struct walk<std::reverse_iterator<It>> {
    static constexpr int step = -walk<It>::step;
    static constexpr bool in_array = walk<It>::in_array;
    static auto start(const std::reverse_iterator<It>& it) {
        const auto end = walk<It>::start(it.base());
        if constexpr (in_array) {
            if (end == nullptr) return end;  // there is no last item
        }
        return end - walk<It>::step;
    }
};

template <class It>
struct walk<std::reverse_iterator<std::reverse_iterator<It>>> : walk<It> {
    static auto start(const std::reverse_iterator<std::reverse_iterator<It>>& it) {
        return walk<It>::start(it.base().base());
    }
};

template <class... Its>
inline constexpr bool all_in_arrays = (walk<Its>::in_array && ...);
template <class A, class B>
inline constexpr bool same_walk = all_in_arrays<A, B> && walk<A>::step == walk<B>::step;

// The messages are made in separate functions, so that the checks that are compiled into a call are
// a few comparisons.
[[noreturn]] inline void refuse_threads(int threads) {
    throw std::invalid_argument("lookback: cpu.threads is " + std::to_string(threads) +
                                "; expected 0 for all, or the number of threads");
}
[[noreturn]] inline void refuse_count(long long count) {
    throw std::invalid_argument("lookback: the input ends before it begins (" +
                                std::to_string(count) + " items); expected first <= last");
}
[[noreturn]] inline void refuse_room(unsigned long long room, unsigned long long need) {
    throw std::invalid_argument("lookback: the output has room for " + std::to_string(room) +
                                " items; expected at least the input's " + std::to_string(need));
}
[[noreturn]] inline void refuse_null(const char* name, std::size_t items) {
    throw std::invalid_argument(std::string("lookback: the ") + name + " is a null pointer, with " +
                                std::to_string(items) + " items");
}
[[noreturn]] inline void refuse_overlap(std::intptr_t bytes) {
    throw std::invalid_argument("lookback: the output overlaps the input, " +
                                std::to_string(bytes) +
                                " bytes from its beginning; expected separate memory or the input "
                                "itself");
}

inline void check_threads(int threads) {
    if (threads < 0) refuse_threads(threads);
}

template <class In>
std::size_t checked_count(const In& first, const In& last) {
    const auto count = last - first;
    if (count < 0) refuse_count(static_cast<long long>(count));
    return static_cast<std::size_t>(count);
}

template <class It>
void check_not_null(const It& it, std::size_t items, const char* name) {
    if constexpr (std::is_pointer_v<It>) {
        if (items > 0 && it == nullptr) refuse_null(name, items);
    }
}

// The bytes that `items` > 0 items from `it` on occupy.
struct byte_range {
    std::uintptr_t begin;
    std::uintptr_t end;
};
inline bool meet(const byte_range& a, const byte_range& b) {
    return a.begin < b.end && b.begin < a.end;
}
template <class It>
byte_range bytes_of(const It& it, std::size_t items) {
    const auto* p = walk<It>::start(it);
    const auto* low = walk<It>::step > 0 ? p : p - (items - 1);
    return {reinterpret_cast<std::uintptr_t>(low), reinterpret_cast<std::uintptr_t>(low + items)};
}

// Refuses null pointers, and output that overlaps the input in any way but item upon item.
template <class In, class Out>
void check_memory(const In& in, const Out& out, std::size_t items) {
    detail::check_not_null(in, items, "input");
    detail::check_not_null(out, items, "output");
    if constexpr (all_in_arrays<In, Out>) {
        const byte_range a = detail::bytes_of(in, items);
        const byte_range b = detail::bytes_of(out, items);
        const bool same = a.begin == b.begin && a.end == b.end && same_walk<In, Out>;
        if (!same && detail::meet(a, b)) {
            refuse_overlap(static_cast<std::intptr_t>(b.begin - a.begin));
        }
    }
}

// Refuses output that overlaps an array that is read. The array may have another length; `name` is
// its name in messages.
template <class Read, class Out>
void check_apart(const Read& read, std::size_t entries, const char* name, const Out& out,
                 std::size_t items) {
    detail::check_not_null(read, entries, name);
    if constexpr (all_in_arrays<Read, Out>) {
        if (entries == 0 || items == 0) return;
        const byte_range a = detail::bytes_of(read, entries);
        const byte_range b = detail::bytes_of(out, items);
        if (detail::meet(a, b)) {
            throw std::invalid_argument(
                std::string("lookback: the output overlaps the ") + name + ", " +
                std::to_string(static_cast<std::intptr_t>(b.begin - a.begin)) +
                " bytes from its beginning; expected separate memory");
        }
    }
}

// Like check_memory, for output of unknown length: at most one item for each item of an array that
// is read, whose name in messages is `name`. Refuses an output that begins within the array. At the
// array's own beginning it is accepted if `over_input` allows it.
enum class in_place { allowed, refused };
template <class In, class Out>
void check_compacted(const In& in, const Out& out, std::size_t items, in_place over_input,
                     const char* name = "input") {
    if (items == 0) return;
    detail::check_not_null(in, items, name);
    detail::check_not_null(out, items, "output");
    if constexpr (all_in_arrays<In, Out>) {
        const byte_range a = detail::bytes_of(in, items);
        const byte_range a0 = detail::bytes_of(in, 1);
        const byte_range b0 = detail::bytes_of(out, 1);
        const bool same = a0.begin == b0.begin && a0.end == b0.end && same_walk<In, Out>;
        if (same && over_input == in_place::allowed) return;
        if (detail::meet(a, b0)) {
            throw std::invalid_argument(
                std::string("lookback: an output begins within the ") + name + ", " +
                std::to_string(static_cast<std::intptr_t>(b0.begin - a.begin)) +
                " bytes from its beginning; expected separate memory" +
                (over_input == in_place::allowed ? std::string(" or the ") + name + " itself"
                                                 : ""));
        }
    }
}

// Refuses an output of unknown length that began before an array that is read, and has run into it.
// This can be checked only after the call, when the number of results is known. An output whose
// items are no wider than the array's never reaches items that have yet to be read.
template <class In, class... Outs>
void check_written(std::size_t results, const In& in, std::size_t items, const Outs&... outs) {
    const auto check_one = [&](const auto& out) {
        using Out = std::remove_cvref_t<decltype(out)>;
        if constexpr (all_in_arrays<In, Out>) {
            constexpr bool stays_behind = same_walk<In, Out> && sizeof(std::iter_value_t<Out>) <=
                                                                    sizeof(std::iter_value_t<In>);
            if (stays_behind || results == 0) return;
            const byte_range a = detail::bytes_of(in, items);
            const byte_range b = detail::bytes_of(out, results);
            if (detail::meet(a, b)) {
                throw std::invalid_argument(
                    "lookback: an output of " + std::to_string(results) +
                    " items has run into an input, " +
                    std::to_string(static_cast<std::intptr_t>(a.begin - b.begin)) +
                    " bytes behind its beginning, and neither is right any more; expected separate "
                    "memory");
            }
        }
    };
    (check_one(outs), ...);
}

// Calls f(a, b) for each pair of arguments, a before b.
template <class F>
void for_each_pair(const F& /*f*/) {}
template <class F, class First, class... Rest>
void for_each_pair(const F& f, [[maybe_unused]] const First& a, const Rest&... rest) {
    (f(a, rest), ...);
    detail::for_each_pair(f, rest...);
}

// Refuses outputs for at most `items` items, of unknown length, if two of them begin at the same
// place. (An output that is written backwards from an array's end may lie in another's array.)
template <class... Outs>
void check_outputs(std::size_t items, const Outs&... outs) {
    if (items == 0) return;
    const auto check_two = []<class A, class B>(const A& a, const B& b) {
        if constexpr (same_walk<A, B>) {
            const byte_range x = detail::bytes_of(a, 1);
            const byte_range y = detail::bytes_of(b, 1);
            if (detail::meet(x, y)) {
                throw std::invalid_argument(
                    "lookback: two outputs begin at the same place; expected separate memory");
            }
        }
    };
    detail::for_each_pair(check_two, outs...);
}

// An output, and the number of items that have been written to it.
template <class Out>
struct written {
    const Out& out;
    std::size_t items;
};
template <class Out>
written(const Out&, std::size_t) -> written<Out>;

// Refuses outputs that have run into each other, once their lengths are known.
template <class... Outs>
void check_written_apart(const written<Outs>&... outs) {
    const auto check_two = []<class A, class B>(const written<A>& a, const written<B>& b) {
        if constexpr (all_in_arrays<A, B>) {
            if (a.items == 0 || b.items == 0) return;
            const byte_range x = detail::bytes_of(a.out, a.items);
            const byte_range y = detail::bytes_of(b.out, b.items);
            if (detail::meet(x, y)) {
                throw std::invalid_argument(
                    "lookback: two outputs, of " + std::to_string(a.items) + " and of " +
                    std::to_string(b.items) +
                    " items, have run into each other, and neither is right; expected separate "
                    "memory");
            }
        }
    };
    detail::for_each_pair(check_two, outs...);
}

}  // namespace lookback::detail
