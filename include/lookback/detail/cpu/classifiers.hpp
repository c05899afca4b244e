/// \file
/// Classifiers: to which output each item of a compaction goes (detail/cpu/compaction_problem.hpp).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/cpu/class_mask.hpp"
#include "lookback/detail/cpu/key_heads.hpp"
#include "lookback/detail/heads.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

/// Classifies by the classes (detail/classes.hpp) of what lies in `in`: the items themselves or
/// their flags.
template <class In, class Classes>
class item_classes {
 public:
    item_classes(const In& in, const Classes& classes) : in_(in), classes_(classes) {}

    template <std::size_t outputs>
    [[gnu::always_inline]] auto classify(std::size_t first, std::size_t count) const {
        // (Compilers narrow the test whether a flag is 0 well; for flags of 8 bytes, better to 1
        // byte than to 4.)
        using word = std::conditional_t<std::same_as<Classes, by_flag>, std::uint8_t,
                                        class_word<std::iter_value_t<In>>>;
        return class_masks<outputs, word>(0, count, [&](std::size_t i) {
            return static_cast<std::uint8_t>(classes_(detail::item(in_, first + i)));
        });
    }

 private:
    const In& in_;
    Classes classes_;
};

/// Items whose flag is set go to output 0; others go to output 1, or are dropped if there is none.
template <class Flags>
item_classes<Flags, by_flag> by_flags(const Flags& flags) {
    return {flags, {}};
}

/// Heads (detail/heads.hpp) go to output 0. Each key is compared once with the key before it.
///
/// The last key of each tile is copied before the driver runs: in place, the key itself may be
/// overwritten before the tile after it is read.
template <std::size_t tile_items, class Keys, class Equal>
class run_heads {
 public:
    run_heads(const Keys& keys, std::size_t items, const Equal& equal) : heads_{keys, equal} {
        last_of_tile_.reserve(items / tile_items);
        for (std::size_t i = tile_items; i < items; i += tile_items) {
            last_of_tile_.push_back(detail::item(keys, i - 1));
        }
    }

    template <std::size_t outputs>
    [[gnu::always_inline]] auto classify(std::size_t first, std::size_t count) const {
        static_assert(outputs == 1);
        const bool begins_tile = first % tile_items == 0;
        std::uint64_t heads = heads_(first, count, begins_tile ? 1 : 0);
        if (begins_tile && first > 0) {
            const auto& before = last_of_tile_[first / tile_items - 1];
            const auto& key = detail::item(heads_.keys, first);
            if (!detail::is_head(heads_.equal, before, key)) heads &= ~std::uint64_t{1};
        }
        return std::array{heads};
    }

 private:
    key_heads<Keys, Equal> heads_;
    std::vector<std::iter_value_t<Keys>> last_of_tile_;
};

/// The first item of each stretch of heads, and of each stretch of others, goes to output 0.
template <class Keys, class Equal>
class head_changes {
 public:
    head_changes(const Keys& keys, const Equal& equal) : heads_{keys, equal} {}

    template <std::size_t outputs>
    auto classify(std::size_t first, std::size_t count) const {
        static_assert(outputs == 1);
        detail::prefetch_page_after<class_block>(heads_.keys, first, count);
        const std::uint64_t heads = heads_(first, count, first == 0 ? 1 : 0);
        return std::array{
            detail::begins_of_stretches(heads, first, static_cast<int>(count), heads_.equal,
                                        [&](std::size_t distance) -> decltype(auto) {
                                            return detail::item(heads_.keys, first - distance);
                                        })};
    }

 private:
    key_heads<Keys, Equal> heads_;
};

}  // namespace lookback::detail
