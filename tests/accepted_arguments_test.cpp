// Arguments other than arrays and pure functions: functions whose operator() is not const, outputs
// that can only be written, iterators that cannot be assigned.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/small_ints.hpp"

namespace lookback::test {
namespace {

// Functions whose operator() is not const. Each counts its own calls. The library calls a new copy
// each time, so no call sees the count of another.
struct adds_once {
    int calls = 0;
    int operator()(int a, int b) { return a + b + 1000 * calls++; }
};
struct is_positive_once {
    bool called = false;
    bool operator()(int x) { return !std::exchange(called, true) && x > 0; }
};
struct is_equal_once {
    bool called = false;
    bool operator()(int a, int b) { return !std::exchange(called, true) && a == b; }
};

// An output that can only be written, and has no value type. It checks each value, and counts them.
template <class Want>
struct write_only {
    using iterator_category = std::output_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = void;
    using pointer = void;
    using reference = void;
    struct place {
        const write_only& to;
        std::size_t at;
        template <class T>
        void operator=(const T& value) const {
            to.seen->fetch_add(1);
            if (static_cast<long long>(value) != (*to.want)(at)) to.wrong->fetch_add(1);
        }
    };
    const Want* want;
    std::atomic<std::size_t>* seen;
    std::atomic<std::size_t>* wrong;
    std::ptrdiff_t offset = 0;
    place operator[](std::ptrdiff_t i) const {
        return {*this, static_cast<std::size_t>(offset + i)};
    }
    write_only operator+(std::ptrdiff_t i) const { return {want, seen, wrong, offset + i}; }
};

// Calls `call` with an output that must be given the items of `want`, and checks that it was.
template <class Wanted, class Call>
void expect_written(const std::vector<Wanted>& want, const Call& call) {
    std::atomic<std::size_t> seen = 0, wrong = 0;
    const auto wanted = [&](std::size_t i) {
        return i < want.size() ? static_cast<long long>(want[i]) : -1'000'000LL;
    };
    call(write_only<decltype(wanted)>{&wanted, &seen, &wrong});
    EXPECT_EQ(seen.load(), want.size());
    EXPECT_EQ(wrong.load(), 0u);
}

// Squares, computed by a lambda with a capture: it has no default constructor and cannot be
// assigned.
template <class F>
struct computed {
    using iterator_category = std::random_access_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = int;
    using reference = int;
    using pointer = void;
    F f;
    std::ptrdiff_t at = 0;
    int operator*() const { return f(at); }
    int operator[](std::ptrdiff_t i) const { return f(at + i); }
    computed operator+(std::ptrdiff_t i) const { return {f, at + i}; }
    std::ptrdiff_t operator-(const computed& other) const { return at - other.at; }
};

}  // namespace

TEST(FunctionsThatAreNotConst, AreCalledOnCopies) {
    for (const std::size_t n : call_sizes) {
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(std::to_string(n) + " items, threads " + std::to_string(threads));
            const cpu where{threads};
            const auto in = small_ints(n, n);
            std::vector<int> want(n), got(n), counted(n);
            inclusive_scan(where, in, want);
            inclusive_scan(where, in, got, adds_once{});
            EXPECT_EQ(got, want);
            inclusive_scan(where, in, got, adds_once{}, 5);
            for (int& x : got) x -= 5;
            EXPECT_EQ(got, want);
            exclusive_scan(where, in, want, 3);
            int calls = 0;  // a lambda whose operator() is not const
            exclusive_scan(where, in, got, 3,
                           [calls](int a, int b) mutable { return a + b + calls++; });
            EXPECT_EQ(got, want);
            exclusive_scan_by_key(where, in, in, want, 3);
            exclusive_scan_by_key(where, in, in, got, 3, adds_once{}, is_equal_once{});
            EXPECT_EQ(got, want);
            inclusive_scan_by_key(where, in, in, want);
            inclusive_scan_by_key(where, in, in, got, adds_once{}, is_equal_once{});
            EXPECT_EQ(got, want);
            const axis_extents rows{n, 1, 1};
            inclusive_scan(where, in, rows, got, adds_once{});
            EXPECT_EQ(got, in);
            inclusive_segmented_scan(where, in, head_flags{in.begin()}, want);
            inclusive_segmented_scan(where, in, head_flags{in.begin()}, got, adds_once{});
            EXPECT_EQ(got, want);

            std::fill(want.begin(), want.end(), 77);
            std::fill(got.begin(), got.end(), 77);
            const auto positive = [](int x) { return x > 0; };
            EXPECT_EQ(select_if(where, in, got, is_positive_once{}),
                      select_if(where, in, want, positive));
            EXPECT_EQ(got, want);
            EXPECT_EQ(partition_if(where, in, got, is_positive_once{}),
                      partition_if(where, in, want, positive));
            EXPECT_EQ(got, want);
            EXPECT_EQ(unique(where, in, got, is_equal_once{}), unique(where, in, want));
            EXPECT_EQ(got, want);
            std::vector<int> lengths(n), want_lengths(n);
            EXPECT_EQ(run_length_encode(where, in, got, lengths, is_equal_once{}),
                      run_length_encode(where, in, want, want_lengths));
            EXPECT_EQ(lengths, want_lengths);
            EXPECT_EQ(reduce_by_key(where, in, in, got, lengths, adds_once{}, is_equal_once{}),
                      reduce_by_key(where, in, in, want, want_lengths));
            EXPECT_EQ(lengths, want_lengths);
        }
    }
}

TEST(OutputsThatAreOnlyWritten, TakeResults) {
    for (const std::size_t n : call_sizes) {
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(std::to_string(n) + " items, threads " + std::to_string(threads));
            const cpu where{threads};
            const auto in = small_ints(n, n + 1);
            const auto begin = in.begin(), end = in.end();
            const auto positive = [](int x) { return x > 0; };
            std::vector<int> scan(n), kept(n), rest(n), firsts(n), lengths(n), sums(n), got(n);
            inclusive_scan(where, in, scan);
            expect_written(scan, [&](auto out) { inclusive_scan(where, begin, end, out); });
            exclusive_scan_by_key(where, in, in, scan, 1);
            expect_written(
                scan, [&](auto out) { exclusive_scan_by_key(where, begin, end, begin, out, 1); });
            const std::size_t n_kept = partition_if(where, in, kept, rest, positive);
            kept.resize(n_kept);
            rest.resize(n - n_kept);
            expect_written(kept, [&](auto out) { select_if(where, begin, end, out, positive); });
            expect_written(rest, [&](auto out) {
                partition_if(where, begin, end, got.begin(), out, positive);
            });
            const std::size_t runs = run_length_encode(where, in, firsts, lengths);
            reduce_by_key(where, in, in, got, sums);
            for (auto* results : {&firsts, &lengths, &sums}) results->resize(runs);
            expect_written(firsts, [&](auto out) { unique(where, begin, end, out); });
            expect_written(firsts, [&](auto out) {
                unique_by_key(where, begin, end, begin, out, got.begin());
            });
            expect_written(
                lengths, [&](auto out) { run_length_encode(where, begin, end, got.begin(), out); });
            expect_written(
                sums, [&](auto out) { reduce_by_key(where, begin, end, begin, got.begin(), out); });
            const std::size_t longer =
                nontrivial_runs(where, begin, end, got.begin(), sums.begin());
            sums.resize(longer);
            expect_written(sums,
                           [&](auto out) { nontrivial_runs(where, begin, end, got.begin(), out); });
        }
    }
}

TEST(IteratorsThatCannotBeAssigned, AreRead) {
    for (const std::size_t n : call_sizes) {
        const int factor = static_cast<int>(n % 7) + 2;
        const auto f = [factor](std::ptrdiff_t i) { return static_cast<int>(i % 5) * factor; };
        const computed<decltype(f)> first{f};
        const auto last = first + static_cast<std::ptrdiff_t>(n);
        static_assert(!std::random_access_iterator<computed<decltype(f)>>);
        std::vector<int> in(n), want(n), got(n);
        for (std::size_t i = 0; i < n; ++i) in[i] = f(static_cast<std::ptrdiff_t>(i));
        inclusive_scan(in, want);
        EXPECT_EQ(inclusive_scan(first, last, got.begin()), got.end());
        EXPECT_EQ(got, want);
        exclusive_scan(in, want, 3);
        exclusive_scan(first, last, got.begin(), 3);
        EXPECT_EQ(got, want);
        inclusive_scan_by_key(in, in, want);
        inclusive_scan_by_key(first, last, first, got.begin());
        EXPECT_EQ(got, want);
        inclusive_segmented_scan(in, head_flags{in.begin()}, want);
        inclusive_segmented_scan(first, last, head_flags{first}, got.begin());
        EXPECT_EQ(got, want);
        const auto odd = [](int x) { return x % 2 != 0; };
        EXPECT_EQ(select_if(first, last, got.begin(), odd), select_if(in, want, odd));
        EXPECT_EQ(unique(first, last, got.begin()), unique(in, want));
        EXPECT_EQ(got, want);
        EXPECT_EQ(select_flagged(first, last, first, got.begin()), select_flagged(in, in, want));
        EXPECT_EQ(got, want);
    }
}

// An operator template whose result type is deduced. So its result type can only be asked for with
// arguments that it takes.
struct point {
    int x;
    explicit point(int x_) : x(x_) {}
    point() = default;
};
struct adds_points {
    template <class T>
    auto operator()(const T& a, const T& b) const {
        return T(a.x + b.x);
    }
};
TEST(OperatorsThatDeduceTheirResult, AreAskedForItOfAccumulatorsOnly) {
    const auto in = small_ints(1000, 4);
    std::vector<int> sums(in.size());
    std::vector<point> got(in.size());
    const point init(9);
    const value_at<point> there{&init};
    exclusive_scan(in, sums, 9);
    const auto check = [&] {
        for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(got[i].x, sums[i]);
    };
    exclusive_scan(in, got, there, adds_points{});
    check();
    exclusive_scan(cpu{1}, in.begin(), in.end(), got.begin(), there, adds_points{});
    check();
    exclusive_scan_by_key(in, in, sums, 9);
    exclusive_scan_by_key(in, in, got, there, adds_points{});
    check();
    inclusive_scan_by_key(in, in, sums, 9);
    inclusive_scan_by_key(in, in, got, there, adds_points{});
    check();
    inclusive_scan(in, sums, plus<>{}, 9);
    inclusive_scan(in, got, adds_points{}, there);
    check();
}

}  // namespace lookback::test
