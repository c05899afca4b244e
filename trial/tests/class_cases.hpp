/// \file
/// What trials of selections and partitions share: items of classes, and calls in a row.
#pragma once

#include "cuda/support/select_items.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
using test::wide_item;
using bytes24 = wide_item<6, 8>;
template <class T>
constexpr int class_shift = std::is_same_v<T, std::uint8_t> ? 6 : 30;
template <class T, class Paired = detail::no_array>
constexpr std::uint64_t tile_of = detail::device::compaction_tile_items<T, Paired>;
template <int counted>
using counts_of_tile = detail::class_counts<std::uint32_t, counted>;

/// The class of an item is the two highest bits of its key.
struct is_of_class {
    std::uint32_t which;
    template <class T>
    bool operator()(const T& item) const {
        return test::key_of{}(item) >> class_shift<T> == which;
    }
};

/// Items of class 0 among other items: all, none or some of them, changing from stretch to stretch.
template <class T>
std::vector<T> items_of_classes(case_choices& choices, std::uint64_t n, std::uint64_t tile) {
    const std::vector<std::uint64_t> ratios = {0, 10, 50, 90, 100};
    std::uint64_t percent = choices.said("percent", choices.of(ratios));
    const bool mixed = choices.said("mixed", choices.coin());
    std::vector<T> items(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        if (mixed && choices.one_in(tile / 2)) percent = choices.of(ratios);
        const std::uint64_t which = choices.below(100) < percent ? 0 : choices.between(1, 3);
        const std::uint32_t low = (1U << class_shift<T>)-1;
        items[i] = test::item_of<T>(
            static_cast<std::uint32_t>(which) << class_shift<T> | (choices.bits() & low), i);
    }
    return items;
}
template <class T>
std::vector<T> those_of_class(const std::vector<T>& items, const is_of_class& pred,
                              bool yes = true) {
    std::vector<T> some;
    for (const T& x : items) {
        if (pred(x) == yes) some.push_back(x);
    }
    return some;
}
template <class T>
std::vector<T> items_in_runs(const std::vector<std::uint32_t>& runs) {
    std::vector<T> items;
    for (const std::uint32_t run : runs) {
        items.push_back(test::item_of<T>(run % 4 << class_shift<T> | run / 4, items.size()));
    }
    return items;
}

/// A trial of calls that `make` draws, with `counted` counted classes.
template <int counted = 1, class Make>
void on_trial(int schedules, const Make& make) {
    for_schedules(schedules, [&](case_choices& choices) {
        calls_in_a_row<counts_of_tile<counted>>(choices, [&] { return make(choices); });
    });
}

}  // namespace lookback::trial
