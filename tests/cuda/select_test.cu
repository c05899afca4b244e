// select_if, select_flagged, unique, unique_by_key and partition_if on the GPU, against loops.
#include "lookback/cuda/partition.hpp"
#include "lookback/cuda/select.hpp"
#include "support/kept_cases.hpp"

namespace lookback::test {
namespace {

using detail::gpu::access;

/// `words` words, of which the first is compared.
template <int words, int alignment = 4>
struct alignas(alignment) wide_item {
    std::uint32_t key;
    std::uint32_t others[words - 1];
    friend __host__ __device__ bool operator==(const wide_item& x, const wide_item& y) {
        return x.key == y.key;
    }
};

template <class T>
T item_of(std::uint32_t key, std::uint64_t i) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(key);
    } else {
        T item;
        item.key = key;
        for (auto& word : item.others) word = static_cast<std::uint32_t>(i++) ^ ~key;
        return item;
    }
}

struct key_of {
    template <int words, int alignment>
    __host__ __device__ std::uint32_t operator()(const wide_item<words, alignment>& x) const {
        return x.key;
    }
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
        using detail::gpu::kept_tile_items, detail::gpu::nowhere;
        const auto sizes = kept_sizes(kept_tile_items<T, nowhere>);
        const auto sizes_with_values = kept_sizes(kept_tile_items<T, float>);
        for (const kept_route& way : kept_routes()) {
            for (const std::uint64_t n : sizes) {
                for (const std::uint32_t limit : {0U, 12U, 64U, 115U, 128U}) {
                    SCOPED_TRACE(way.name + ", n " + std::to_string(n) + ", keys below " +
                                 std::to_string(limit));
                    select(way, scattered(n), below{limit});
                    if (::testing::Test::HasFailure()) return;
                }
                check_unique(way, n, false);
                if (::testing::Test::HasFailure()) return;
            }
            for (const std::uint64_t n : sizes_with_values) {
                check_unique(way, n, true);
                if (::testing::Test::HasFailure()) return;
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

    void check_unique(const kept_route& way, std::uint64_t n, bool with_values) {
        for (const std::uint64_t mean : {0, 1, 2, 500}) {
            SCOPED_TRACE(way.name + ", n " + std::to_string(n) + ", runs of " +
                         std::to_string(mean));
            const auto x = items(keys_in_runs(n, mean, 3));
            with_values ? unique_by_key(way, x) : unique(way, x);
        }
    }
    void unique(const kept_route& way, const std::vector<T>& x) {
        const std::uint64_t n = x.size();
        std::vector<T> heads;
        for (std::uint64_t i = 0; i < n; ++i) {
            if (i == 0 || !(x[i - 1] == x[i])) heads.push_back(x[i]);
        }
        shifted_array<T> in(x, way.shift), out(n, 1);
        EXPECT_EQ(lookback::unique(gpu(way), in.data(), in.data() + n, out.data()), heads.size());
        out.expect(heads, "unique");
        EXPECT_EQ(lookback::unique(gpu(way), in.data(), in.data() + n, in.data()), heads.size());
        in.expect(heads, "unique in place", x);
    }
    void unique_by_key(const kept_route& way, const std::vector<T>& x) {
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
        shifted_array<float> d_values(values, way.shift), values_out(n, 3);
        lookback::unique_by_key(gpu(way), in.data(), in.data() + n, d_values.data(),
                                keys_out.data(), values_out.data(), count_to{counts_.data()});
        expect_count(heads.size());
        keys_out.expect(heads, "unique_by_key, keys");
        values_out.expect(values_of_heads, "unique_by_key, values");
        EXPECT_EQ(lookback::unique_by_key(gpu(way), in.data(), in.data() + n, d_values.data(),
                                          in.data(), d_values.data()),
                  heads.size());
        in.expect(heads, "unique_by_key in place, keys", x);
        d_values.expect(values_of_heads, "unique_by_key in place, values", values);
    }

    stream stream_;
    cuda plain_{stream_}, staged_{stream_};
    device_array<std::uint32_t> counts_{2};
};

TEST(Select, Uint32) { kept_cases<std::uint32_t>().run(); }
TEST(Select, Uint8) { kept_cases<std::uint8_t>().run(); }
TEST(Select, Double) { kept_cases<double>().run(); }
TEST(Select, Uint16) { kept_cases<std::uint16_t>().run(); }
TEST(Select, StructOf12Bytes) { kept_cases<wide_item<3>>().run(); }
TEST(Select, StructOf16Bytes) { kept_cases<wide_item<4, 16>>().run(); }
TEST(Select, StructOf64Bytes) { kept_cases<wide_item<16>>().run(); }

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
    // To the end of an array, downwards: once more the order of the input.
    shifted_array<std::uint32_t> turned(keys.size(), 0);
    const auto end = std::make_reverse_iterator(turned.data() + keys.size());
    EXPECT_EQ(select_if(gpu, first, last, end, below{50}), want.size());
    std::vector<std::uint32_t> got(want.size());
    check(cudaMemcpy(got.data(), turned.data() + keys.size() - want.size(), want.size() * 4,
                     cudaMemcpyDeviceToHost),
          "reading");
    EXPECT_TRUE(std::equal(want.rbegin(), want.rend(), got.begin()));
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

TEST(Select, UniqueInPlaceUnderLoad) {
    // The item before a tile is another's, which may be stored at that moment.
    const std::uint64_t n = reduced() ? 300'000 : 20'000'003;
    std::vector<std::uint32_t> keys(n), want;
    for (std::uint64_t i = 0; i < n; ++i) {
        // Runs of one in the front, then longer and longer ones, cut at tiles' edges.
        keys[i] = static_cast<std::uint32_t>(i < n / 3 ? i : i - i % (2 + i * 60 / n));
        if (i == 0 || keys[i] != keys[i - 1]) want.push_back(keys[i]);
    }
    cuda gpu;
    for (int turn = 0; turn < (reduced() ? 2 : 20); ++turn) {
        access::limit_blocks(gpu, turn % 4 == 3 ? 7 : 0);
        shifted_array<std::uint32_t> in(keys, turn % 2);
        ASSERT_EQ(unique(gpu, in.data(), in.data() + n, in.data()), want.size());
        in.expect(want, "unique in place", keys);
    }
}

TEST(Select, EpochsBeginAgain) {
    // The numbers of launches begin again after 2^32, with two teams and two look-backs in turns.
    const std::uint64_t n = 3'000'001;
    const auto keys = keys_in_runs(n, 3, 9);
    std::vector<std::uint32_t> heads;
    std::vector<float> values(n), values_of_heads;
    for (std::uint64_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i);
        if (i == 0 || keys[i] != keys[i - 1]) {
            heads.push_back(keys[i]);
            values_of_heads.push_back(values[i]);
        }
    }
    shifted_array<std::uint32_t> in(keys, 0);
    shifted_array<float> d_values(values, 0);
    cuda gpu;
    for (const unsigned blocks : {0U, 2U}) {
        access::limit_blocks(gpu, blocks);
        for (int turn = 0; turn < 5; ++turn) {
            if (turn == 2) access::set_epoch<std::uint32_t>(gpu, 0xfffffffe);
            shifted_array<std::uint32_t> keys_out(n, 0);
            shifted_array<float> values_out(n, 0);
            ASSERT_EQ(unique_by_key(gpu, in.data(), in.data() + n, d_values.data(), keys_out.data(),
                                    values_out.data()),
                      heads.size());
            keys_out.expect(heads, "keys");
            values_out.expect(values_of_heads, "values");
        }
    }
}

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "nothing was refused";
}

TEST(Select, SaysWhatIsWrong) {
    cuda gpu;
    device_array<std::uint32_t> x(8), out(8), count(1);
    device_array<std::uint8_t> flags(8);
    std::uint32_t* nothing = nullptr;
    const count_to to{count.data()};
    const auto says = [](const std::string& text, const char* what) {
        EXPECT_NE(text.find(what), std::string::npos) << text;
    };
    const below low{1};
    says(refusal([&] { select_if(gpu, nothing, nothing + 5, out.data(), to, low); }),
         "the input is a null pointer, with 5 items");
    says(refusal([&] { select_if(gpu, x.data(), x.data() + 5, nothing, to, low); }),
         "the output is a null pointer, with 5 items");
    says(refusal([&] {
             select_flagged(gpu, x.data(), x.data() + 5, static_cast<std::uint8_t*>(nullptr),
                            out.data(), to);
         }),
         "null pointer, with 5 items");
    says(refusal(
             [&] { select_if(gpu, x.data(), x.data() + 5, out.data(), count_to{nothing}, low); }),
         "count_to.at is a null pointer");
    says(refusal([&] { select_if(gpu, x.data() + 5, x.data(), out.data(), to, low); }),
         "ends before it begins (-5 items)");
    says(refusal([&] { select_if(gpu, x.data(), x.data() + 5, x.data() + 1, to, low); }),
         "an output begins within the input, 4 bytes from its beginning");
    says(refusal([&] { partition_if(gpu, x.data(), x.data() + 5, x.data(), to, low); }),
         "an output begins within the input, 0 bytes from its beginning");
    says(refusal([&] {
             select_if(gpu, x.data(), device_count<std::uint32_t>{count.data(), 5}, out.data(), to,
                       low);
         }),
         "count_to and device_count are the same memory");
    const std::uint64_t many = (std::uint64_t{1} << 32) + 5;
    auto* const far_away = reinterpret_cast<std::uint32_t*>(4096);  // nothing is written
    says(refusal([&] { unique(gpu, x.data(), x.data() + many, far_away, to); }),
         "up to 4294967301 items are counted in an integer that holds 4294967295");
}

}  // namespace
}  // namespace lookback::test
