// Sorting on trial: one block, or passes over small tiles, in portions; all kinds of keys and
// values, orders and bits; in place where that is allowed; counts on the host and in device memory;
// several calls behind each other.
#include "lookback/sort.hpp"

#include "cuda/support/select_items.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
namespace {

using detail::no_array, detail::input_positions;
using detail::device::digit_match, detail::device::sort_tuning;
using test::wide_item;
using bytes24 = wide_item<6, 8>;

/// Tiles that a simulation has time for; one call in a few goes to one block.
template <digit_match match>
inline constexpr sort_tuning small_tiles = {.tile = {8, 2, 1},
                                            .few = {8, 1, 1},
                                            .many = {9, 2, 1},
                                            .portion_tiles = 3,
                                            .count_warps = match == digit_match::ballots ? 4 : 1,
                                            .count_items = 300,
                                            .match = match};
constexpr std::uint64_t tile_items = 512;

template <class Key>
Key key_of_bits(std::uint64_t bits) {
    return detail::key_of_bits<Key>(static_cast<detail::key_word<Key>>(bits));
}

/// Random; of few values; one; in order, or against it; with digits that are the same in all, with
/// a few keys out of order, at either end of what their type holds.
template <class Key>
std::vector<Key> keys_of_a_kind(case_choices& choices, std::uint64_t n) {
    using word = detail::key_word<Key>;
    const auto kind = choices.said("kind", choices.below(8));
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
            default: break;
        }
        key = detail::key_of_bits<Key>(bits);
    }
    if (kind >= 6) {
        std::stable_sort(keys.begin(), keys.end(), [&](Key a, Key b) {
            return detail::word_of_key(a) < detail::word_of_key(b);
        });
        if (kind == 7) std::reverse(keys.begin(), keys.end());
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

/// Where each key of the sorted sequence stands.
template <class Key>
std::vector<std::uint64_t> order_of(const std::vector<Key>& keys, const sort_by& by) {
    using word = detail::key_word<Key>;
    constexpr int bits = detail::word_bits<word>;
    const int some = by.last_bit - by.first_bit;
    const word mask =
        some == 0
            ? word{0}
            : static_cast<word>(static_cast<word>(static_cast<word>(~word{0}) >> (bits - some))
                                << by.first_bit);
    const auto part = [&](std::uint64_t i) {
        return static_cast<word>(detail::word_of_key(keys[i], by.descending) & mask);
    };
    std::vector<std::uint64_t> order(keys.size());
    for (std::uint64_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return part(a) < part(b); });
    return order;
}
template <class T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<std::uint64_t>& order) {
    std::vector<T> sorted;
    for (const std::uint64_t i : order) sorted.push_back(items[i]);
    return sorted;
}

/// As the public functions do, on small tiles; where `size` says so, with the count in device
/// memory.
template <class Key, digit_match match, class... Arguments>
void sort_on(lookback::gpu& gpu, const call_size& size, const auto& keys,
             const Arguments&... arguments) {
    [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
    if (size.at_most == 0) return;
    struct items {
        std::uint64_t first;
        std::uint64_t operator+(std::ptrdiff_t n) const {
            return first + static_cast<std::uint64_t>(n);
        }
    };
    size.with_end(items{0}, [&](auto last) {
        detail::item_count count{size.at_most};
        if constexpr (!std::is_same_v<decltype(last), std::uint64_t>) {
            count = {last.at_most, last.at, sizeof(*last.at)};
        }
        detail::device::sort_arrays<Key, small_tiles<match>>(gpu, count, keys, arguments...);
    });
}

template <class Key, bool backward = false, digit_match match = digit_match::ballots>
pending_call sort_keys(case_choices& choices) {
    const call_size size(choices, tile_items);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key, backward>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<Key, match>(gpu, size, in->reads(), out->writes(), no_array{}, no_array{}, by);
    };
    const auto check = [=] {
        out->check(in_order(items, order_of(items, by)), "sort_keys");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

template <class Key, class Value, bool backward = false>
pending_call sort_pairs(case_choices& choices) {
    const call_size size(choices, tile_items);
    const auto keys = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    std::vector<Value> values;
    for (std::uint64_t i = 0; i < size.n; ++i) {
        values.push_back(test::item_of<Value>(static_cast<std::uint32_t>(choices.bits()), i));
    }
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, keys);
    const auto values_in =
        std::make_shared<walked_array<Value, backward>>(choices, size.at_most, values);
    const auto out = output_over(choices, in, size);
    const auto values_out = output_over(choices, values_in, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<Key, digit_match::ballots>(gpu, size, in->reads(), out->writes(),
                                           values_in->reads(), values_out->writes(), by);
    };
    const auto check = [=] {
        const auto order = order_of(keys, by);
        out->check(in_order(keys, order), "sort_pairs, keys");
        values_out->check(in_order(values, order), "sort_pairs, values");
        if (in != out) in->expect_unchanged();
        if (values_in != values_out) values_in->expect_unchanged();
    };
    return {start, check};
}

template <class Key, class Index>
pending_call sort_order(case_choices& choices) {
    const call_size size(choices, tile_items);
    const auto keys = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, keys);
    const auto out = std::make_shared<walked_array<Index>>(choices, size.at_most);
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<Key, digit_match::ballots>(gpu, size, in->reads(), no_array{}, input_positions{},
                                           out->writes(), by);
    };
    const auto check = [=] {
        const auto order = order_of(keys, by);
        out->check({order.begin(), order.end()}, "sort_order");
        in->expect_unchanged();
    };
    return {start, check};
}

/// Items by what a function makes of them, perhaps in place.
template <class Item>
pending_call sort_by_projection(case_choices& choices) {
    const call_size size(choices, tile_items);
    const auto keys = keys_of_a_kind<std::uint32_t>(choices, size.n);
    const sort_by by = draw_order<std::uint32_t>(choices);
    std::vector<Item> items;
    for (std::uint64_t i = 0; i < size.n; ++i) items.push_back(test::item_of<Item>(keys[i], i));
    const auto in = std::make_shared<walked_array<Item>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    using projected = detail::projected_keys<const Item*, test::key_of>;
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<std::uint32_t, digit_match::ballots>(gpu, size,
                                                     projected{in->reads(), test::key_of{}},
                                                     no_array{}, in->reads(), out->writes(), by);
    };
    const auto check = [=] {
        std::vector<std::uint32_t> made;
        for (const Item& item : items) made.push_back(test::key_of{}(item));
        out->check(in_order(items, order_of(made, by)), "sort_keys by a projection");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

/// By the lower bits, and what that has written by the higher ones: one after the other.
pending_call sort_twice(case_choices& choices) {
    using Key = std::uint32_t;
    const call_size size(choices, tile_items);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, items);
    const auto middle = output_over(choices, in, size);
    const auto out = output_over(choices, middle, size);
    const auto start = [=](lookback::gpu& gpu) {
        constexpr auto match = digit_match::ballots;
        sort_on<Key, match>(gpu, size, in->reads(), middle->writes(), no_array{}, no_array{},
                            sort_by{false, 0, 16});
        sort_on<Key, match>(gpu, size, middle->reads(), out->writes(), no_array{}, no_array{},
                            sort_by{false, 16, 32});
    };
    const auto check = [=] {
        const sort_by whole{false, 0, 32};
        EXPECT_TRUE(same_items(out->get(size.n), in_order(items, order_of(items, whole))))
            << "sorted twice";
    };
    return {start, check};
}

template <class Make>
void on_trial(int schedules, const Make& make) {
    for_schedules(schedules, [&](case_choices& choices) {
        calls_in_a_row<std::uint32_t>(choices, [&] { return make(choices); });
    });
}

TEST(Sort, Keys) { on_trial(40, sort_keys<std::uint32_t>); }
TEST(Sort, KeysMatchedByInstruction) {
    on_trial(20, [](case_choices& c) {
        return c.said("64 bits", c.coin())
                   ? sort_keys<std::uint64_t, false, digit_match::instruction>(c)
                   : sort_keys<std::uint32_t, false, digit_match::instruction>(c);
    });
}
TEST(Sort, Twice) { on_trial(20, sort_twice); }
TEST(Sort, Bytes) {
    on_trial(30, [](case_choices& c) {
        return c.said("signed", c.coin()) ? sort_keys<std::int8_t>(c) : sort_keys<std::uint8_t>(c);
    });
}
TEST(Sort, Int16) { on_trial(20, sort_keys<std::int16_t>); }
TEST(Sort, Uint64) { on_trial(15, sort_keys<std::uint64_t>); }
TEST(Sort, Int128) { on_trial(10, sort_keys<detail::int128>); }
TEST(Sort, Float) { on_trial(20, sort_keys<float>); }
TEST(Sort, DoubleBackward) { on_trial(10, sort_keys<double, true>); }
TEST(Sort, Pairs) {
    on_trial(30, [](case_choices& c) {
        return c.said("narrow", c.coin()) ? sort_pairs<std::uint8_t, std::uint8_t>(c)
                                          : sort_pairs<float, std::uint32_t>(c);
    });
}
TEST(Sort, PairsWithWideValues) {
    on_trial(20, [](case_choices& c) {
        return c.said("backward", c.one_in(3)) ? sort_pairs<std::uint32_t, bytes24, true>(c)
                                               : sort_pairs<std::uint16_t, bytes24>(c);
    });
}
TEST(Sort, Order) {
    on_trial(20, [](case_choices& c) {
        return c.said("64 bits", c.one_in(3)) ? sort_order<std::int32_t, std::uint64_t>(c)
                                              : sort_order<std::uint32_t, std::uint32_t>(c);
    });
}
TEST(Sort, ByProjection) {
    on_trial(20, [](case_choices& c) {
        return c.said("wide", c.coin()) ? sort_by_projection<bytes24>(c)
                                        : sort_by_projection<std::uint32_t>(c);
    });
}

}  // namespace
}  // namespace lookback::trial
