// run_length_encode and reduce_by_key on the GPU, compared with loops; nontrivial_runs in extreme
// cases.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <limits>

#include "lookback/runs.hpp"
#include "support/compaction_cases.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

template <class K, class V, class Op>
class run_cases {
    using A = scan_accumulator<V*, Op>;

 public:
    explicit run_cases(Op op) : op_(op) {}

    void run() {
        using namespace detail::device;
        std::vector<std::uint64_t> sizes = compaction_sizes(compaction_tile_items<K, A>);
        for (const std::uint64_t n : compaction_sizes(compaction_tile_items<K, paired_lengths<K>>))
            sizes.push_back(n);
        on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
            for (const std::uint64_t mean : {0, 1, 2, 10, 500, 20'000}) {
                SCOPED_TRACE("runs of " + std::to_string(mean));
                check_runs(way, n, mean);
                if (::testing::Test::HasFailure()) return;
            }
        });
    }

 private:
    void check_runs(const compaction_route& way, std::uint64_t n, std::uint64_t mean) {
        const auto wide_keys = keys_in_runs(n, mean, 4);
        const std::vector<K> keys(wide_keys.begin(), wide_keys.end());
        std::vector<V> values(n);
        std::minstd_rand random(5);
        for (auto& v : values) v = static_cast<V>(random() % 8);
        std::vector<K> heads;
        std::vector<std::uint64_t> lengths;
        std::vector<A> folds;
        for (std::uint64_t i = 0; i < n; ++i) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                heads.push_back(keys[i]);
                lengths.push_back(1);
                folds.push_back(values[i]);
            } else {
                ++lengths.back();
                folds.back() = op_(folds.back(), values[i]);
            }
        }
        shifted_array<K> in(keys, way.shift), keys_out(n, 1), encoded(n, 0);
        shifted_array<V> d_values(values, way.shift_of_paired());
        shifted_array<A> folds_out(n, 0);
        shifted_array<std::uint64_t> lengths_out(n, 1);
        run_length_encode(way.gpu, in.data(), in.data() + n, encoded.data(), lengths_out.data(),
                          count_to{count_.data()});
        EXPECT_EQ(count_.get()[0], heads.size());
        encoded.expect(heads, "run_length_encode, values");
        lengths_out.expect(lengths, "run_length_encode, lengths");
        EXPECT_EQ(reduce_by_key(way.gpu, in.data(), in.data() + n, d_values.data(), keys_out.data(),
                                folds_out.data(), op_),
                  heads.size());
        keys_out.expect(heads, "reduce_by_key, keys");
        folds_out.expect(folds, "reduce_by_key, values");
        shifted_array<K> encoded_in_place(keys, way.shift);
        EXPECT_EQ(run_length_encode(way.gpu, encoded_in_place.data(), encoded_in_place.data() + n,
                                    encoded_in_place.data(), lengths_out.data()),
                  heads.size());
        encoded_in_place.expect(heads, "run_length_encode in place", keys);
        if constexpr (std::is_same_v<A, V>) {
            EXPECT_EQ(reduce_by_key(way.gpu, in.data(), in.data() + n, d_values.data(), in.data(),
                                    d_values.data(), op_),
                      heads.size());
            in.expect(heads, "reduce_by_key in place, keys", keys);
            d_values.expect(folds, "reduce_by_key in place, values", values);
        }
    }

    Op op_;
    device_array<std::uint64_t> count_{1};
};

TEST(Runs, ComposedMapsByKeysOf4Bytes) {
    run_cases<std::uint32_t, std::uint32_t, compose>({}).run();
}
TEST(Runs, WholeFloatsByKeysOf1Byte) { run_cases<std::uint8_t, float, plus<>>({}).run(); }
TEST(Runs, WholeDoublesByKeysOf8Bytes) { run_cases<std::int64_t, double, plus<>>({}).run(); }

TEST(Runs, SmallValuesSummedInWideOnes) {
    run_cases<std::int64_t, std::uint16_t, plus<std::uint64_t>>({}).run();
}
TEST(Runs, KeysOf2Bytes) { run_cases<std::uint16_t, std::int64_t, plus<>>({}).run(); }

TEST(Runs, FloatSumsHaveTheSameBits) {
    const std::uint64_t n = reduced() ? 200'000 : 5'000'003;
    const auto keys = keys_in_runs(n, 5000, 8);
    std::vector<float> values(n);
    std::minstd_rand random(2);
    for (auto& v : values) v = static_cast<float>(random()) / 1e6F;
    shifted_array<std::uint32_t> in(keys, 0), off(keys, 1), keys_out(n, 0);
    shifted_array<float> d_values(values, 0), off_values(values, 1), want(n, 0);
    lookback::gpu gpu;
    const std::size_t runs =
        reduce_by_key(gpu, in.data(), in.data() + n, d_values.data(), keys_out.data(), want.data());
    std::vector<float> first(runs), again(runs);
    check(cudaMemcpy(first.data(), want.data(), runs * 4, cudaMemcpyDeviceToHost), "reading");
    for (int turn = 0; turn < 40; ++turn) {
        access::limit_blocks(gpu, turn % 3 == 0 ? 0 : turn % 3 == 1 ? 7 : 131);
        access::use_pipeline(gpu, turn % 4 != 3);
        const bool shift = turn % 2 == 1;
        ASSERT_EQ(
            reduce_by_key(gpu, (shift ? off : in).data(), (shift ? off : in).data() + n,
                          (shift ? off_values : d_values).data(), keys_out.data(), want.data()),
            runs);
        check(cudaMemcpy(again.data(), want.data(), runs * 4, cudaMemcpyDeviceToHost), "reading");
        ASSERT_EQ(std::memcmp(first.data(), again.data(), runs * 4), 0) << "turn " << turn;
    }
}

TEST(Runs, LongerThan32Bits) {
    if (reduced()) GTEST_SKIP() << "takes too long under a sanitizer";
    // Computed keys: a run of three items, one of 2^32 + 5 items, and one of two.
    const std::uint64_t middle = (std::uint64_t{1} << 32) + 5;
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                      three_runs{middle});
    device_array<std::uint32_t> values(8);
    device_array<std::uint64_t> lengths(8);
    lookback::gpu gpu;
    ASSERT_EQ(run_length_encode(gpu, keys, keys + static_cast<std::ptrdiff_t>(middle + 5),
                                values.data(), lengths.data()),
              3U);
    const auto got = lengths.get();
    EXPECT_EQ(got[0], 3U);
    EXPECT_EQ(got[1], middle);
    EXPECT_EQ(got[2], 2U);
    EXPECT_EQ(values.get()[1], 2U);
    device_array<std::uint64_t> offsets(3);
    ASSERT_EQ(nontrivial_runs(gpu, keys, keys + static_cast<std::ptrdiff_t>(middle + 5),
                              offsets.data(), lengths.data()),
              3U);
    EXPECT_EQ(offsets.get(), (std::vector<std::uint64_t>{0, 3, middle + 3}));
    EXPECT_EQ(lengths.get()[1], middle);
}

TEST(Runs, NansAreRunsOfTheirOwn) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    shifted_array<float> in({1, 1, nan, nan, -0.0F, 0.0F, 2}, 0), out(7, 0);
    shifted_array<std::uint32_t> lengths(7, 0);
    lookback::gpu gpu;
    EXPECT_EQ(run_length_encode(gpu, in.data(), in.data() + 7, out.data(), lengths.data()), 5U);
    out.expect({1, nan, nan, -0.0F, 2}, "values");
    lengths.expect({2, 1, 1, 2, 1}, "lengths");
    shifted_array<std::uint32_t> offsets(3, 0), long_ones(3, 0);
    EXPECT_EQ(nontrivial_runs(gpu, in.data(), in.data() + 7, offsets.data(), long_ones.data()), 2U);
    offsets.expect({0, 4}, "offsets");
    long_ones.expect({2, 2}, "lengths of two or more");
}

}  // namespace
}  // namespace lookback::test
