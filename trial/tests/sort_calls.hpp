// Calls that trials of sorts make of arrays and of segments: of keys, pairs, positions, and of
// items by the value of a function; perhaps in place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda/support/select_items.hpp"
#include "lookback/segmented_sort.hpp"
#include "support/sort_order.hpp"
#include "tests/call_cases.hpp"
#include "tests/sort_cases.hpp"

namespace lookback::trial {

using detail::no_array, detail::input_positions;
using bytes24 = test::wide_item<6, 8>;

// Sort: how the items of a call are sorted.
//
//     tile_items          which numbers of items make a difference
//     name                of the public functions
//     Sort(choices, size)
//     sort<Key>(gpu, keys, keys_out, values, values_out, by)
//                         sorts as the public functions do, on small tiles
//     order_of(keys, by)  the positions of the sorted keys in the input

template <class Sort, class Key, bool backward = false>
pending_call sort_keys(case_choices& choices) {
    const call_size size(choices, Sort::tile_items);
    const Sort sort(choices, size);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key, backward>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort.template sort<Key>(gpu, in->reads(), out->writes(), no_array{}, no_array{}, by);
    };
    const auto check = [=] {
        out->check(in_order(items, sort.order_of(items, by)), Sort::name + "_keys");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

template <class Sort, class Key, class Value, bool backward = false>
pending_call sort_pairs(case_choices& choices) {
    const call_size size(choices, Sort::tile_items);
    const Sort sort(choices, size);
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
        sort.template sort<Key>(gpu, in->reads(), out->writes(), values_in->reads(),
                                values_out->writes(), by);
    };
    const auto check = [=] {
        const auto order = sort.order_of(keys, by);
        out->check(in_order(keys, order), Sort::name + "_pairs, keys");
        values_out->check(in_order(values, order), Sort::name + "_pairs, values");
        if (in != out) in->expect_unchanged();
        if (values_in != values_out) values_in->expect_unchanged();
    };
    return {start, check};
}
template <class Sort>
pending_call sort_pairs_with_wide_values(case_choices& c) {
    return c.said("backward", c.one_in(3)) ? sort_pairs<Sort, std::uint32_t, bytes24, true>(c)
                                           : sort_pairs<Sort, std::uint16_t, bytes24>(c);
}

template <class Sort, class Key, class Index>
pending_call sort_order(case_choices& choices) {
    const call_size size(choices, Sort::tile_items);
    const Sort sort(choices, size);
    const auto keys = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, keys);
    const auto out = std::make_shared<walked_array<Index>>(choices, size.at_most);
    const auto start = [=](lookback::gpu& gpu) {
        sort.template sort<Key>(gpu, in->reads(), no_array{}, input_positions{}, out->writes(), by);
    };
    const auto check = [=] {
        const auto order = sort.order_of(keys, by);
        out->check({order.begin(), order.end()}, Sort::name + "_order");
        in->expect_unchanged();
    };
    return {start, check};
}
template <class Sort>
pending_call sort_order_of_any_width(case_choices& c) {
    return c.said("64 bits", c.one_in(3)) ? sort_order<Sort, std::int32_t, std::uint64_t>(c)
                                          : sort_order<Sort, std::uint32_t, std::uint32_t>(c);
}

template <class Sort, class Item>
pending_call sort_by_key_of(case_choices& choices) {
    const call_size size(choices, Sort::tile_items);
    const Sort sort(choices, size);
    const auto keys = keys_of_a_kind<std::uint32_t>(choices, size.n);
    const sort_by by = draw_order<std::uint32_t>(choices);
    std::vector<Item> items;
    for (std::uint64_t i = 0; i < size.n; ++i) items.push_back(test::item_of<Item>(keys[i], i));
    const auto in = std::make_shared<walked_array<Item>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    using projected = detail::projected_keys<const Item*, test::key_of>;
    const auto start = [=](lookback::gpu& gpu) {
        sort.template sort<std::uint32_t>(gpu, projected{in->reads(), test::key_of{}}, no_array{},
                                          in->reads(), out->writes(), by);
    };
    const auto check = [=] {
        std::vector<std::uint32_t> made;
        for (const Item& item : items) made.push_back(test::key_of{}(item));
        out->check(in_order(items, sort.order_of(made, by)), Sort::name + "_keys by a projection");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}
template <class Sort>
pending_call sort_by_projection(case_choices& c) {
    return c.said("wide", c.coin()) ? sort_by_key_of<Sort, bytes24>(c)
                                    : sort_by_key_of<Sort, std::uint32_t>(c);
}

}  // namespace lookback::trial
