/// \file
/// Columns of integers of 1 or 2 bytes on the GPU, as columns of words: four or two neighbouring
/// columns are one, if each row has whole words and the arrays begin at words. An operator folds
/// all numbers of a word at once. Integers have the same bits in any order, so nothing else
/// changes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/packed_folds.hpp"

namespace lookback::detail::device {

/// Folds each number of a word with the number at its place in the other.
template <class Fold, class A>
struct fold_by_places {
    __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
        return fold_places<Fold, A>(a, b);
    }
};

/// The initial value of each column, at all places of a word.
template <class A, class Start>
struct start_at_places {
    Start start;

    __device__ maybe<std::uint32_t> get() const {
        const maybe<A> one = start.get();
        return {in_all_places(one.value), one.some};
    }
};

/// The way to fold words of columns; void where columns are not folded in words.
template <class Op, class A, class In, class Out>
struct column_fold {
    using type = void;
};
template <class Op, class A, class In, class Out>
struct column_fold<Op, A, In*, Out*> {
    using type = packed_fold<Op, A, std::remove_const_t<In>, Out>;
};

/// Columns are folded in words if a row has at least so many words.
inline constexpr std::uint64_t least_packed_columns = 2;

/// The extents in words of items of type A, if each row has whole words: `inner` is 0 if not.
template <class A>
axis_extents packed_extents(const axis_extents& extents) {
    constexpr std::uint64_t of_word = sizeof(std::uint32_t) / sizeof(A);
    const bool whole = extents.inner % of_word == 0;
    return {extents.outer, extents.length, whole ? extents.inner / of_word : 0};
}

/// Calls `scan` with the arrays, extents, initial value and operator of columns of words, if
/// columns can be scanned so. Returns whether it did.
template <class A, class In, class Out, class Start, class Op, class Scan>
bool with_packed_columns(const In& in, const axis_extents& extents, const Out& out,
                         const Start& start, const Op& /*op*/, const Scan& scan) {
    using fold = typename column_fold<Op, A, In, Out>::type;
    if constexpr (!std::is_void_v<fold>) {
        const axis_extents words = packed_extents<A>(extents);
        const auto begins_at_word = [](const void* array) {
            return reinterpret_cast<std::uintptr_t>(array) % sizeof(std::uint32_t) == 0;
        };
        if (words.inner < least_packed_columns || !begins_at_word(in) || !begins_at_word(out))
            return false;
        scan(reinterpret_cast<const std::uint32_t*>(in), words,
             reinterpret_cast<std::uint32_t*>(out), start_at_places<A, Start>{start},
             fold_by_places<fold, A>{});
        return true;
    }
    return false;
}

}  // namespace lookback::detail::device
