// Sorting segments on trial: bundles, pieces and large segments, all of small shapes; segments of
// all lengths, many of them empty; all kinds of keys and values, orders and bits; in place where
// that is allowed; counts on the host and in device memory; several calls in a row.
#include "lookback/segmented_sort.hpp"

#include "cuda/support/select_items.hpp"
#include "support/segment_lengths.hpp"
#include "tests/call_cases.hpp"
#include "tests/sort_cases.hpp"

namespace lookback::trial {
namespace {

using detail::no_array, detail::input_positions;
using detail::device::segmented_sort_tuning;
using test::wide_item;
using bytes24 = wide_item<6, 8>;

/// Blocks so small that a simulation has time for them.
inline constexpr segmented_sort_tuning small_blocks = {.short_bundle = {4, 2, 1},
                                                       .bundle = {8, 2, 1},
                                                       .piece = {8, 3, 1},
                                                       .large = small_tiles<true>,
                                                       .step = 200,
                                                       .most_short = 50};
constexpr std::uint64_t block_items = 512;

/// Lengths of segments that have n items together, some of them empty. One case has few kinds of
/// lengths.
std::vector<std::size_t> lengths_of(case_choices& choices, std::uint64_t n) {
    const std::vector<std::uint64_t> means = {0, 1, 3, 20, 40, 300, 511, 512, 700, 1500, n};
    const auto one = choices.said("mean", choices.of(means));
    const bool mixed = choices.said("mixed", choices.coin());
    const bool exact = choices.said("exact", choices.coin());
    std::vector<std::size_t> lengths;
    for (std::uint64_t left = n; left > 0;) {
        const std::uint64_t mean = mixed ? choices.of(means) : one;
        const auto length = std::min(left, exact ? mean : choices.below(2 * mean + 1));
        lengths.push_back(length);
        left -= length;
        if (mean == 0) lengths.insert(lengths.end(), choices.below(20), 0);
        if (mean == 0 && !mixed) lengths.push_back(1), --left;
    }
    // Sometimes more segments than there is room for items.
    if (choices.said("piled", choices.one_in(6))) {
        const auto at = static_cast<std::ptrdiff_t>(choices.below(lengths.size() + 1));
        lengths.insert(lengths.begin() + at, 2500, 0);
    }
    return lengths;
}

/// The segments of a call, and the call itself, as the public functions make it, on small blocks.
class trial_segments {
 public:
    trial_segments(case_choices& choices, const call_size& size)
        : size_(size),
          lengths_(lengths_of(choices, size.n)),
          wide_(choices.said("wide offsets", choices.coin())),
          offsets64_(
              std::make_shared<gpu_array<std::int64_t>>(all().template offsets<std::int64_t>(), 1)),
          offsets32_(std::make_shared<gpu_array<std::uint32_t>>(
              all().template offsets<std::uint32_t>(), 1)) {}

    const std::vector<std::size_t>& lengths() const { return lengths_; }

    template <class Key, class... Arguments>
    void sort(lookback::gpu& gpu, const auto& keys, const Arguments&... arguments) const {
        [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
        if (size_.at_most == 0) return;
        const auto with = [&](auto& offsets) {
            const auto* const first = offsets.data();
            const segment_offsets segments{first, first + offsets.items()};
            detail::device::sort_segments<Key, small_blocks>(gpu, count_of(size_), segments, keys,
                                                             arguments...);
        };
        wide_ ? with(*offsets64_) : with(*offsets32_);
    }

 private:
    test::segment_lengths all() const { return {"", lengths_}; }

    call_size size_;
    std::vector<std::size_t> lengths_;
    bool wide_;
    std::shared_ptr<gpu_array<std::int64_t>> offsets64_;
    std::shared_ptr<gpu_array<std::uint32_t>> offsets32_;
};

template <class Key, bool backward = false>
pending_call sort_keys(case_choices& choices) {
    const call_size size(choices, block_items);
    const trial_segments segments(choices, size);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key, backward>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto start = [=](lookback::gpu& gpu) {
        segments.sort<Key>(gpu, in->reads(), out->writes(), no_array{}, no_array{}, by);
    };
    const auto check = [=] {
        out->check(in_order(items, test::order_in_segments(items, segments.lengths(), by)),
                   "segmented_sort_keys");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

template <class Key, class Value, bool backward = false>
pending_call sort_pairs(case_choices& choices) {
    const call_size size(choices, block_items);
    const trial_segments segments(choices, size);
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
        segments.sort<Key>(gpu, in->reads(), out->writes(), values_in->reads(),
                           values_out->writes(), by);
    };
    const auto check = [=] {
        const auto order = test::order_in_segments(keys, segments.lengths(), by);
        out->check(in_order(keys, order), "segmented_sort_pairs, keys");
        values_out->check(in_order(values, order), "segmented_sort_pairs, values");
        if (in != out) in->expect_unchanged();
        if (values_in != values_out) values_in->expect_unchanged();
    };
    return {start, check};
}

template <class Key, class Index>
pending_call sort_order(case_choices& choices) {
    const call_size size(choices, block_items);
    const trial_segments segments(choices, size);
    const auto keys = keys_of_a_kind<Key>(choices, size.n);
    const sort_by by = draw_order<Key>(choices);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, keys);
    const auto out = std::make_shared<walked_array<Index>>(choices, size.at_most);
    const auto start = [=](lookback::gpu& gpu) {
        segments.sort<Key>(gpu, in->reads(), no_array{}, input_positions{}, out->writes(), by);
    };
    const auto check = [=] {
        const auto order = test::order_in_segments(keys, segments.lengths(), by);
        out->check({order.begin(), order.end()}, "segmented_sort_order");
        in->expect_unchanged();
    };
    return {start, check};
}

/// Sorts items by the value of a function, perhaps in place.
template <class Item>
pending_call sort_by_projection(case_choices& choices) {
    const call_size size(choices, block_items);
    const trial_segments segments(choices, size);
    const auto keys = keys_of_a_kind<std::uint32_t>(choices, size.n);
    const sort_by by = draw_order<std::uint32_t>(choices);
    std::vector<Item> items;
    for (std::uint64_t i = 0; i < size.n; ++i) items.push_back(test::item_of<Item>(keys[i], i));
    const auto in = std::make_shared<walked_array<Item>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    using projected = detail::projected_keys<const Item*, test::key_of>;
    const auto start = [=](lookback::gpu& gpu) {
        segments.sort<std::uint32_t>(gpu, projected{in->reads(), test::key_of{}}, no_array{},
                                     in->reads(), out->writes(), by);
    };
    const auto check = [=] {
        std::vector<std::uint32_t> made;
        for (const Item& item : items) made.push_back(test::key_of{}(item));
        out->check(in_order(items, test::order_in_segments(made, segments.lengths(), by)),
                   "segmented_sort_keys by a projection");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

TEST(SegmentedSort, Keys) { on_trial(40, sort_keys<std::uint32_t>); }
TEST(SegmentedSort, Bytes) { on_trial(20, sort_keys<std::int8_t>); }
TEST(SegmentedSort, Uint64) { on_trial(15, sort_keys<std::uint64_t>); }
TEST(SegmentedSort, Int128) { on_trial(10, sort_keys<detail::int128>); }
TEST(SegmentedSort, Float) { on_trial(20, sort_keys<float>); }
TEST(SegmentedSort, DoubleBackward) { on_trial(10, sort_keys<double, true>); }
TEST(SegmentedSort, Pairs) {
    on_trial(30, [](case_choices& c) {
        return c.said("narrow", c.coin()) ? sort_pairs<std::uint8_t, std::uint8_t>(c)
                                          : sort_pairs<float, std::uint32_t>(c);
    });
}
TEST(SegmentedSort, PairsWithWideValues) {
    on_trial(20, [](case_choices& c) {
        return c.said("backward", c.one_in(3)) ? sort_pairs<std::uint32_t, bytes24, true>(c)
                                               : sort_pairs<std::uint16_t, bytes24>(c);
    });
}
TEST(SegmentedSort, Order) {
    on_trial(20, [](case_choices& c) {
        return c.said("64 bits", c.one_in(3)) ? sort_order<std::int32_t, std::uint64_t>(c)
                                              : sort_order<std::uint32_t, std::uint32_t>(c);
    });
}
TEST(SegmentedSort, ByProjection) {
    on_trial(20, [](case_choices& c) {
        return c.said("wide", c.coin()) ? sort_by_projection<bytes24>(c)
                                        : sort_by_projection<std::uint32_t>(c);
    });
}

}  // namespace
}  // namespace lookback::trial
