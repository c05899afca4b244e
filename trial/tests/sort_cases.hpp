// What trials of sorts share: small tiles, keys of all kinds, orders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lookback/sort.hpp"
#include "support/sort_order.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {

using detail::device::sort_tuning;

/// Tiles so small that a simulation has time for them; one call in a few is sorted by one block.
/// `looks`: whether the sort first finds out whether the keys are sorted already.
template <bool looks>
inline constexpr sort_tuning small_tiles = {.tile = {8, 2, 1},
                                            .small_tile = {9, 1, 1},
                                            .small_until = 800,
                                            .middle_tile = {8, 1, 1},
                                            .middle_until = 1400,
                                            .enumerated_for_digit = 60,
                                            .few = {8, 1, 1},
                                            .many = {9, 2, 1},
                                            .few_in_cluster = {8, 1, 2},
                                            .many_in_cluster = {9, 2, 4},
                                            .alone_until = 100,
                                            .cluster_items = 200,
                                            .buckets_from = 700,
                                            .dealt = {8, 3, 1},
                                            .dealt_tiles = 3,
                                            .few_in_bucket = {8, 2, 1},
                                            .many_in_bucket = {9, 3, 1},
                                            .hybrid_from = detail::device::never,
                                            .by_positions_from = detail::device::never,
                                            .scattered = {8, 2, 1},
                                            .few_in_local = {8, 1, 1},
                                            .many_in_local = {8, 2, 1},
                                            .few_bin_bits = 10,
                                            .many_bin_bits = 10,
                                            .hybrid_count_threads = 256,
                                            .hybrid_count_items = 300,
                                            .portion_tiles = 3,
                                            .count_threads = 64,
                                            .count_items = 300,
                                            .count_all_threads = 64,
                                            .count_all_items = 700,
                                            .count_all_from = 1200,
                                            .looks_from = looks ? 1 : ~std::uint64_t{0}};
/// The same, but more than a few keys, if they are even and all their bits are sorted by, are
/// sorted by a hybrid sort.
inline constexpr sort_tuning hybrid_tiles = [] {
    sort_tuning tuning = small_tiles<true>;
    tuning.alone_until = ~std::uint64_t{0};
    tuning.hybrid_from = 600;
    tuning.by_positions_from = 600;
    tuning.portion_tiles = 1000;
    return tuning;
}();

template <class Key>
Key key_of_bits(std::uint64_t bits) {
    return detail::key_of_bits<Key>(static_cast<detail::key_word<Key>>(bits));
}

/// Keys that are random, or of few values, or of one value, or sorted, or sorted in reverse, or
/// with digits that are the same in all keys, or near both ends of their type's range, or that
/// differ only in the highest, lowest and some other bits, or of which one in six is nearly the
/// same. A key may be out of order.
template <class Key>
std::vector<Key> keys_of_a_kind(case_choices& choices, std::uint64_t n) {
    using word = detail::key_word<Key>;
    const auto kind = choices.said("kind", choices.below(10));
    const bool is_dirty = choices.said("dirty", choices.one_in(4));
    const std::uint64_t distinct = choices.of<std::uint64_t>({2, 3, 200});
    const auto mask = static_cast<word>(choices.bits() & choices.bits() << 8);
    const auto random = [&] {
        word bits = static_cast<word>(choices.bits());
        if constexpr (sizeof(word) > 8) bits = static_cast<word>(bits << 64 | choices.bits());
        return bits;
    };
    const word one = random();
    std::vector<Key> keys(n);
    for (auto& key : keys) {
        word bits = random();
        switch (kind) {
            case 0: break;
            case 1: bits = static_cast<word>(one ^ choices.below(distinct)); break;
            case 2: bits = one; break;
            case 3: bits = static_cast<word>(bits & mask); break;
            case 4: bits = static_cast<word>(choices.one_in(20) ? bits : one); break;
            case 5:
                bits = choices.coin() ? static_cast<word>(0 - choices.below(3))
                                      : static_cast<word>(choices.below(3));
                break;
            case 6: {
                constexpr int last = detail::word_bits<word> - 1;
                const word ends = static_cast<word>(word{3} << (last - 1) | 7);
                bits = static_cast<word>(bits & (ends | (one & one >> 3)));
                break;
            }
            case 7:
                if (choices.one_in(6)) bits = static_cast<word>(one ^ choices.below(8));
                break;
            default: break;
        }
        key = detail::key_of_bits<Key>(bits);
    }
    if (kind >= 8) {
        std::stable_sort(keys.begin(), keys.end(), test::comes_before<Key>);
        if (kind == 9) std::reverse(keys.begin(), keys.end());
    }
    if (is_dirty && n > 0) keys[choices.below(n)] = detail::key_of_bits<Key>(random());
    return keys;
}

template <class Key>
sort_by draw_order(case_choices& choices) {
    constexpr int bits = detail::word_bits<detail::key_word<Key>>;
    sort_by by{.descending = choices.said("descending", choices.coin()), .last_bit = bits};
    if (choices.one_in(3)) {
        by.first_bit = choices.said("first bit", static_cast<int>(choices.below(bits + 1)));
        by.last_bit = by.first_bit + static_cast<int>(choices.below(bits - by.first_bit + 1));
        choices.said("last bit", by.last_bit);
    }
    return by;
}

template <class T, class Index>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<Index>& order) {
    std::vector<T> sorted;
    for (const Index i : order) sorted.push_back(items[i]);
    return sorted;
}

/// The number of items of a call, in the form in which a problem has it.
inline detail::item_count count_of(const call_size& size) {
    struct items {
        std::uint64_t first;
        std::uint64_t operator+(std::ptrdiff_t n) const {
            return first + static_cast<std::uint64_t>(n);
        }
    };
    detail::item_count count{size.at_most};
    size.with_end(items{0}, [&](auto last) {
        if constexpr (!std::is_same_v<decltype(last), std::uint64_t>) {
            count = {last.at_most, last.at, sizeof(*last.at)};
        }
    });
    return count;
}

/// A trial of calls that `make` draws. Their tiles publish counts of digits.
template <class Make>
void on_trial(int schedules, const Make& make) {
    for_schedules(schedules, [&](case_choices& choices) {
        calls_in_a_row<std::uint32_t>(choices, [&] { return make(choices); });
    });
}

}  // namespace lookback::trial
