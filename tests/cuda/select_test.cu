// select_if, select_flagged, unique, unique_by_key and partition_if on the GPU, against loops.
#include "lookback/cuda/partition.hpp"
#include "lookback/cuda/select.hpp"
#include "support/kept_cases.hpp"

namespace lookback::test {
namespace {

using detail::gpu::access;

struct wide_item {
    std::uint32_t key;
    std::uint32_t a, b;
    friend __host__ __device__ bool operator==(const wide_item& x, const wide_item& y) {
        return x.key == y.key;
    }
};

template <class T>
T item_of(std::uint32_t key, std::uint64_t i) {
    if constexpr (std::is_same_v<T, wide_item>) {
        return {key, static_cast<std::uint32_t>(i), ~key};
    } else {
        return static_cast<T>(key);
    }
}

struct key_of {
    __host__ __device__ std::uint32_t operator()(const wide_item& x) const { return x.key; }
    template <class T>
    __host__ __device__ std::uint32_t operator()(const T& x) const {
        return static_cast<std::uint32_t>(x);
    }
};
/// True for `percent` of scattered keys.
struct below {
    std::uint32_t limit;
    template <class T>
    __host__ __device__ bool operator()(const T& x) const {
        return key_of{}(x) < limit;
    }
};

template <class T>
class kept_cases {
 public:
    kept_cases() { access::use_pipeline(staged_, false); }

    void run() {
        constexpr std::uint64_t tile = detail::gpu::kept_tile_items<T, detail::gpu::nowhere>;
        for (const kept_route& way : kept_routes()) {
            for (const std::uint64_t n : kept_sizes(tile)) {
                for (const std::uint32_t limit : {0U, 12U, 64U, 115U, 128U}) {
                    SCOPED_TRACE(way.name + ", n " + std::to_string(n) + ", keys below " +
                                 std::to_string(limit));
                    select(way, scattered(n), below{limit});
                    if (::testing::Test::HasFailure()) return;
                }
                for (const std::uint64_t mean : {0, 1, 2, 500}) {
                    SCOPED_TRACE(way.name + ", n " + std::to_string(n) + ", runs of " +
                                 std::to_string(mean));
                    unique(way, items(keys_in_runs(n, mean, 3)));
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
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

    cuda& gpu(const kept_route& way) { return way.pipelined ? plain_ : staged_; }
    void expect_count(std::uint64_t want, std::uint64_t at = 0) {
        EXPECT_EQ(counts_.get()[at], want) << "the count";
    }

    void select(const kept_route& way, const std::vector<T>& x, below pred) {
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
        shifted_array<std::uint8_t> d_flags(flags, way.shift);
        lookback::select_if(gpu(way), in.data(), in.data() + n, out.data(),
                            count_to{counts_.data()}, pred);
        expect_count(kept.size());
        out.expect(kept, "select_if");
        lookback::select_flagged(gpu(way), in.data(), in.data() + n, d_flags.data(), flagged.data(),
                                 count_to{counts_.data()});
        expect_count(kept.size());
        flagged.expect(kept, "select_flagged");

        shifted_array<T> yes(n, 1), no(n, 0);
        EXPECT_EQ(
            lookback::partition_if(gpu(way), in.data(), in.data() + n, yes.data(), no.data(), pred),
            kept.size());
        yes.expect(kept, "partition_if, kept");
        no.expect(rest, "partition_if, rest");

        shifted_array<T> one(n, way.shift);
        std::vector<T> both = kept;
        both.insert(both.end(), rest.begin(), rest.end());
        EXPECT_EQ(lookback::partition_if(gpu(way), in.data(), in.data() + n, one.data(), pred),
                  kept.size());
        one.expect(both, "partition_if, one output");

        shifted_array<T> first(n, 0), middle(n, 1), last(n, 2);
        lookback::partition_if(gpu(way), in.data(), in.data() + n, first.data(), middle.data(),
                               last.data(), count_to{counts_.data()}, pred, next);
        expect_count(kept.size());
        expect_count(second.size(), 1);
        first.expect(kept, "three-way partition, first");
        middle.expect(second, "three-way partition, second");
        last.expect(third, "three-way partition, rest");
        EXPECT_EQ(lookback::partition_if(gpu(way), in.data(), in.data() + n, first.data(),
                                         middle.data(), last.data(), pred, next),
                  (partition_counts{kept.size(), second.size()}));

        EXPECT_EQ(lookback::select_if(gpu(way), in.data(), in.data() + n, in.data(), pred),
                  kept.size());
        in.expect(kept, "select_if in place", x);
    }

    void unique(const kept_route& way, const std::vector<T>& x) {
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
        shifted_array<T> in(x, way.shift), out(n, 1), keys_out(n, 0);
        shifted_array<float> d_values(values, way.shift), values_out(n, 3);
        EXPECT_EQ(lookback::unique(gpu(way), in.data(), in.data() + n, out.data()), heads.size());
        out.expect(heads, "unique");
        lookback::unique_by_key(gpu(way), in.data(), in.data() + n, d_values.data(),
                                keys_out.data(), values_out.data(), count_to{counts_.data()});
        expect_count(heads.size());
        keys_out.expect(heads, "unique_by_key, keys");
        values_out.expect(values_of_heads, "unique_by_key, values");
        EXPECT_EQ(lookback::unique(gpu(way), in.data(), in.data() + n, in.data()), heads.size());
        in.expect(heads, "unique in place", x);
    }

    stream stream_;
    cuda plain_{stream_}, staged_{stream_};
    device_array<std::uint32_t> counts_{2};
};

TEST(Select, Uint32) { kept_cases<std::uint32_t>().run(); }
TEST(Select, Uint8) { kept_cases<std::uint8_t>().run(); }
TEST(Select, Double) { kept_cases<double>().run(); }
TEST(Select, StructOf12Bytes) { kept_cases<wide_item>().run(); }

TEST(Select, FromTheEndBackwards) {
    const auto keys = keys_in_runs(100'003, 3, 5);
    shifted_array<std::uint32_t> in(keys, 0), out(keys.size(), 0);
    cuda gpu;
    std::vector<std::uint32_t> want;
    for (auto k = keys.rbegin(); k != keys.rend(); ++k) {
        if (*k < 50) want.push_back(*k);
    }
    const auto last = std::make_reverse_iterator(in.data());
    const auto first = std::make_reverse_iterator(in.data() + keys.size());
    EXPECT_EQ(select_if(gpu, first, last, out.data(), below{50}), want.size());
    out.expect(want, "select_if");
}

TEST(Select, CountsStayOnTheDevice) {
    // What one call keeps is what the next one reads.
    const auto keys = keys_in_runs(1'000'003, 4, 6);
    shifted_array<std::uint32_t> in(keys, 0), runs(keys.size(), 0), out(keys.size(), 0);
    device_array<std::uint64_t> counts(2);
    stream s;
    cuda gpu{s};
    gpu.reserve(keys.size());
    lookback::unique(gpu, in.data(), in.data() + keys.size(), runs.data(), count_to{counts.data()});
    select_if(gpu, runs.data(), device_count<std::uint64_t>{counts.data(), keys.size()}, out.data(),
              count_to{counts.data() + 1}, below{64});
    std::vector<std::uint32_t> heads, want;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]);
    }
    for (const auto k : heads) {
        if (k < 64) want.push_back(k);
    }
    EXPECT_EQ(counts.get(), (std::vector<std::uint64_t>{heads.size(), want.size()}));
    out.expect(want, "select_if");
}

TEST(Select, InPlaceUnderLoad) {
    // Tiles of all ratios, dense in the front, many times over: a result that overtakes a read of
    // another tile would show.
    const std::uint64_t n = reduced() ? 300'000 : 20'000'003;
    std::vector<std::uint32_t> keys(n);
    std::minstd_rand random(1);
    for (std::uint64_t i = 0; i < n; ++i) {
        const bool drop = i / 50'000 % 3 != 0 && random() % 100 < i * 100 / n;
        keys[i] = static_cast<std::uint32_t>(i) | (drop ? 0x80000000U : 0);
    }
    const below keep{0x80000000U};
    std::vector<std::uint32_t> want;
    for (const auto k : keys) {
        if (k < 0x80000000U) want.push_back(k);
    }
    cuda gpu;
    for (int turn = 0; turn < (reduced() ? 2 : 20); ++turn) {
        access::limit_blocks(gpu, turn % 4 == 3 ? 7 : 0);
        access::use_pipeline(gpu, turn % 5 != 4);
        shifted_array<std::uint32_t> in(keys, turn % 2);
        ASSERT_EQ(select_if(gpu, in.data(), in.data() + n, in.data(), keep), want.size());
        in.expect(want, "select_if in place", keys);
    }
}

TEST(Select, SaysWhatIsWrong) {
    cuda gpu;
    device_array<std::uint32_t> x(8), count(1);
    std::uint32_t* nothing = nullptr;
    EXPECT_THROW(select_if(gpu, nothing, nothing + 5, x.data(), count_to{count.data()}, below{1}),
                 std::invalid_argument);
    EXPECT_THROW(select_if(gpu, x.data(), x.data() + 5, nothing, count_to{count.data()}, below{1}),
                 std::invalid_argument);
    EXPECT_THROW(select_if(gpu, x.data(), x.data() + 5, x.data(), count_to{nothing}, below{1}),
                 std::invalid_argument);
    EXPECT_THROW(select_if(gpu, x.data() + 5, x.data(), x.data(), count_to{count.data()}, below{1}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace lookback::test
