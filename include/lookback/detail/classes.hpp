/// \file
/// The class of each item of a compaction: class 0, 1, ... is the number of its output; an item of
/// a class without an output is dropped. And how many items of each class there are.
#pragma once

#include <type_traits>

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// An item's class is the number of the first predicate that holds; if none holds, it is the class
/// after them. In all classes of this file, functions may be references; stored() returns the same
/// with copies of the functions, which a kernel can hold. `counted` is the number of classes whose
/// items are counted, and `compares` says whether an item's class depends on the item before it.
template <class... Predicates>
struct by_predicates;
template <class Predicate>
struct by_predicates<Predicate> {
    static constexpr int counted = 1;
    static constexpr bool compares = false;
    Predicate holds;
    LOOKBACK_CALLS_ANY
    template <class T>
    LOOKBACK_HD int operator()(T&& item) const {
        return holds(item) ? 0 : 1;
    }
    auto stored() const { return by_predicates<std::remove_cvref_t<Predicate>>{holds}; }
};
template <class First, class Second>
struct by_predicates<First, Second> {
    static constexpr int counted = 2;
    static constexpr bool compares = false;
    First first;
    Second second;
    LOOKBACK_CALLS_ANY
    template <class T>
    LOOKBACK_HD int operator()(T&& item) const {
        return first(item) ? 0 : second(item) ? 1 : 2;
    }
    auto stored() const {
        return by_predicates<std::remove_cvref_t<First>, std::remove_cvref_t<Second>>{first,
                                                                                      second};
    }
};
template <class... Predicates>
by_predicates(Predicates&&...) -> by_predicates<Predicates...>;

/// By a flag paired with each item: class 0 if the flag is set, else 1.
struct by_flag {
    static constexpr int counted = 1;
    static constexpr bool compares = false;
    LOOKBACK_CALLS_ANY
    template <class Flag>
    LOOKBACK_HD int operator()(Flag&& flag) const {
        return static_cast<bool>(static_cast<Flag&&>(flag)) ? 0 : 1;
    }
    by_flag stored() const { return *this; }
};

/// By runs of equal neighbours: the first item of each run has class 0.
template <class Equal>
struct by_heads {
    static constexpr int counted = 1;
    static constexpr bool compares = true;
    Equal equal;
    auto stored() const { return by_heads<std::remove_cvref_t<Equal>>{equal}; }
};
template <class Equal>
by_heads(Equal&&) -> by_heads<Equal>;

/// The number of items of each of the first `classes` classes. A tile may need fewer bits than an
/// array.
template <class N, int classes>
struct class_counts {
    N of[classes];

    class_counts() = default;
    template <class M>
    LOOKBACK_HD explicit class_counts(const class_counts<M, classes>& other) {
        for (int c = 0; c < classes; ++c) of[c] = other.of[c];
    }
};

struct add_counts {
    template <class N, class M, int classes>
    LOOKBACK_HD class_counts<N, classes> operator()(class_counts<N, classes> a,
                                                    const class_counts<M, classes>& b) const {
        for (int c = 0; c < classes; ++c) a.of[c] += b.of[c];
        return a;
    }
};

}  // namespace lookback::detail
