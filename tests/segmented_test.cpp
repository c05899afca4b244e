// Scans by key and by segments against loops.
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

// By key, by flags and by offsets, with and without a first value, in place and not.
template <class T, class Op>
void check_segments(const Op& op) {
    const std::size_t tile = detail::small_tile_items<segment_value<T>>;
    const T init = random_values<T>(2, 9)[1];
    for (const std::size_t n : sizes_around(tile)) {
        const auto in = random_values<T>(n, n);
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            std::vector<bool> heads(n);
            std::vector<std::int64_t> offsets = {0};  // twice where a run is odd: empty segments
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
                if (n < 3 * tile && threads > 2) continue;
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

// Reduces eight items as one, so that regrouping shows; wraps around.
struct exact_join : join {
    static constexpr bool exact = true;
};

}  // namespace

TEST(Segmented, IntegerSums) { check_segments<std::uint32_t>(plus<>{}); }
TEST(Segmented, KernelsOfOtherTypes) {
    check_segments<std::uint8_t>(maximum<>{});
    check_segments<std::int16_t>(plus<std::int16_t>{});
    check_segments<std::int64_t>(minimum<>{});
    check_segments<float>(maximum<>{});
    check_segments<double>(minimum<>{});
}
TEST(Segmented, OperatorsThatDoNotCommute) { check_segments<matrix>(matrix_product{}); }
TEST(Segmented, OperatorsThatRegroup) { check_segments<span_of>(exact_join{}); }

TEST(Segmented, FloatSumsHaveTheSameBitsInEveryRun) {
    const std::size_t n = 20 * detail::small_tile_items<segment_value<float>> + 5;
    const auto in = random_values<float>(n, 1);
    std::vector<std::uint32_t> keys(n);
    for (const std::size_t length : {std::size_t{70000}, std::size_t{700}, std::size_t{65}}) {
        // By turns a segment of so many items, one of 64 and one of 3; now and then only pairs.
        const std::size_t period = length + 67;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t in_period = i % period;
            keys[i] = static_cast<std::uint32_t>(3 * (i / period) + (in_period >= length) +
                                                 (in_period >= length + 64));
            if (i % 5000 < 500) keys[i] = static_cast<std::uint32_t>(1000000 + i / 2);
        }
        std::vector<float> want(n), want_exclusive(n), out(n), out_exclusive(n);
        inclusive_scan_by_key(cpu{.threads = 1}, keys.begin(), keys.end(), in.begin(),
                              want.begin());
        exclusive_scan_by_key(cpu{.threads = 1}, keys.begin(), keys.end(), in.begin(),
                              want_exclusive.begin(), 0.5F);
        for (const int threads : thread_counts) {
            for (int round = 0; round < 10; ++round) {
                const cpu where{.threads = threads};
                inclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin());
                exclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(),
                                      out_exclusive.begin(), 0.5F);
                ASSERT_TRUE(out == want) << "threads " << threads;
                ASSERT_TRUE(out_exclusive == want_exclusive) << "threads " << threads;
            }
        }
        // Not far from the truth either.
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const bool head = i == 0 || keys[i] != keys[i - 1];
            ASSERT_NEAR(out_exclusive[i], head ? 0.5 : sum + 0.5, 1e-2) << i;
            sum = head ? in[i] : sum + in[i];
            ASSERT_NEAR(out[i], sum, 1e-2) << i;
        }
    }
}

// The tree of docs/design.md.
template <class T>
std::vector<T> tree_of_sums(const std::vector<T>& in, const std::vector<std::uint8_t>& heads,
                            const std::optional<T>& init, bool exclusive) {
    constexpr std::size_t row = 64 / sizeof(T), block = 16 / sizeof(T);
    const std::size_t tile = detail::segment_tile_items<T>;
    std::vector<T> out(in.size());
    std::optional<T> before;  // the open segment's part in this tile
    T carry = -T(0);          // of that part, up to this row
    const auto after = [](const std::optional<T>& a, T b) { return a ? *a + b : b; };
    for (std::size_t first = 0; first < in.size(); first += row) {
        if (first > 0 && first % tile == 0) {
            before = after(before, carry);
            carry = -T(0);
        }
        std::vector<T> lane(row, -T(0));
        std::vector<bool> head(row);
        for (std::size_t i = 0; i < row && first + i < in.size(); ++i) {
            lane[i] = in[first + i];
            head[i] = heads[first + i] != 0;
        }
        // Lane `to` adds lane `from`, where no head lies between.
        const auto step = [&](const auto& from_of) {
            const std::vector<T> old = lane;
            for (std::size_t to = 0; to < row; ++to) {
                const auto from = from_of(to);
                if (!from || std::count(head.begin() + std::ptrdiff_t(*from) + 1,
                                        head.begin() + std::ptrdiff_t(to) + 1, true) > 0) {
                    continue;
                }
                lane[to] = old[*from] + old[to];
            }
        };
        using lane_number = std::optional<std::size_t>;
        for (std::size_t d = 1; d < block; d *= 2) {
            step([&](std::size_t i) { return i % block < d ? lane_number{} : i - d; });
        }
        for (const std::size_t group : {block, 2 * block}) {
            step([&](std::size_t i) {
                return i / group % 2 == 0 ? lane_number{} : i / group * group - 1;
            });
        }
        bool open = true;
        for (std::size_t i = 0; i < row && first + i < in.size(); ++i) {
            if (head[i]) {
                open = false;
                before = init;
                carry = -T(0);
            }
            const T inclusive = after(before, carry + lane[i]);
            if (!exclusive) out[first + i] = inclusive;
            if (exclusive && head[i]) out[first + i] = *init;
            if (exclusive && first + i + 1 < in.size()) out[first + i + 1] = inclusive;
        }
        carry = open ? carry + lane[row - 1] : lane[row - 1];
    }
    return out;
}

template <class T>
void check_tree() {
    const std::size_t tile = detail::segment_tile_items<T>;
    for (const std::size_t n : {std::size_t{5}, std::size_t{64}, 2 * tile - 1, 5 * tile + 77}) {
        const auto in = random_values<T>(n, 3);
        const T init = T(0.3);
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            std::vector<std::uint8_t> heads(n);
            for (std::size_t i = 0; i < n; ++i) heads[i] = i == 0 || keys[i] != keys[i - 1];
            for (const int threads : thread_counts) {
                const cpu where{.threads = threads};
                std::vector<T> out(n);
                inclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin());
                ASSERT_TRUE(out == tree_of_sums<T>(in, heads, std::nullopt, false)) << name;
                inclusive_segmented_scan(where, in.begin(), in.end(), head_flags{heads.begin()},
                                         out.begin(), init);
                ASSERT_TRUE(out == tree_of_sums<T>(in, heads, init, false)) << name;
                exclusive_scan_by_key(where, keys.begin(), keys.end(), in.begin(), out.begin(),
                                      init);
                ASSERT_TRUE(out == tree_of_sums<T>(in, heads, init, true)) << name;
            }
        }
    }
}

TEST(Segmented, FloatSumsHaveTheTreeOfTheDesign) {
    check_tree<float>();
    check_tree<double>();
}

// Scanned in pieces of whole tiles, each behind the pair of all before it.
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
                before = detail::single_pass(
                    cpu{2}, detail::segments_problem<is_exclusive, const T*, flags, T*, T, Op>(
                                in.data() + first, std::min(piece, n - first), heads_of_piece,
                                got.data() + first, init, op, before));
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
              "lookback: an output begins within the input, 0 bytes from its beginning; expected "
              "separate memory");
}

}  // namespace lookback::test
