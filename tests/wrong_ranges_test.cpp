// What calls with ranges refuse: at compile time, types that do not fit, as a concept sees it; at
// run time, ranges that are too short.
#include <functional>
#include <span>
#include <string>

#include "support/check_scan.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

using ints = std::vector<int>;
const auto is_odd = [](int x) { return x % 2 != 0; };

struct without_equality {};
template <class... A>
concept finds_unique = requires(A... a) { lookback::unique(a...); };
static_assert(finds_unique<ints&, ints&> &&
              !finds_unique<std::vector<without_equality>&, std::vector<without_equality>&>);
template <class... A>
concept encodes_runs = requires(A... a) { lookback::run_length_encode(a...); };
static_assert(encodes_runs<ints&, ints&, ints&> &&
              !encodes_runs<ints&, ints&, ints::iterator>);  // the room could not be checked

template <class Out>
concept takes_scan =
    requires(const ints in, Out&& out) { lookback::inclusive_scan(in, std::forward<Out>(out)); };
static_assert(takes_scan<ints&> && takes_scan<std::vector<double>&> && takes_scan<std::span<int>>);
static_assert(!takes_scan<ints> && !takes_scan<const ints&> && !takes_scan<std::vector<bool>&> &&
              !takes_scan<std::vector<ints>&> && !takes_scan<int>);

template <class T, class Op = plus<>>
concept folds_ints = requires(const ints in, ints out, T init, Op op) {
    lookback::exclusive_scan(in, out, init, op);
    lookback::inclusive_scan(cpu{}, in.begin(), in.end(), out.begin(), op, init);
    lookback::exclusive_scan_by_key(in, in, out, init, op);
    lookback::exclusive_scan(in, axis_extents{1, 1, 1}, out, init, op);
};
static_assert(folds_ints<int> && folds_ints<long> && folds_ints<double> && folds_ints<unsigned>);
static_assert(!folds_ints<short> && !folds_ints<bool> && !folds_ints<std::string>);
static_assert(!folds_ints<int, std::negate<>>);

template <class In, class Init>
concept begins_with = requires(const std::vector<In> in, std::vector<In> out, Init init) {
    lookback::exclusive_scan(in, out, init);
};
static_assert(begins_with<std::uint8_t, int> && begins_with<int, std::size_t>);
static_assert(!begins_with<std::uint32_t, int> && !begins_with<std::uint64_t, int> &&
              !begins_with<float, int> && !begins_with<double, long> &&
              !begins_with<double, float>);

template <class Function>
concept selects =
    requires(const ints in, ints out, Function f) { lookback::select_if(in, out, f); };
template <class Function>
concept finds_runs = requires(const ints in, ints out, Function f) {
    lookback::unique(in, out, f);
    lookback::run_length_encode(in, out, out, f);
    lookback::reduce_by_key(in, in, out, out, plus<>{}, f);
};
static_assert(selects<decltype(is_odd)> && !selects<std::equal_to<>>);
static_assert(finds_runs<std::equal_to<>> && !finds_runs<decltype(is_odd)>);

}  // namespace

TEST(WrongRanges, TooShort) {
    ints in(5), out(5);
    ints small(3);
    const std::string room =
        "lookback: the output has room for 3 items; expected at least the input's 5";
    EXPECT_EQ(message_of([&] { lookback::select_if(in, small, is_odd); }), room);
    EXPECT_EQ(message_of([&] { lookback::unique(in, small); }), room);
    EXPECT_EQ(message_of([&] { lookback::partition_if(in, out, small, is_odd); }), room);
    EXPECT_EQ(message_of([&] { lookback::run_length_encode(in, out, small); }), room);
    EXPECT_EQ(message_of([&] { lookback::reduce_by_key(in, in, out, small); }), room);
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan_by_key(in, in, small); }), room);
    EXPECT_EQ(message_of([&] {
                  lookback::inclusive_scan(in, axis_extents{1, 5, 1}, small);
              }),
              room);
    EXPECT_EQ(message_of([&] {
                  lookback::inclusive_scan(small, axis_extents{1, 5, 1}, out);
              }),
              "lookback: the input has 3 items; expected the extents' 5");
    EXPECT_EQ(message_of([&] { lookback::select_flagged(in, small, out); }),
              "lookback: there are 3 flags for 5 items; expected one for each");
    EXPECT_EQ(message_of([&] { lookback::reduce_by_key(in, small, out, out); }),
              "lookback: there are 3 values for 5 items; expected one for each");
    ints one(1);
    EXPECT_EQ(message_of([&] { lookback::nontrivial_runs(in, one, out); }),
              "lookback: the output has room for 1 items; expected at least the input's 2");
    ints two(2);
    EXPECT_EQ(lookback::nontrivial_runs(in, two, out), 1u);
}

}  // namespace lookback::test
