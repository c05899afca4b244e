// select_if, select_flagged, unique, unique_by_key, partition_if and partition_flagged on the GPU,
// compared with loops.
#include "lookback/partition.hpp"
#include "lookback/select.hpp"
#include "support/compaction_cases.hpp"
#include "support/select_items.hpp"

namespace lookback::test {
namespace {

template <class T>
class compaction_cases {
 public:
    void run() {
        using detail::device::compaction_tile_items, detail::no_array;
        const auto sizes = compaction_sizes(compaction_tile_items<T, no_array>);
        const auto sizes_with_values = compaction_sizes(compaction_tile_items<T, float>);
        on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
            for (const std::uint32_t limit : {0U, 12U, 64U, 115U, 128U}) {
                SCOPED_TRACE("keys below " + std::to_string(limit));
                select(way, scattered(n), below{limit});
                if (::testing::Test::HasFailure()) return;
            }
            check_unique(way, n, false);
        });
        on_all_routes(sizes_with_values, [&](const compaction_route& way, std::uint64_t n) {
            check_unique(way, n, true);
        });
    }

 private:
    static std::vector<T> items(const std::vector<std::uint32_t>& keys) {
        std::vector<T> all;
        all.reserve(keys.size());
        for (const std::uint32_t k : keys) all.push_back(item_of<T>(k, all.size()));
        return all;
    }
    static std::vector<T> scattered(std::uint64_t n) {
        std::vector<std::uint32_t> keys(n);
        std::minstd_rand random(11);
        for (auto& k : keys) k = (random() >> 8) & 0x7F;
        return items(keys);
    }

    void expect_count(std::uint64_t want, std::uint64_t at = 0) {
        EXPECT_EQ(counts_.get()[at], want) << "the count";
    }

    void select(const compaction_route& way, const std::vector<T>& x, below pred) {
        const std::uint64_t n = x.size();
        std::vector<T> kept, rest, second, third;
        std::vector<std::uint8_t> flags;
        const below next{pred.limit + 30};
        for (const T& item : x) {
            (pred(item) ? kept : rest).push_back(item);
            if (!pred(item)) (next(item) ? second : third).push_back(item);
            flags.push_back(pred(item) ? 1 + key_of{}(item) : 0);
        }
        shifted_array<T> in(x, way.shift), out(n, 0), flagged(n, way.shift);
        shifted_array<std::uint8_t> d_flags(flags, way.shift_of_paired());
        lookback::select_if(way.gpu, in.data(), in.data() + n, out.data(), count_to{counts_.data()},
                            pred);
        expect_count(kept.size());
        out.expect(kept, "select_if");
        lookback::select_flagged(way.gpu, in.data(), in.data() + n, d_flags.data(), flagged.data(),
                                 count_to{counts_.data()});
        expect_count(kept.size());
        flagged.expect(kept, "select_flagged");
        shifted_array<T> yes(n, 1), no(n, 0);
        EXPECT_EQ(
            lookback::partition_if(way.gpu, in.data(), in.data() + n, yes.data(), no.data(), pred),
            kept.size());
        yes.expect(kept, "partition_if, kept");
        no.expect(rest, "partition_if, rest");

        shifted_array<T> one(n, way.shift);
        std::vector<T> both = kept;
        both.insert(both.end(), rest.begin(), rest.end());
        EXPECT_EQ(lookback::partition_if(way.gpu, in.data(), in.data() + n, one.data(), pred),
                  kept.size());
        one.expect(both, "partition_if, one output");

        std::vector<T> backward = kept;
        backward.insert(backward.end(), rest.rbegin(), rest.rend());
        shifted_array<T> reversed(n, 1);
        EXPECT_EQ(lookback::partition_if(way.gpu, in.data(), in.data() + n, reversed.data(),
                                         lookback::rest_reversed, pred),
                  kept.size());
        reversed.expect(backward, "partition_if, the rest reversed");
        partition_flagged(way, in.data(), d_flags.data(), kept, rest);

        shifted_array<T> first(n, 0), middle(n, 1), last(n, 2);
        lookback::partition_if(way.gpu, in.data(), in.data() + n, first.data(), middle.data(),
                               last.data(), count_to{counts_.data()}, pred, next);
        expect_count(kept.size());
        expect_count(second.size(), 1);
        first.expect(kept, "three-way partition, first");
        middle.expect(second, "three-way partition, second");
        last.expect(third, "three-way partition, rest");
        EXPECT_EQ(lookback::partition_if(way.gpu, in.data(), in.data() + n, first.data(),
                                         middle.data(), last.data(), pred, next),
                  (partition_counts{kept.size(), second.size()}));

        if constexpr (std::is_same_v<T, std::uint8_t>) {
            EXPECT_EQ(lookback::select_flagged(way.gpu, in.data(), in.data() + n, d_flags.data(),
                                               d_flags.data()),
                      kept.size());
            d_flags.expect(kept, "select_flagged over its flags", flags);
        }
        EXPECT_EQ(lookback::select_if(way.gpu, in.data(), in.data() + n, in.data(), pred),
                  kept.size());
        in.expect(kept, "select_if in place", x);
    }

    void partition_flagged(const compaction_route& way, const T* in, const std::uint8_t* flags,
                           const std::vector<T>& kept, const std::vector<T>& rest) {
        const std::uint64_t n = kept.size() + rest.size();
        std::vector<T> all = kept, backward = kept;
        all.insert(all.end(), rest.begin(), rest.end());
        backward.insert(backward.end(), rest.rbegin(), rest.rend());
        shifted_array<T> yes(n, 0), no(n, 3), one(n, 1), reversed(n, way.shift);
        lookback::partition_flagged(way.gpu, in, in + n, flags, yes.data(), no.data(),
                                    count_to{counts_.data()});
        expect_count(kept.size());
        yes.expect(kept, "partition_flagged, kept");
        no.expect(rest, "partition_flagged, rest");
        EXPECT_EQ(lookback::partition_flagged(way.gpu, in, in + n, flags, one.data()), kept.size());
        one.expect(all, "partition_flagged, one output");
        lookback::partition_flagged(way.gpu, in, in + n, flags, reversed.data(),
                                    lookback::rest_reversed, count_to{counts_.data()});
        expect_count(kept.size());
        reversed.expect(backward, "partition_flagged, the rest reversed");
    }

    void check_unique(const compaction_route& way, std::uint64_t n, bool with_values) {
        for (const std::uint64_t mean : {0, 1, 2, 500}) {
            SCOPED_TRACE("runs of " + std::to_string(mean));
            const auto x = items(keys_in_runs(n, mean, 3));
            with_values ? unique_by_key(way, x) : unique(way, x);
        }
    }
    void unique(const compaction_route& way, const std::vector<T>& x) {
        const std::uint64_t n = x.size();
        std::vector<T> heads;
        for (std::uint64_t i = 0; i < n; ++i) {
            if (i == 0 || !(x[i - 1] == x[i])) heads.push_back(x[i]);
        }
        shifted_array<T> in(x, way.shift), out(n, 1);
        EXPECT_EQ(lookback::unique(way.gpu, in.data(), in.data() + n, out.data()), heads.size());
        out.expect(heads, "unique");
        EXPECT_EQ(lookback::unique(way.gpu, in.data(), in.data() + n, in.data()), heads.size());
        in.expect(heads, "unique in place", x);
    }
    void unique_by_key(const compaction_route& way, const std::vector<T>& x) {
        const std::uint64_t n = x.size();
        std::vector<T> heads;
        std::vector<float> values, values_of_heads;
        for (std::uint64_t i = 0; i < n; ++i) {
            values.push_back(static_cast<float>(i) + 0.25F);
            if (i == 0 || !(x[i - 1] == x[i])) {
                heads.push_back(x[i]);
                values_of_heads.push_back(values.back());
            }
        }
        shifted_array<T> in(x, way.shift), keys_out(n, 0);
        shifted_array<float> d_values(values, way.shift_of_paired()), values_out(n, 3);
        lookback::unique_by_key(way.gpu, in.data(), in.data() + n, d_values.data(), keys_out.data(),
                                values_out.data(), count_to{counts_.data()});
        expect_count(heads.size());
        keys_out.expect(heads, "unique_by_key, keys");
        values_out.expect(values_of_heads, "unique_by_key, values");
        EXPECT_EQ(lookback::unique_by_key(way.gpu, in.data(), in.data() + n, d_values.data(),
                                          in.data(), d_values.data()),
                  heads.size());
        in.expect(heads, "unique_by_key in place, keys", x);
        d_values.expect(values_of_heads, "unique_by_key in place, values", values);
    }

    device_array<std::uint32_t> counts_{2};
};

TEST(Select, Uint32) { compaction_cases<std::uint32_t>().run(); }
TEST(Select, Uint8) { compaction_cases<std::uint8_t>().run(); }
TEST(Select, Double) { compaction_cases<double>().run(); }
TEST(Select, Uint16) { compaction_cases<std::uint16_t>().run(); }
TEST(Select, StructOf12Bytes) { compaction_cases<wide_item<3>>().run(); }
TEST(Select, StructOf16Bytes) { compaction_cases<wide_item<4, 16>>().run(); }
TEST(Select, StructOf64Bytes) { compaction_cases<wide_item<16>>().run(); }

}  // namespace
}  // namespace lookback::test
