// Scans by key, of flagged segments, of segments by offsets and of rows on the GPU, compared with
// loops.
#include "lookback/axis_scan.hpp"
#include "lookback/segmented.hpp"
#include "support/segment_cases.hpp"

namespace lookback::test {
namespace {

using detail::device::access;
using detail::device::segmented_tile_items;

/// `call(in, out)` scans, to another array and in place; `init` and `exclusive` say how.
template <class V, class Op, class Call>
void check_scan(Op op, const compaction_route& way, const std::vector<V>& values,
                const std::vector<bool>& heads, const std::optional<V>& init, bool exclusive,
                const std::string& what, const Call& call) {
    const std::vector<V> want = sequential(values, heads, init, exclusive, op);
    shifted_array<V> in(values, way.shift), out(values.size(), way.shift_of_results());
    EXPECT_EQ(call(in.data(), out.data()), out.data() + values.size()) << what;
    out.expect(want, what.c_str());
    in.expect(values, (what + ", the input").c_str());
    call(in.data(), in.data());
    in.expect(want, (what + " in place").c_str());
}

/// The same for an inclusive scan, a scan from an initial value, and an exclusive scan.
template <class V, class Op, class Inclusive, class From, class Exclusive>
void check_all(Op op, const compaction_route& way, std::uint64_t n, const std::vector<bool>& heads,
               const std::string& what, const Inclusive& inclusive, const From& from,
               const Exclusive& exclusive) {
    const auto values = values_of<V>(n);
    const V init = values_of<V>(1)[0];
    check_scan<V>(op, way, values, heads, std::nullopt, false, what + ", inclusive", inclusive);
    check_scan<V>(op, way, values, heads, init, false, what + ", from a value",
                  [&](V* in, V* out) { return from(in, out, init); });
    check_scan<V>(op, way, values, heads, init, true, what + ", exclusive",
                  [&](V* in, V* out) { return exclusive(in, out, init); });
}

template <class K, class V, class Op>
void check_by_key(Op op) {
    const auto sizes = compaction_sizes(segmented_tile_items<K, V>);
    on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
        for (const std::uint64_t mean : {0, 1, 2, 10, 500, 20'000}) {
            SCOPED_TRACE("runs of " + std::to_string(mean));
            const auto wide_keys = keys_in_runs(n, mean, 4);
            const std::vector<K> all(wide_keys.begin(), wide_keys.end());
            shifted_array<K> d_keys(all, way.shift_of_paired());
            K* const keys = d_keys.data();
            check_all<V>(
                op, way, n, heads_of(all), "by key",
                [&](V* in, V* out) {
                    return inclusive_scan_by_key(way.gpu, keys, keys + n, in, out, op);
                },
                [&](V* in, V* out, V init) {
                    return inclusive_scan_by_key(way.gpu, keys, keys + n, in, out, init, op);
                },
                [&](V* in, V* out, V init) {
                    return exclusive_scan_by_key(way.gpu, keys, keys + n, in, out, init, op);
                });
            d_keys.expect(all, "the keys");
            if (::testing::Test::HasFailure()) return;
        }
    });
}

template <class V, class Op, class Segments>
void check_segments(Op op, const compaction_route& way, std::uint64_t n,
                    const std::vector<bool>& heads, const char* what, const Segments& segments) {
    check_all<V>(
        op, way, n, heads, what,
        [&](V* in, V* out) {
            return inclusive_segmented_scan(way.gpu, in, in + n, segments, out, op);
        },
        [&](V* in, V* out, V init) {
            return inclusive_segmented_scan(way.gpu, in, in + n, segments, out, init, op);
        },
        [&](V* in, V* out, V init) {
            return exclusive_segmented_scan(way.gpu, in, in + n, segments, out, init, op);
        });
}

TEST(Segments, IntegersByKeysOf4Bytes) { check_by_key<std::uint32_t, std::int32_t>(plus<>{}); }
TEST(Segments, WordsByKeysOf2Bytes) { check_by_key<std::uint16_t, std::uint16_t>(plus<>{}); }
TEST(Segments, BytesByKeysOf4Bytes) { check_by_key<std::uint32_t, std::uint8_t>(plus<>{}); }
TEST(Segments, WholeDoublesByKeysOf1Byte) { check_by_key<std::uint8_t, double>(plus<>{}); }
TEST(Segments, ComposedMapsByKeysOf8Bytes) { check_by_key<std::int64_t, std::uint32_t>(compose{}); }

// Items that change size are moved one by one, by every driver.
TEST(Segments, BytesInWideSumsByKey) {
    using K = std::uint32_t;
    using V = std::int64_t;
    on_all_routes(compaction_sizes(segmented_tile_items<K, V>), [&](const compaction_route& way,
                                                                    std::uint64_t n) {
        const std::vector<K> all = keys_in_runs(n, 500, 4);
        const auto values = values_of<std::uint8_t>(n);
        shifted_array<K> keys(all, way.shift_of_paired());
        shifted_array<std::uint8_t> in(values, way.shift);
        shifted_array<V> out(n, way.shift_of_results());
        inclusive_scan_by_key(way.gpu, keys.data(), keys.data() + n, in.data(), out.data(),
                              plus<V>{});
        const std::vector<V> wide(values.begin(), values.end());
        out.expect(sequential<V>(wide, heads_of(all), std::nullopt, false, plus<V>{}), "by key");
    });
}

TEST(Segments, ComposedMapsByFlagsAndOffsets) {
    using V = std::uint32_t;
    const auto sizes = compaction_sizes(segmented_tile_items<std::uint8_t, V>);
    on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
        for (const std::uint64_t mean : {0, 1, 2, 10, 500}) {
            SCOPED_TRACE("segments of " + std::to_string(mean));
            const std::vector<bool> heads = heads_of(keys_in_runs(n, mean, 9));
            // The first item has no flag. Some segments are empty, also the first and the last one.
            std::vector<std::uint8_t> flags(n);
            std::vector<std::int64_t> offsets(mean == 2 ? 3 : 1);
            for (std::uint64_t i = 1; i < n; ++i) {
                if (!heads[i]) continue;
                flags[i] = static_cast<std::uint8_t>(1U << i % 8);
                offsets.insert(offsets.end(), 1 + i % 3, static_cast<std::int64_t>(i));
            }
            offsets.insert(offsets.end(), 1 + mean % 3, static_cast<std::int64_t>(n));
            shifted_array<std::uint8_t> d_flags(flags, way.shift_of_paired());
            shifted_array<std::int64_t> d_offsets(offsets, 1);
            const std::uint8_t* const at = d_flags.data();
            check_segments<V>(compose{}, way, n, heads, "flags", head_flags{at});
            check_segments<V>(compose{}, way, n, heads, "offsets",
                              segment_offsets{d_offsets.data(), d_offsets.data() + offsets.size()});
            if (::testing::Test::HasFailure()) return;
        }
    });
}

TEST(Segments, ComposedMapsInRows) {
    using V = std::uint32_t;
    constexpr std::uint64_t tile = detail::device::large_tile_items<V>;
    on_all_routes(compaction_sizes(tile), [&](const compaction_route& way, std::uint64_t about) {
        for (const std::uint64_t length : {1, 2, 19, 20, 21, 500, int(tile), int(tile) + 1,
                                           9 * int(tile), 100 * int(tile) + 7}) {
            const axis_extents extents{about / length, length, 1};
            SCOPED_TRACE("rows of " + std::to_string(length));
            const std::uint64_t n = extents.outer * length;
            std::vector<bool> heads(n);
            for (std::uint64_t i = 0; i < n; i += length) heads[i] = true;
            check_all<V>(
                compose{}, way, n, heads, "rows",
                [&](V* in, V* out) { return inclusive_scan(way.gpu, in, extents, out, compose{}); },
                [&](V* in, V* out, V init) {
                    return inclusive_scan(way.gpu, in, extents, out, compose{}, init);
                },
                [&](V* in, V* out, V init) {
                    return exclusive_scan(way.gpu, in, extents, out, init, compose{});
                });
            if (::testing::Test::HasFailure()) return;
        }
    });
}

TEST(Segments, FloatSumsHaveTheSameBits) {
    const std::uint64_t n = reduced() ? 200'000 : 5'000'003;
    const auto keys = keys_in_runs(n, 5000, 8);
    std::vector<float> values(n);
    std::minstd_rand random(2);
    for (auto& v : values) v = static_cast<float>(random()) / 1e6F;
    shifted_array<std::uint32_t> in(keys, 0), off(keys, 1);
    shifted_array<float> d_values(values, 0), off_values(values, 1), out(n, 0), off_out(n, 1);
    lookback::gpu gpu;
    std::vector<float> first(n), again(n);
    constexpr unsigned blocks[] = {0, 1, 7, 131};
    for (int turn = 0; turn < 20; ++turn) {
        access::limit_blocks(gpu, blocks[turn % 4]);
        access::use_pipeline(gpu, turn % 5 != 4);
        const bool shift = turn % 3 == 2;
        float* const to = (shift ? off_out : out).data();
        check(cudaMemset(to, poison, n * 4), "poisoning");
        inclusive_scan_by_key(gpu, (shift ? off : in).data(), (shift ? off : in).data() + n,
                              (shift ? off_values : d_values).data(), to);
        check(cudaMemcpy((turn == 0 ? first : again).data(), to, n * 4, cudaMemcpyDeviceToHost),
              "reading");
        if (turn == 0) continue;
        ASSERT_EQ(std::memcmp(first.data(), again.data(), n * 4), 0) << "turn " << turn;
    }
    // And the results are the sums.
    const auto want = sequential<double>(values, heads_of(keys), std::nullopt, false, plus<>{});
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_NEAR(first[i], want[i], 1e-4 * want[i]) << "item " << i;
    }
}

}  // namespace
}  // namespace lookback::test
