// run_length_encode on the GPU, for keys of all sizes, compared with a loop. Some tiles have so
// many heads that there is no room for their positions (detail/device/length_agent.hpp), and others
// have a few more or fewer than that limit.
#include "lookback/runs.hpp"
#include "support/compaction_cases.hpp"
#include "support/run_cases.hpp"

namespace lookback::test {
namespace {

/// Mostly runs of one item, so that a tile has few other runs, which are short or long.
std::vector<std::vector<std::uint64_t>> dense_cycles() {
    std::vector<std::uint64_t> rarely_long(2000, 1);
    rarely_long.push_back(700);
    return {{1}, {1, 1, 1, 1, 1, 2}, {1, 1, 1, 40}, rarely_long, {1, 2}, {2}, {3, 1}, {1, 9000}};
}

template <class K, class Equal = equal_to>
void check_lengths(Equal equal = {}) {
    using namespace detail::device;
    device_array<std::uint64_t> count{1};
    const auto check_keys = [&](const compaction_route& way, const std::vector<K>& keys) {
        const std::uint64_t n = keys.size();
        std::vector<K> heads;
        std::vector<std::uint32_t> lengths;
        for (std::uint64_t i = 0; i < n; ++i) {
            if (i == 0 || !equal(keys[i - 1], keys[i])) {
                heads.push_back(keys[i]);
                lengths.push_back(0);
            }
            ++lengths.back();
        }
        shifted_array<K> in(keys, way.shift), encoded(n, 0);
        shifted_array<std::uint32_t> lengths_out(n, 1);
        count.fill_with_poison();
        run_length_encode(way.gpu, in.data(), in.data() + n, encoded.data(), lengths_out.data(),
                          count_to{count.data()}, equal);
        EXPECT_EQ(count.get()[0], heads.size());
        encoded.expect(heads, "values");
        lengths_out.expect(lengths, "lengths");
        shifted_array<std::uint32_t> again(n, 0);
        EXPECT_EQ(
            run_length_encode(way.gpu, in.data(), in.data() + n, in.data(), again.data(), equal),
            heads.size());
        in.expect(heads, "values in place", keys);
        again.expect(lengths, "lengths in place");
    };
    const auto tile = static_cast<std::uint64_t>(compaction_tile_items<K, paired_lengths<K>>);
    const std::vector<std::uint64_t> sizes = {tile - 1, 2 * tile, 33 * tile + 5};
    on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
        on_all_cycles<K>(n, dense_cycles(),
                         [&](const std::vector<K>& keys) { check_keys(way, keys); });
    });
}

TEST(RunLengths, OfKeysOf1Byte) { check_lengths<std::uint8_t>(); }
TEST(RunLengths, OfKeysOf2Bytes) { check_lengths<std::uint16_t>(); }
TEST(RunLengths, OfKeysOf3Bytes) { check_lengths<three_bytes>(same_bytes{}); }
TEST(RunLengths, OfKeysOf4Bytes) { check_lengths<std::uint32_t>(); }
TEST(RunLengths, OfKeysOf8Bytes) { check_lengths<double>(); }
TEST(RunLengths, OfKeysOf24Bytes) { check_lengths<three_words>(same_words{}); }

}  // namespace
}  // namespace lookback::test
