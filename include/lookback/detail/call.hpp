/// \file
/// What the public functions need for every execution: the number of items, the place of counts,
/// the initial value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "lookback/counts.hpp"
#include "lookback/cpu.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/portability.hpp"

namespace lookback {

/// Where a primitive runs: a lookback::cpu or what converts to it, or a variable of type
/// lookback::gpu.
template <class Where>
concept execution = requires(Where&& where) { execution_of(std::forward<Where>(where)); };

namespace detail {

template <class Where>
using execution_type = std::remove_cvref_t<decltype(execution_of(std::declval<Where&>()))>;

/// What an execution does before and after a call: specialised in detail/cpu/call.hpp and
/// detail/device/call.hpp.
template <class Execution>
struct calls_on;

/// Runs `work` on the execution of `where` as one call: on a GPU, no other call comes between its
/// steps.
template <class Where, class Work>
void in_one_call(Where& where, const Work& work) {
    auto&& on = execution_of(where);
    [[maybe_unused]] const auto whole = calls_on<execution_type<Where>>::begin(on);
    work(on);
}

// Counts in memory may have any integer type of these sizes; may_alias lets the library access them
// by one.
using any_count16 [[gnu::may_alias]] = std::uint16_t;
using any_count32 [[gnu::may_alias]] = std::uint32_t;
using any_count64 [[gnu::may_alias]] = std::uint64_t;

/// The number of items: as the host gives it, or fewer if a number in memory is smaller.
struct item_count {
    std::uint64_t at_most;
    const void* at = nullptr;  ///< an unsigned or non-negative integer of `bytes` bytes
    int bytes = 0;

    LOOKBACK_HD std::uint64_t get() const {
        if (at == nullptr) return at_most;
        const std::uint64_t count = bytes == 8   ? *static_cast<const any_count64*>(at)
                                    : bytes == 4 ? *static_cast<const any_count32*>(at)
                                                 : *static_cast<const any_count16*>(at);
        return count < at_most ? count : at_most;
    }
};

/// The end of an input: an iterator, or a number of items in memory.
template <class Last, class In>
inline constexpr bool ends = std::same_as<Last, In>;
template <class N, class In>
inline constexpr bool ends<count_at<N>, In> = true;
template <class Last, class In>
concept end_of_input = ends<Last, In>;

template <class In>
item_count count_items(const In& first, const In& last) {
    return {detail::checked_count(first, last)};
}
template <class In, class N>
item_count count_items(const In&, const count_at<N>& count) {
    if (count.at == nullptr) {
        throw std::invalid_argument("lookback: count_at.at is a null pointer");
    }
    return {count.at_most, count.at, sizeof(N)};
}

inline std::size_t checked_product(const axis_extents& e) {
    const auto fits = [](std::size_t a, std::size_t b) { return b == 0 || a <= PTRDIFF_MAX / b; };
    if (e.outer == 0 || e.length == 0 || e.inner == 0) return 0;
    if (!fits(e.outer, e.length) || !fits(e.outer * e.length, e.inner)) {
        throw std::invalid_argument("lookback: the extents " + std::to_string(e.outer) + " x " +
                                    std::to_string(e.length) + " x " + std::to_string(e.inner) +
                                    " have more items than can be counted");
    }
    return e.outer * e.length * e.inner;
}

inline void check_extents(const axis_extents& extents, std::size_t have, std::size_t room) {
    const std::size_t items = detail::checked_product(extents);
    if (have < items) {
        throw std::invalid_argument("lookback: the input has " + std::to_string(have) +
                                    " items; expected the extents' " + std::to_string(items));
    }
    if (room < items) refuse_room(room, items);
}

/// Where the counts of kept items go: integers of 2, 4 or 8 bytes, one for each counted class.
struct total_place {
    void* at;
    int bytes;

    LOOKBACK_HD void set(int which, std::uint64_t count) const {
        if (bytes == 8) {
            static_cast<any_count64*>(at)[which] = count;
        } else if (bytes == 4) {
            static_cast<any_count32*>(at)[which] = static_cast<std::uint32_t>(count);
        } else {
            static_cast<any_count16*>(at)[which] = static_cast<std::uint16_t>(count);
        }
    }
};

/// The place of `counts` counts, each of up to `items`.
template <class N>
total_place total_at(count_to<N> count, const item_count& items, int counts = 1) {
    if (count.at == nullptr) {
        throw std::invalid_argument(
            "lookback: count_to.at is a null pointer; expected memory for the count");
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<N>::max());
    if (items.at_most > most) {
        throw std::invalid_argument("lookback: up to " + std::to_string(items.at_most) +
                                    " items are counted in an integer that holds " +
                                    std::to_string(most) + "; expected one of 64 bits");
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(count.at);
    const auto read = reinterpret_cast<std::uintptr_t>(items.at);
    if (items.at != nullptr && begin < read + static_cast<unsigned>(items.bytes) &&
        read < begin + static_cast<unsigned>(counts) * sizeof(N)) {
        throw std::invalid_argument(
            "lookback: count_to and count_at are the same memory, which may be read after it has "
            "been written; expected separate memory");
    }
    return {count.at, static_cast<int>(sizeof(N))};
}

/// Passed as the initial value if there is none.
struct no_initial_value {};

template <class Init>
struct init_type {
    using type = Init;
};
template <class T>
struct init_type<value_at<T>> {
    using type = T;
};
/// The type in which a scan that begins with `Init` accumulates.
template <class Init>
using init_type_of = typename init_type<Init>::type;

template <class T>
const T* checked_place(const value_at<T>& value) {
    if (value.at == nullptr) {
        throw std::invalid_argument("lookback: value_at.at is a null pointer");
    }
    return value.at;
}

/// Placeholder for an absent array.
struct no_array {};

}  // namespace detail
}  // namespace lookback
