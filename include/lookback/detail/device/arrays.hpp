/// \file
/// What compactions and runs read and write: arrays, iterators, or nothing.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail::device {

template <class P>
inline constexpr bool is_absent = std::is_same_v<P, no_array>;

template <class P>
struct item_of_type {
    using type = std::iter_value_t<P>;
};
template <>
struct item_of_type<no_array> {
    using type = no_array;
};
template <class P>
using item_of = typename item_of_type<P>::type;

/// The bytes of an item in a stage.
template <class T>
inline constexpr int staged_size = is_absent<T> ? 0 : static_cast<int>(sizeof(T));

template <class P>
inline constexpr bool is_bulk_array = [] {
    if constexpr (std::is_pointer_v<P>) {
        return std::is_trivially_copyable_v<std::remove_pointer_t<P>> && 16 % sizeof(*P{}) == 0;
    }
    return false;
}();

/// An array that is indexed from its last item downward.
template <class P>
struct downward {
    P last;
    __device__ decltype(auto) operator[](std::uint64_t i) const {
        return last[-static_cast<std::int64_t>(i)];
    }
    using value_type = written_item<P>;
};
template <class P>
struct item_of_type<downward<P>> {
    using type = std::iter_value_t<P>;
};

/// What a kernel indexes: a pointer for a contiguous iterator; for a reverse iterator, an array
/// from its last item downward.
template <class It>
auto indexed(const It& it) {
    const auto start = walk<It>::start(it);
    if constexpr (walk<It>::step > 0) {
        return start;
    } else {
        return downward<std::remove_const_t<decltype(start)>>{start};
    }
}
inline no_array indexed(no_array) { return {}; }

/// What lies in `array` from a place on.
template <class P>
struct array_from {
    P array;
    std::int64_t first = 0;

    __device__ decltype(auto) operator[](std::int64_t i) const { return array[first + i]; }
    __device__ void operator+=(std::int64_t by) { first += by; }
};

/// An array whose items are read as values of type T.
template <class P, class T>
struct read_as {
    P array;
    __device__ T operator[](std::int64_t i) const { return static_cast<T>(array[i]); }
};
template <class P, class T>
struct item_of_type<read_as<P, T>> {
    using type = T;
};

/// An output that takes every second value only, from the second on, and adds `add` to it.
template <class Out>
struct every_second {
    Out out;
    int add;

    struct place {
        const every_second& to;
        std::uint64_t i;
        __device__ void operator=(std::uint64_t value) const {
            if (i % 2 == 1) {
                to.out[static_cast<std::int64_t>(i / 2)] =
                    value + static_cast<std::uint64_t>(to.add);
            }
        }
    };
    __device__ place operator[](std::uint64_t i) const { return {*this, i}; }
};
template <class Out>
struct item_of_type<every_second<Out>> {
    using type = std::uint64_t;
};

/// The outputs of the classes 0, 1, ...
template <class... Outputs>
struct output_list;
template <>
struct output_list<> {
    template <int c>
    __device__ no_array at() const {
        return {};
    }
};
template <class First, class... Rest>
struct output_list<First, Rest...> {
    First first;
    output_list<Rest...> rest;

    explicit output_list(const First& first_, const Rest&... rest_)
        : first(first_), rest(rest_...) {}
    template <int c>
    __device__ auto at() const {
        if constexpr (c == 0) {
            return first;
        } else {
            return rest.template at<c - 1>();
        }
    }
};

template <class Prefix>
struct empty_start {
    __device__ maybe<Prefix> get() const { return {Prefix{}, false}; }
};

}  // namespace lookback::detail::device
