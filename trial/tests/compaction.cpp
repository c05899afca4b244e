// Selections on trial: every driver; forward and backward; in place where that is allowed; counts
// on the host, in device memory, and returned; several calls in a row.
#include "lookback/select.hpp"
#include "tests/class_cases.hpp"

namespace lookback::trial {
namespace {

template <class T, bool backward = false>
pending_call select_if(case_choices& choices) {
    const call_size size(choices, tile_of<T>);
    const auto items = items_of_classes<T>(choices, size.n, tile_of<T>);
    const auto in = std::make_shared<walked_array<T, backward>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return lookback::select_if(gpu, in->reads(), last, out->writes(), to...,
                                           is_of_class{0});
            });
        });
    };
    const auto check = [=] {
        const auto want = those_of_class(items, {0});
        counts->check({want.size()});
        out->check(want, "select_if");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

pending_call select_flagged(case_choices& choices) {
    using T = std::uint8_t;
    const call_size size(choices, tile_of<T, T>);
    const auto flags = items_of_classes<T>(choices, size.n, tile_of<T, T>);
    const auto items = test::random_values<T>(size.n, choices.bits());
    const auto in = std::make_shared<walked_array<T>>(choices, size.at_most, items);
    const auto paired = std::make_shared<walked_array<T>>(choices, size.at_most, flags);
    // The output lies over the items, over the flags, or in another array.
    const auto out = output_over(choices, choices.coin() ? in : paired, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return lookback::select_flagged(gpu, in->reads(), last, paired->reads(),
                                                out->writes(), to...);
            });
        });
    };
    const auto check = [=] {
        std::vector<T> want;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (flags[i] != 0) want.push_back(items[i]);
        }
        counts->check({want.size()});
        out->check(want, "select_flagged");
        if (paired != out) paired->expect_unchanged();
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

template <class T>
pending_call unique(case_choices& choices) {
    const call_size size(choices, tile_of<T>);
    const auto items = items_in_runs<T>(runs_of_items(choices, size.n, tile_of<T>));
    const auto in = std::make_shared<walked_array<T>>(choices, size.at_most, items);
    const auto out = output_over(choices, in, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return lookback::unique(gpu, in->reads(), last, out->writes(), to...);
            });
        });
    };
    const auto check = [=] {
        std::vector<T> want;
        std::unique_copy(items.begin(), items.end(), std::back_inserter(want));
        counts->check({want.size()});
        out->check(want, "unique");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

/// One call in place, and another call that reads the items it has kept, and their number.
pending_call unique_then_select(case_choices& choices) {
    using T = std::uint32_t;
    const std::uint64_t n = choices.size_around(tile_of<T>, 4);
    const auto items = items_in_runs<T>(runs_of_items(choices, n, tile_of<T>));
    const auto in = std::make_shared<walked_array<T>>(choices, n, items);
    const auto out = std::make_shared<walked_array<T>>(choices, n);
    const auto counts = std::make_shared<gpu_array<std::uint64_t>>(2);
    const auto start = [=](lookback::gpu& gpu) {
        lookback::unique(gpu, in->reads(), in->reads() + n, in->writes(), count_to{counts->data()});
        lookback::select_if(gpu, in->reads(), count_at<std::uint64_t>{counts->data(), n},
                            out->writes(), count_to{counts->data() + 1}, is_of_class{0});
    };
    const auto check = [=] {
        std::vector<T> heads;
        std::unique_copy(items.begin(), items.end(), std::back_inserter(heads));
        const auto want = those_of_class(heads, {0});
        EXPECT_TRUE(same_items(counts->get(), {heads.size(), want.size()})) << "the counts";
        in->check(heads, "unique, then select_if");
        out->check(want, "select_if of what unique has kept");
    };
    return {start, check};
}

template <class K, class V>
pending_call unique_by_key(case_choices& choices) {
    constexpr std::uint64_t tile = tile_of<K, V>;
    const call_size size(choices, tile);
    const auto keys = items_in_runs<K>(runs_of_items(choices, size.n, tile));
    std::vector<V> values;
    for (std::uint64_t i = 0; i < size.n; ++i) {
        values.push_back(test::item_of<V>(static_cast<std::uint32_t>(choices.bits()), i));
    }
    const auto in = std::make_shared<walked_array<K>>(choices, size.at_most, keys);
    const auto values_in = std::make_shared<walked_array<V>>(choices, size.at_most, values);
    const auto out = output_over(choices, in, size);
    const auto values_out = output_over(choices, values_in, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return lookback::unique_by_key(gpu, in->reads(), last, values_in->reads(),
                                               out->writes(), values_out->writes(), to...);
            });
        });
    };
    const auto check = [=] {
        std::vector<K> want;
        std::vector<V> want_values;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (i > 0 && keys[i - 1] == keys[i]) continue;
            want.push_back(keys[i]);
            want_values.push_back(values[i]);
        }
        counts->check({want.size()});
        out->check(want, "unique_by_key, keys");
        values_out->check(want_values, "unique_by_key, values");
        if (in != out) in->expect_unchanged();
        if (values_in != values_out) values_in->expect_unchanged();
    };
    return {start, check};
}

TEST(Compaction, SelectIf) {
    on_trial(60, [](case_choices& c) {
        return c.said("backward", c.one_in(3)) ? select_if<std::uint32_t, true>(c)
                                               : select_if<std::uint32_t>(c);
    });
}
TEST(Compaction, SelectIfOfWideItems) { on_trial(40, select_if<bytes24>); }
TEST(Compaction, SelectFlagged) { on_trial(30, select_flagged); }
TEST(Compaction, Unique) {
    on_trial(40, [](case_choices& c) {
        return c.said("bytes", c.one_in(3)) ? unique<std::uint8_t>(c) : unique<std::uint32_t>(c);
    });
}
TEST(Compaction, UniqueThenSelect) { on_trial(20, unique_then_select); }
TEST(Compaction, UniqueByKey) { on_trial(50, unique_by_key<std::uint32_t, bytes24>); }

}  // namespace
}  // namespace lookback::trial
