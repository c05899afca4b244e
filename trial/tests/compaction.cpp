// Selections and partitions on trial: every driver; forward and from the end; in place where that
// is allowed; counts on the host, in device memory, and returned; several calls behind each other.
#include "cuda/support/select_items.hpp"
#include "lookback/partition.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
namespace {

using test::wide_item;
using bytes24 = wide_item<6, 8>;
template <class T>
constexpr int class_shift = std::is_same_v<T, std::uint8_t> ? 6 : 30;
template <class T, class Beside = detail::no_array>
constexpr std::uint64_t tile_of = detail::device::compaction_tile_items<T, Beside>;
template <int counted>
using counts_of_tile = detail::device::class_counts<std::uint32_t, counted>;

/// The two highest bits of a key say what its item is of.
struct is_of_class {
    std::uint32_t which;
    template <class T>
    bool operator()(const T& item) const {
        return test::key_of{}(item) >> class_shift<T> == which;
    }
};

/// Items of class 0 among others: all, none, or some, from stretch to stretch.
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
    const auto beside = std::make_shared<walked_array<T>>(choices, size.at_most, flags);
    // Over the items, over the flags, or apart.
    const auto out = output_over(choices, choices.coin() ? in : beside, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return lookback::select_flagged(gpu, in->reads(), last, beside->reads(),
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
        if (beside != out) beside->expect_unchanged();
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

/// One call, in place, and another that reads what it has kept, and how many those are.
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

/// Into one output, two, or three.
template <class T, int outputs>
pending_call partition(case_choices& choices) {
    const call_size size(choices, tile_of<T>, outputs == 1);
    const auto items = items_of_classes<T>(choices, size.n, tile_of<T>);
    const auto in = std::make_shared<walked_array<T>>(choices, size.at_most, items);
    std::vector<std::shared_ptr<walked_array<T>>> out;
    for (int i = 0; i < outputs; ++i) {
        out.push_back(std::make_shared<walked_array<T>>(choices, size.at_most));
    }
    const auto counts = std::make_shared<call_counts>(choices);
    const is_of_class first{0}, second{1};
    const bool reversed = outputs == 1 && choices.said("reversed", choices.one_in(3));
    const auto start = [=](lookback::gpu& gpu) {
        if constexpr (outputs == 1) {
            counts->from([&](auto... to) {
                if (reversed) {
                    return partition_if(gpu, in->reads(), in->reads() + size.n, out[0]->writes(),
                                        rest_reversed, to..., first);
                }
                return partition_if(gpu, in->reads(), in->reads() + size.n, out[0]->writes(), to...,
                                    first);
            });
        } else {
            size.with_end(in->reads(), [&](auto last) {
                counts->from([&](auto... to) {
                    if constexpr (outputs == 2) {
                        return partition_if(gpu, in->reads(), last, out[0]->writes(),
                                            out[1]->writes(), to..., first);
                    } else {
                        return partition_if(gpu, in->reads(), last, out[0]->writes(),
                                            out[1]->writes(), out[2]->writes(), to..., first,
                                            second);
                    }
                });
            });
        }
    };
    const auto check = [=] {
        auto kept = those_of_class(items, first);
        auto rest = those_of_class(items, first, false);
        in->expect_unchanged();
        if constexpr (outputs == 1) {
            counts->check({kept.size()});
            if (reversed) std::reverse(rest.begin(), rest.end());
            kept.insert(kept.end(), rest.begin(), rest.end());
            out[0]->check(kept, "partition_if into one output");
        } else if constexpr (outputs == 2) {
            counts->check({kept.size()});
            out[0]->check(kept, "partition_if, kept");
            out[1]->check(rest, "partition_if, rest");
        } else {
            const auto of_second = those_of_class(rest, second);
            counts->check({kept.size(), of_second.size()});
            out[0]->check(kept, "partition_if in three, first");
            out[1]->check(of_second, "partition_if in three, second");
            out[2]->check(those_of_class(rest, second, false), "partition_if in three, rest");
        }
    };
    return {start, check};
}

/// Into one output, by flags.
pending_call partition_flagged(case_choices& choices) {
    using T = std::uint32_t;
    const call_size size(choices, tile_of<T, std::uint8_t>, true);
    const auto flags = items_of_classes<std::uint8_t>(choices, size.n, tile_of<T, std::uint8_t>);
    const auto items = test::random_values<T>(size.n, choices.bits());
    const auto in = std::make_shared<walked_array<T>>(choices, size.n, items);
    const auto beside = std::make_shared<walked_array<std::uint8_t>>(choices, size.n, flags);
    const auto out = std::make_shared<walked_array<T>>(choices, size.n);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        counts->from([&](auto... to) {
            return lookback::partition_flagged(gpu, in->reads(), in->reads() + size.n,
                                               beside->reads(), out->writes(), to...);
        });
    };
    const auto check = [=] {
        std::vector<T> want, rest;
        for (std::size_t i = 0; i < items.size(); ++i) {
            (flags[i] != 0 ? want : rest).push_back(items[i]);
        }
        counts->check({want.size()});
        want.insert(want.end(), rest.begin(), rest.end());
        out->check(want, "partition_flagged into one output");
        in->expect_unchanged();
        beside->expect_unchanged();
    };
    return {start, check};
}

/// Calls that `make` draws, of one class or two that are counted.
template <int counted = 1, class Make>
void on_trial(int schedules, const Make& make) {
    for_schedules(schedules, [&](case_choices& choices) {
        calls_in_a_row<counts_of_tile<counted>>(choices, [&] { return make(choices); });
    });
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
TEST(Compaction, PartitionIntoOneOutput) { on_trial(40, partition<std::uint32_t, 1>); }
TEST(Compaction, PartitionFlagged) { on_trial(30, partition_flagged); }
TEST(Compaction, PartitionIntoTwoOutputs) { on_trial(30, partition<bytes24, 2>); }
TEST(Compaction, PartitionIntoThreeOutputs) { on_trial<2>(50, partition<std::uint8_t, 3>); }

}  // namespace
}  // namespace lookback::trial
