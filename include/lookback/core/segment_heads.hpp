/// \file
/// Where segments begin, and the input and output of a scan of {value, head} pairs that are made on
/// the fly (core/scan_problem.hpp does the scan).
///
/// A source of heads has from(first): a function that says of the items from `first` on, each once
/// and in order, whether a segment begins there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/core/items.hpp"
#include "lookback/core/scan_problem.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

template <class Keys, class Equal>
struct heads_by_key {
    const Keys& keys;
    const Equal& equal;
    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i) {
            return i == 0 || !static_cast<bool>(equal(item(keys, i - 1), item(keys, i)));
        };
    }
};

template <class Flags>
struct heads_by_flag {
    const Flags& flags;
    auto from(std::size_t /*first*/) const {
        return [this](std::size_t i) { return i == 0 || static_cast<bool>(item(flags, i)); };
    }
};

/// Segment s is [offsets[s], offsets[s + 1]), and may be empty. Looked for once, then walked: so
/// the work of a tile is the same whatever the lengths.
template <class Offsets>
struct heads_by_offset {
    const Offsets& offsets;
    std::size_t entries;  ///< the last of which is the number of items

    std::size_t at(std::size_t s) const { return static_cast<std::size_t>(item(offsets, s)); }

    auto from(std::size_t first) const {
        std::size_t low = 0, high = entries;  // the first entry that is `first` or more
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (at(middle) < first) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return [this, s = low, next = at(low)](std::size_t i) mutable {
            if (i != next) return false;
            while (next == i) next = at(++s);
            return true;
        };
    }
};

/// The values with their heads; each segment's first value behind `init`, where there is one.
template <class Values, class Heads, class T, class Op>
struct segmented_input {
    using value_type = segment_value<T>;
    using difference_type = std::ptrdiff_t;
    Values values;
    const Heads& heads;
    const Op& op;
    std::optional<T> init;
};

template <class Values, class Heads, class T, class Op>
auto in_order(const segmented_input<Values, Heads, T, Op>& in, std::size_t first) {
    return [&in, is_head = in.heads.from(first)](std::size_t i) mutable -> segment_value<T> {
        const bool head = is_head(i);
        if (head && in.init) {
            return {static_cast<T>(in.op(*in.init, static_cast<T>(item(in.values, i)))), true};
        }
        return {static_cast<T>(item(in.values, i)), head};
    };
}

template <class Out, class T>
struct segmented_output {
    using value_type = segment_value<T>;
    using difference_type = std::ptrdiff_t;
    Out out;

    struct place {
        const segmented_output& to;
        std::size_t i;
        void operator=(const segment_value<T>& pair) const { put(to.out, i, pair.value); }
    };
    place operator[](std::ptrdiff_t i) const { return {*this, static_cast<std::size_t>(i)}; }
};

/// The segmented operator of an exclusive scan, whose output at a head is `init`.
template <class Op, class T>
struct segmented_from : segmented<const Op&> {
    const T& init;
    segment_value<T> before(const segment_value<T>& fold, const segment_value<T>& item) const {
        return {item.head ? init : fold.value, fold.head};
    }
};
template <class Op, class T>
inline constexpr bool begins_anew<segmented_from<Op, T>> = true;

}  // namespace lookback::detail

namespace lookback {
template <class Op, class T>
inline constexpr bool exactly_associative<detail::segmented_from<Op, T>, segment_value<T>> =
    exactly_associative<Op, T>;
}  // namespace lookback
