/// \file
/// Classifiers: where a compaction's items go (core/compaction_problem.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <vector>

#include "lookback/core/class_mask.hpp"
#include "lookback/core/items.hpp"

namespace lookback::detail {

// Sets the class of `count` items, one after the other. By way of an array that nothing else can
// refer to, since a byte of `classes` might be a byte of anything that class_of reads: so the
// compiler may work out many at a time.
template <class ClassOf>
void set_classes(block_classes& classes, std::size_t begin, std::size_t count,
                 const ClassOf& class_of) {
    block_classes own;
    if (begin == 0 && count == class_block) {  // nearly always: a number that compilers know
        for (std::size_t i = 0; i < class_block; ++i) own[i] = class_of(i);
        classes = own;
    } else {
        for (std::size_t i = begin; i < count; ++i) own[i] = class_of(i);
        std::copy(own.begin() + begin, own.begin() + count, classes.begin() + begin);
    }
}

/// To the output of the first predicate that holds; where none does, to the output after them.
template <class In, class... Predicates>
class by_predicates {
 public:
    by_predicates(const In& in, const Predicates&... predicates)
        : in_(in), predicates_(predicates...) {}

    void classify(std::size_t first, std::size_t count, block_classes& classes) const {
        std::apply(
            [&](const auto&... holds) {
                set_classes(classes, 0, count, [&](std::size_t i) {
                    std::uint8_t at = 0;
                    auto&& x = item(in_, first + i);
                    (void)((static_cast<bool>(holds(x)) || (++at, false)) || ...);
                    return at;
                });
            },
            predicates_);
    }

 private:
    const In& in_;
    std::tuple<const Predicates&...> predicates_;
};

/// To output 0 where the flag is set; nowhere, or to output 1, otherwise.
template <class Flags>
class by_flags {
 public:
    explicit by_flags(const Flags& flags) : flags_(flags) {}

    void classify(std::size_t first, std::size_t count, block_classes& classes) const {
        set_classes(classes, 0, count, [&](std::size_t i) -> std::uint8_t {
            return static_cast<bool>(item(flags_, first + i)) ? 0 : 1;
        });
    }

 private:
    const Flags& flags_;
};

/// Heads, the first items of runs of equal keys, to output 0. Keys are compared with the one
/// before, as equal(before, key), once each.
///
/// The last key of each tile is copied before the run: the item itself may be overwritten, in
/// place, when the tile after it is read.
template <std::size_t tile_items, class Keys, class Equal>
class run_heads {
 public:
    run_heads(const Keys& keys, std::size_t items, const Equal& equal)
        : keys_(keys), equal_(equal) {
        last_of_tile_.reserve(items / tile_items);
        for (std::size_t i = tile_items; i < items; i += tile_items) {
            last_of_tile_.push_back(item(keys, i - 1));
        }
    }

    void classify(std::size_t first, std::size_t count, block_classes& classes) const {
        std::size_t begin = 0;
        if (first % tile_items == 0) {
            classes[0] =
                first == 0 ? 0 : same(last_of_tile_[first / tile_items - 1], item(keys_, first));
            begin = 1;
        }
        set_classes(classes, begin, count, [&](std::size_t i) {
            return same(item(keys_, first + i - 1), item(keys_, first + i));
        });
    }

 private:
    template <class A, class B>
    std::uint8_t same(const A& before, const B& key) const {
        return static_cast<bool>(equal_(before, key)) ? 1 : 0;
    }

    const Keys& keys_;
    const Equal& equal_;
    std::vector<std::iter_value_t<Keys>> last_of_tile_;
};

/// The first item of each stretch of heads and of each stretch of other items to output 0: by
/// turns, from the first item on.
template <class Keys, class Equal>
class head_changes {
 public:
    head_changes(const Keys& keys, const Equal& equal) : keys_(keys), equal_(equal) {}

    void classify(std::size_t first, std::size_t count, block_classes& classes) const {
        bool before = first == 0 ? false : head(first - 1);
        for (std::size_t i = 0; i < count; ++i) {
            const bool now = head(first + i);
            classes[i] = now != before ? 0 : 1;
            before = now;
        }
    }

 private:
    bool head(std::size_t i) const {
        return i == 0 || !static_cast<bool>(equal_(item(keys_, i - 1), item(keys_, i)));
    }

    const Keys& keys_;
    const Equal& equal_;
};

}  // namespace lookback::detail
