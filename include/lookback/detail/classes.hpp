/// \file
/// Where the items of a compaction go: to the output of class 0, 1, ..., or nowhere.
#pragma once

#include <type_traits>

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// To the output of the first predicate that holds; where none does, to the class after them. (As
/// in all of these, functions may be references; `stored` is the same with copies of them, which a
/// kernel can take along.) `counted`: how many classes are counted; `compares`: whether the class
/// follows from the item before.
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

/// By what lies beside the items: to class 0 where the flag there is set.
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

/// The first item of each run of equal neighbours to class 0.
template <class Equal>
struct by_heads {
    static constexpr int counted = 1;
    static constexpr bool compares = true;
    Equal equal;
    auto stored() const { return by_heads<std::remove_cvref_t<Equal>>{equal}; }
};
template <class Equal>
by_heads(Equal&&) -> by_heads<Equal>;

}  // namespace lookback::detail
