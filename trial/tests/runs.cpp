// Runs on trial: lengths, runs of two items or more, and folds by key with operators that do not
// commute. The bits of float folds must not depend on the schedule.
#include "lookback/runs.hpp"

#include "cuda/support/run_cases.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
namespace {

using test::affine32;
using test::matrix;
using test::same_words;
using test::three_words;
template <class K>
constexpr std::uint64_t length_tile =
    detail::device::compaction_tile_items<K, detail::device::paired_lengths<K>>;
template <class V>
using fold_of_tile = detail::run_summary<std::uint32_t, V>;

/// Keys, and the positions at which runs begin.
template <class K, class Equal>
struct keyed_runs {
    std::vector<K> keys;
    std::vector<std::uint64_t> begins;  // and the end of the last run

    keyed_runs(case_choices& choices, std::uint64_t n, std::uint64_t tile, Equal equal) {
        for (const std::uint32_t run : runs_of_items(choices, n, tile)) keys.push_back(K(run));
        for (std::uint64_t i = 0; i < n; ++i) {
            if (i == 0 || !equal(keys[i - 1], keys[i])) begins.push_back(i);
        }
        runs = begins.size();
        begins.push_back(n);
    }
    std::uint64_t runs;
    std::uint64_t length(std::uint64_t r) const { return begins[r + 1] - begins[r]; }
    std::vector<K> heads() const {
        std::vector<K> all;
        for (std::uint64_t r = 0; r < runs; ++r) all.push_back(keys[begins[r]]);
        return all;
    }
};

template <class K, bool backward = false, class Equal = equal_to>
pending_call encode(case_choices& choices, Equal equal = {}) {
    using N = std::uint32_t;
    const call_size size(choices, length_tile<K>);
    const keyed_runs<K, Equal> of(choices, size.n, length_tile<K>, equal);
    const auto in = std::make_shared<walked_array<K, backward>>(choices, size.at_most, of.keys);
    const auto out = output_over(choices, in, size);
    const auto lengths = std::make_shared<walked_array<N, backward>>(choices, size.at_most);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return run_length_encode(gpu, in->reads(), last, out->writes(), lengths->writes(),
                                         to..., equal);
            });
        });
    };
    const auto check = [=] {
        std::vector<N> want;
        for (std::uint64_t r = 0; r < of.runs; ++r) want.push_back(static_cast<N>(of.length(r)));
        counts->check({of.runs});
        out->check(of.heads(), "run_length_encode, values");
        lengths->check(want, "run_length_encode, lengths");
        if (in != out) in->expect_unchanged();
    };
    return {start, check};
}

template <class K>
pending_call nontrivial(case_choices& choices) {
    using N = std::uint32_t;
    const equal_to equal;
    const call_size size(choices, length_tile<K>);
    const keyed_runs<K, equal_to> of(choices, size.n, length_tile<K>, equal);
    const auto in = std::make_shared<walked_array<K>>(choices, size.at_most, of.keys);
    const auto offsets = std::make_shared<walked_array<N>>(choices, size.at_most);
    const auto lengths = std::make_shared<walked_array<N>>(choices, size.at_most);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return nontrivial_runs(gpu, in->reads(), last, offsets->writes(), lengths->writes(),
                                       to...);
            });
        });
    };
    const auto check = [=] {
        std::vector<N> want_offsets, want_lengths;
        for (std::uint64_t r = 0; r < of.runs; ++r) {
            if (of.length(r) < 2) continue;
            want_offsets.push_back(static_cast<N>(of.begins[r]));
            want_lengths.push_back(static_cast<N>(of.length(r)));
        }
        counts->check({want_offsets.size()});
        offsets->check(want_offsets, "nontrivial_runs, offsets");
        lengths->check(want_lengths, "nontrivial_runs, lengths");
        in->expect_unchanged();
    };
    return {start, check};
}

template <class K, class V, bool backward = false, class Op>
pending_call reduce(case_choices& choices, Op op) {
    constexpr std::uint64_t tile = detail::device::compaction_tile_items<K, V>;
    const call_size size(choices, tile);
    const keyed_runs<K, equal_to> of(choices, size.n, tile, {});
    const auto values = test::random_values<V>(size.n, choices.bits());
    const auto in = std::make_shared<walked_array<K, backward>>(choices, size.at_most, of.keys);
    const auto values_in =
        std::make_shared<walked_array<V, backward>>(choices, size.at_most, values);
    const auto out = output_over(choices, in, size);
    const auto values_out = output_over(choices, values_in, size);
    const auto counts = std::make_shared<call_counts>(choices);
    const auto start = [=](lookback::gpu& gpu) {
        size.with_end(in->reads(), [&](auto last) {
            counts->from([&](auto... to) {
                return reduce_by_key(gpu, in->reads(), last, values_in->reads(), out->writes(),
                                     values_out->writes(), to..., op);
            });
        });
    };
    const auto check = [=] {
        std::vector<V> want;
        for (std::uint64_t r = 0; r < of.runs; ++r) {
            V fold = values[of.begins[r]];
            for (std::uint64_t i = of.begins[r] + 1; i < of.begins[r + 1]; ++i) {
                fold = op(fold, values[i]);
            }
            want.push_back(fold);
        }
        counts->check({of.runs});
        out->check(of.heads(), "reduce_by_key, keys");
        values_out->check(want, "reduce_by_key, values");
        if (in != out) in->expect_unchanged();
        if (values_in != values_out) values_in->expect_unchanged();
    };
    return {start, check};
}

template <class V, class Make>
void on_trial(int schedules, const Make& make) {
    for_schedules(schedules, [&](case_choices& choices) {
        calls_in_a_row<fold_of_tile<V>>(choices, [&] { return make(choices); });
    });
}

TEST(Runs, LengthsByKeysOf4Bytes) {
    on_trial<std::uint32_t>(50, [](case_choices& c) {
        return c.said("backward", c.one_in(3)) ? encode<std::uint32_t, true>(c)
                                               : encode<std::uint32_t>(c);
    });
}
TEST(Runs, LengthsByKeysOf1Byte) {
    on_trial<std::uint32_t>(30, [](case_choices& c) { return encode<std::uint8_t>(c); });
}
TEST(Runs, LengthsByWideKeys) {
    on_trial<std::uint32_t>(
        20, [](case_choices& c) { return encode<three_words, false, same_words>(c); });
}
TEST(Runs, OfTwoItemsOrMore) {
    on_trial<std::uint32_t>(50, [](case_choices& c) { return nontrivial<std::uint32_t>(c); });
}
TEST(Runs, ComposedMapsByKey) {
    on_trial<affine32>(
        60, [](case_choices& c) { return reduce<std::uint32_t, affine32>(c, affine{}); });
}
TEST(Runs, SumsOf8BytesByKey) {
    on_trial<std::int64_t>(
        20, [](case_choices& c) { return reduce<std::uint32_t, std::int64_t>(c, plus<>{}); });
}
TEST(Runs, MatrixProductsByKey) {
    on_trial<matrix>(50, [](case_choices& c) {
        const test::matrix_product op;
        return c.said("backward", c.one_in(3)) ? reduce<std::uint8_t, matrix, true>(c, op)
                                               : reduce<std::uint8_t, matrix>(c, op);
    });
}

/// The sums that one simulation finds.
std::vector<float> sums(case_choices& choices, const std::vector<std::uint32_t>& keys,
                        const std::vector<float>& values) {
    lookback::gpu gpu;
    const auto driver = choices.said("driver", choices.below(3));
    access::use_pipeline(gpu, driver > 0);
    access::copy_in_bulk(gpu, driver > 1);
    walked_array<std::uint32_t> in(choices, keys.size(), keys);
    walked_array<float> values_in(choices, keys.size(), values), out(choices, keys.size());
    const std::size_t runs = reduce_by_key(gpu, in.reads(), in.reads() + keys.size(),
                                           values_in.reads(), in.writes(), out.writes());
    return out.get(runs);
}

TEST(Runs, FloatSumsHaveTheSameBitsOnAnySchedule) {
    for_schedules(30, [](case_choices& choices) {
        constexpr std::uint64_t tile = detail::device::compaction_tile_items<std::uint32_t, float>;
        const std::uint64_t n = choices.size_around(tile, 5);
        const auto keys = runs_of_items(choices, n, tile);
        const auto values = test::random_values<float>(n, choices.bits());
        const auto first = sums(choices, keys, values);
        gpu().check();
        gpu().begin(choices.said("and of seed", choices.bits()));
        EXPECT_TRUE(same_items(sums(choices, keys, values), first));
    });
}

}  // namespace
}  // namespace lookback::trial
