// Sorting on trial: by one block, by a cluster, or by passes over small tiles, in portions; with
// all kinds of keys and values, orders and bits; in place where that is allowed; with counts on the
// host and in device memory; several calls in a row.
#include "lookback/sort.hpp"

#include "cuda/support/select_items.hpp"
#include "support/key_order.hpp"
#include "tests/call_cases.hpp"
#include "tests/sort_cases.hpp"

namespace lookback::trial {
namespace {

using detail::no_array, detail::input_positions;
using test::order_of;
using test::wide_item;
using bytes24 = wide_item<6, 8>;

constexpr std::uint64_t tile_items = 512;

/// Sorts as the public functions do, on small tiles, with the count in device memory if `size` says
/// so.
template <class Key, bool looks, class... Arguments>
void sort_on(lookback::gpu& gpu, const call_size& size, const auto& keys,
             const Arguments&... arguments) {
    [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
    if (size.at_most == 0) return;
    detail::device::sort_arrays<Key, small_tiles<looks>>(gpu, count_of(size), keys, arguments...);
}

template <class Key, bool backward = false, bool looks = true>
pending_call sort_keys(case_choices& choices) {
    const call_size size(choices, tile_items);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key, backward>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<Key, looks>(gpu, size, in->reads(), out->writes(), no_array{}, no_array{}, by);
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
        sort_on<Key, true>(gpu, size, in->reads(), out->writes(), values_in->reads(),
                           values_out->writes(), by);
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
        sort_on<Key, true>(gpu, size, in->reads(), no_array{}, input_positions{}, out->writes(),
                           by);
    };
    const auto check = [=] {
        const auto order = order_of(keys, by);
        out->check({order.begin(), order.end()}, "sort_order");
        in->expect_unchanged();
    };
    return {start, check};
}

/// Sorts items by the value of a function, perhaps in place.
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
        sort_on<std::uint32_t, true>(gpu, size, projected{in->reads(), test::key_of{}}, no_array{},
                                     in->reads(), out->writes(), by);
    };
    const auto check = [=] {
        std::vector<std::uint32_t> made;
        for (const Item& item : items) made.push_back(test::key_of{}(item));
        out->check(in_order(items, order_of(made, by)), "sort_keys by a projection");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

/// Sorts by the lower bits, and then sorts the result by the higher bits.
pending_call sort_twice(case_choices& choices) {
    using Key = std::uint32_t;
    const call_size size(choices, tile_items);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, items);
    const auto middle = output_over(choices, in, size);
    const auto out = output_over(choices, middle, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort_on<Key, true>(gpu, size, in->reads(), middle->writes(), no_array{}, no_array{},
                           sort_by{false, 0, 16});
        sort_on<Key, true>(gpu, size, middle->reads(), out->writes(), no_array{}, no_array{},
                           sort_by{false, 16, 32});
    };
    const auto check = [=] {
        const sort_by whole{false, 0, 32};
        EXPECT_TRUE(same_items(out->get(size.n), in_order(items, order_of(items, whole))))
            << "sorted twice";
    };
    return {start, check};
}

/// A call for which one kernel is refused leaves nothing behind that changes the next call.
TEST(Sort, AfterRefusedKernels) {
    using Key = std::uint32_t;
    for_schedules(1, [](case_choices& choices) {
        const std::uint64_t n = 1500;
        std::vector<Key> keys(n);
        for (Key& key : keys) key = static_cast<Key>(choices.bits());
        const sort_by by{.last_bit = 32};
        gpu_array<Key> in(keys);
        bool refused = true;
        int asked = 0;
        for (; refused; ++asked) {
            lookback::gpu gpu;
            gpu_array<Key> out(n);
            const auto sort = [&] {
                [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
                detail::device::sort_arrays<Key, small_tiles<true>>(gpu, {n}, in.data(), out.data(),
                                                                    no_array{}, no_array{}, by);
            };
            answers_left = asked;
            refused = false;
            try {
                sort();
            } catch (const cuda_error&) {
                refused = true;
            }
            answers_left = -1;
            if (refused) sort();
            if (cudaDeviceSynchronize() != cudaSuccess) return;
            if (out.get() != in_order(keys, order_of(keys, by))) throw failure("not sorted");
        }
        // Copying, dealing out, the buckets, and the sort of what the buckets leave.
        if (asked < 5) throw failure("there was nothing to refuse");
    });
}

TEST(Sort, Keys) { on_trial(16, sort_keys<std::uint32_t>); }
TEST(Sort, WithoutLookingWhetherSorted) {
    on_trial(9, [](case_choices& c) {
        return c.said("64 bits", c.coin()) ? sort_keys<std::uint64_t, false, false>(c)
                                           : sort_keys<std::uint32_t, false, false>(c);
    });
}
TEST(Sort, Twice) { on_trial(8, sort_twice); }
TEST(Sort, Bytes) {
    on_trial(12, [](case_choices& c) {
        return c.said("signed", c.coin()) ? sort_keys<std::int8_t>(c) : sort_keys<std::uint8_t>(c);
    });
}
// Few schedules: the counts of 65,536 key values take long.
TEST(Sort, Int16) { on_trial(8, sort_keys<std::int16_t>); }
#ifdef __FLT16_MANT_DIG__
TEST(Sort, FloatsOf16Bits) { on_trial(6, sort_keys<_Float16>); }
#endif
TEST(Sort, Uint16Backward) { on_trial(6, sort_keys<std::uint16_t, true>); }
TEST(Sort, Uint64) { on_trial(9, sort_keys<std::uint64_t>); }
TEST(Sort, Int128) { on_trial(6, sort_keys<detail::int128>); }
TEST(Sort, Float) { on_trial(9, sort_keys<float>); }
TEST(Sort, DoubleBackward) { on_trial(6, sort_keys<double, true>); }
TEST(Sort, Pairs) {
    on_trial(12, [](case_choices& c) {
        switch (c.said("values of", c.of<int>({1, 2, 4, 8}))) {
            case 1: return sort_pairs<std::uint8_t, std::uint8_t>(c);
            case 2: return sort_pairs<std::uint32_t, std::uint16_t, true>(c);
            case 4: return sort_pairs<float, std::uint32_t>(c);
            default: return sort_pairs<std::uint16_t, std::uint64_t>(c);
        }
    });
}
TEST(Sort, PairsWithWideValues) {
    on_trial(9, [](case_choices& c) {
        return c.said("backward", c.one_in(3)) ? sort_pairs<std::uint32_t, bytes24, true>(c)
                                               : sort_pairs<std::uint16_t, bytes24>(c);
    });
}
TEST(Sort, Order) {
    on_trial(9, [](case_choices& c) {
        return c.said("64 bits", c.one_in(3)) ? sort_order<std::int32_t, std::uint64_t>(c)
                                              : sort_order<std::uint32_t, std::uint32_t>(c);
    });
}
TEST(Sort, ByProjection) {
    on_trial(9, [](case_choices& c) {
        return c.said("wide", c.coin()) ? sort_by_projection<bytes24>(c)
                                        : sort_by_projection<std::uint32_t>(c);
    });
}

}  // namespace
}  // namespace lookback::trial
