// Partitions on trial: every driver; one output, with the rest in order or reversed, two outputs
// and three; counts on the host, in device memory, and returned; several calls in a row.
#include "lookback/partition.hpp"

#include "tests/class_cases.hpp"

namespace lookback::trial {
namespace {

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
    const auto paired = std::make_shared<walked_array<std::uint8_t>>(choices, size.n, flags);
    const auto out = std::make_shared<walked_array<T>>(choices, size.n);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        counts->from([&](auto... to) {
            return lookback::partition_flagged(gpu, in->reads(), in->reads() + size.n,
                                               paired->reads(), out->writes(), to...);
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
        paired->expect_unchanged();
    };
    return {start, check};
}

TEST(Partition, IntoOneOutput) { on_trial(40, partition<std::uint32_t, 1>); }
TEST(Partition, Flagged) { on_trial(30, partition_flagged); }
TEST(Partition, IntoTwoOutputs) { on_trial(30, partition<bytes24, 2>); }
TEST(Partition, IntoThreeOutputs) { on_trial<2>(50, partition<std::uint8_t, 3>); }

}  // namespace
}  // namespace lookback::trial
