// Scans by key and by segments, compared with loops.
#include <optional>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

// The definition: `heads[i]` begins a segment.
template <class T, class Op>
std::vector<T> sequential(const std::vector<T>& in, const std::vector<bool>& heads,
                          const std::optional<T>& init, bool exclusive, const Op& op) {
    std::vector<T> out(in.size());
    std::optional<T> fold;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (heads[i]) fold = init;
        const T item = in[i];
        if (exclusive) out[i] = *fold;
        fold = fold ? op(*fold, item) : item;
        if (!exclusive) out[i] = *fold;
    }
    return out;
}

// Scans by key, by flags and by offsets, with and without an initial value, in place and not.
template <class T, class Op>
void check_segments(const Op& op) {
    const std::size_t tile = detail::small_tile_items<segment_value<T>>;
    const T init = random_values_for<T>(op, 2, 9)[1];
    for (const std::size_t n : sizes_around(tile)) {
        const auto in = random_values_for<T>(op, n, n);
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            std::vector<bool> heads(n);
            std::vector<std::int64_t> offsets = {0};  // twice if a key is odd: empty segments
            for (std::size_t i = 0; i < n; ++i) {
                heads[i] = i == 0 || keys[i] != keys[i - 1];
                if (heads[i]) offsets.insert(offsets.end(), 1 + keys[i] % 2, std::int64_t(i));
            }
            offsets.push_back(std::int64_t(n));
            const auto want = sequential<T>(in, heads, std::nullopt, false, op);
            const auto want_from = sequential<T>(in, heads, init, false, op);
            const auto want_before = sequential<T>(in, heads, init, true, op);
            const head_flags flags{heads.begin()};
            const segment_offsets segments{offsets.begin(), offsets.end()};
            for (const int threads : thread_counts) {
                if (n < 3 * tile && threads > 3) continue;
                const cpu where{.threads = threads};
                const auto check = [&](const auto& scan, const std::vector<T>& right,
                                       const char* kind) {
                    const std::string what = std::string(kind) + ", " + describe(name, n, threads);
                    watched_output<T> out(n);
                    ASSERT_EQ(scan(in.begin(), in.end(), out.begin()) - out.begin(),
                              std::ptrdiff_t(n));
                    ASSERT_NO_FATAL_FAILURE(out.expect(right, what));
                    std::vector<T> both = in;
                    scan(both.begin(), both.end(), both.begin());
                    ASSERT_NO_FATAL_FAILURE(expect_in_place(both, right, in, what));
                };
                const auto k = keys.begin(), k_end = keys.end();
                check([&](auto f, auto,
                          auto o) { return inclusive_scan_by_key(where, k, k_end, f, o, op); },
                      want, "by key");
                check(
                    [&](auto f, auto, auto o) {
                        return exclusive_scan_by_key(where, k, k_end, f, o, init, op);
                    },
                    want_before, "exclusive, by key");
                check(
                    [&](auto f, auto l, auto o) {
                        return inclusive_segmented_scan(where, f, l, flags, o, init, op);
                    },
                    want_from, "with a first value, by flags");
                check(
                    [&](auto f, auto l, auto o) {
                        return inclusive_segmented_scan(where, f, l, segments, o, op);
                    },
                    want, "by offsets");
                check(
                    [&](auto f, auto l, auto o) {
                        return exclusive_segmented_scan(where, f, l, segments, o, init, op);
                    },
                    want_before, "exclusive, by offsets");
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

// Regroups (reduces eight items as one), so that mistakes in regrouping show.
struct exact_join : join {
    static constexpr bool exact = true;
};

}  // namespace

TEST(Segmented, IntegerSums) { check_segments<std::uint32_t>(plus<>{}); }
TEST(Segmented, KernelsOfOtherTypes) {
    check_segments<std::uint8_t>(maximum<>{});
    check_segments<std::int16_t>(plus<std::int16_t>{});
    check_segments<std::int64_t>(minimum<>{});
    check_segments<std::uint64_t>(multiplies<>{});
    check_segments<float>(maximum<>{});
    check_segments<double>(minimum<>{});
}
TEST(Segmented, OperatorsThatDoNotCommute) { check_segments<matrix>(matrix_product{}); }
TEST(Segmented, OperatorsThatRegroup) { check_segments<span_of>(exact_join{}); }

// Scans in pieces of whole tiles. Each goes on from the segment value of all pieces before it.
template <bool is_exclusive, class T, class Op>
void check_pieces(const Op& op) {
    const std::size_t tile = detail::segment_tile_items<T>;
    const std::size_t n = 6 * tile + 65;
    const auto in = random_values<T>(n, 4);
    const std::optional<T> init = random_values<T>(1, 5)[0];
    for (const auto& [name, keys] : key_patterns(n, tile)) {
        std::vector<std::uint8_t> heads(n);
        for (std::size_t i = 0; i < n; ++i) heads[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
        std::vector<T> want(n), got(n);
        const head_flags<const std::uint8_t*> segments{heads.data()};
        if constexpr (is_exclusive) {
            exclusive_segmented_scan(cpu{1}, in.data(), in.data() + n, segments, want.data(), *init,
                                     op);
        } else {
            inclusive_segmented_scan(cpu{1}, in.data(), in.data() + n, segments, want.data(), *init,
                                     op);
        }
        for (const std::size_t piece : {tile, 2 * tile}) {
            std::optional<segment_value<T>> before;
            for (std::size_t first = 0; first < n; first += piece) {
                using flags = detail::heads_by_flag<const std::uint8_t*>;
                const std::uint8_t* const piece_heads = heads.data() + first;
                const flags heads_of_piece{piece_heads, !before};
                before = detail::scan_segments<is_exclusive, T>(
                    cpu{2}, in.data() + first, std::min(piece, n - first), heads_of_piece,
                    got.data() + first, init, op, before);
            }
            ASSERT_TRUE(got == want) << name << ", pieces of " << piece;
        }
    }
}

TEST(Segmented, InPieces) {
    check_pieces<false, float>(plus<>{});
    check_pieces<true, double>(plus<>{});
    check_pieces<false, matrix>(matrix_product{});
    check_pieces<true, matrix>(matrix_product{});
}

TEST(Segmented, TheOperatorIsPublic) {
    const segmented<plus<>> op{};
    using pair = segment_value<int>;
    EXPECT_EQ(op(pair{1, true}, pair{2, false}), (pair{3, true}));
    EXPECT_EQ(op(pair{1, false}, pair{2, false}), (pair{3, false}));
    EXPECT_EQ(op(pair{1, false}, pair{2, true}), (pair{2, true}));
    const std::vector<pair> in = {{1, true}, {2, false}, {3, true}, {4, false}};
    std::vector<pair> out(4);
    lookback::inclusive_scan(cpu{}, in, out, op);
    EXPECT_EQ(out, (std::vector<pair>{{1, true}, {3, true}, {3, true}, {7, true}}));
}

TEST(Segmented, EmptySegmentsOnly) {
    const std::vector<int> none;
    std::vector<int> out;
    const std::vector<int> offsets = {0, 0, 0};
    EXPECT_EQ(
        inclusive_segmented_scan(cpu{}, none.begin(), none.end(),
                                 segment_offsets{offsets.begin(), offsets.end()}, out.begin()),
        out.begin());
}

TEST(SegmentedErrors, SayWhatIsWrong) {
    const std::vector<int> in(10);
    std::vector<int> out(10);
    const auto scan = [&](const std::vector<int>& offsets) {
        return refusal([&] {
            inclusive_segmented_scan(cpu{}, in.begin(), in.end(),
                                     segment_offsets{offsets.begin(), offsets.end()}, out.begin());
        });
    };
    EXPECT_EQ(scan({}),
              "lookback: there are no offsets; expected one more than there are segments");
    EXPECT_EQ(scan({1, 10}), "lookback: the first offset is 1; expected 0");
    EXPECT_EQ(scan({0, 7, 4, 2, 10}),
              "lookback: offsets decrease from 7 to 4 at entry 2; expected each to be at least the "
              "one before");
    EXPECT_EQ(scan({0, 7, 9}), "lookback: the last offset is 9; expected the number of items, 10");
    EXPECT_EQ(scan({0, 7, 10}), "no std::invalid_argument");
    std::vector<int> many(200000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = int(i / 20000);
    many.back() = 10;
    EXPECT_EQ(scan(many), "no std::invalid_argument");
    many[150000] = 6;
    many[150001] = 1;
    EXPECT_EQ(
        scan(many),
        "lookback: offsets decrease from 7 to 6 at entry 150000; expected each to be at least "
        "the one before");
    std::vector<std::uint32_t> keys(10);
    EXPECT_EQ(refusal([&] {
                  inclusive_scan_by_key(cpu{}, keys.begin(), keys.end(), in.begin(), keys.begin());
              }),
              "lookback: the output overlaps the array of keys, 0 bytes from its beginning; "
              "expected separate memory");
    std::vector<std::uint32_t> both(20);  // the output; 4 items on begin the keys
    const auto behind = both.begin() + 4;
    const auto overlaps = [](const std::string& name) {
        return "lookback: the output overlaps the array of " + name +
               ", -16 bytes from its beginning; expected separate memory";
    };
    EXPECT_EQ(refusal([&] {
                  inclusive_scan_by_key(cpu{}, behind, behind + 10, in.begin(), both.begin());
              }),
              overlaps("keys"));
    EXPECT_EQ(refusal([&] {
                  inclusive_segmented_scan(cpu{}, in.begin(), in.end(), head_flags{behind},
                                           both.begin());
              }),
              overlaps("flags"));
    *(behind + 1) = 10;
    EXPECT_EQ(refusal([&] {
                  inclusive_segmented_scan(cpu{}, in.begin(), in.end(),
                                           segment_offsets{behind, behind + 2}, both.begin());
              }),
              overlaps("offsets"));
}

}  // namespace lookback::test
