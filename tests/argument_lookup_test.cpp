// The user's functions may have the names of the library's functions, and lie in the namespace of
// the iterators and items that a call is given. The library must call none of them, and no call may
// become ambiguous.
#include <gtest/gtest.h>

#include <compare>
#include <cstddef>
#include <vector>

#include "lookback/lookback.hpp"

namespace user {

struct number {
    int value = 0;
    friend bool operator==(const number&, const number&) = default;
    friend number operator+(number a, number b) { return {a.value + b.value}; }
};

template <class T>
class iterator {
 public:
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
    using reference = T&;
    using pointer = T*;

    iterator() = default;
    explicit iterator(T* at) : at_(at) {}
    T& operator*() const { return *at_; }
    T& operator[](std::ptrdiff_t i) const { return at_[i]; }
    iterator& operator+=(std::ptrdiff_t i) { return at_ += i, *this; }
    iterator& operator-=(std::ptrdiff_t i) { return at_ -= i, *this; }
    iterator& operator++() { return ++at_, *this; }
    iterator& operator--() { return --at_, *this; }
    iterator operator++(int) { return iterator(at_++); }
    iterator operator--(int) { return iterator(at_--); }
    friend iterator operator+(iterator a, std::ptrdiff_t i) { return a += i; }
    friend iterator operator+(std::ptrdiff_t i, iterator a) { return a += i; }
    friend iterator operator-(iterator a, std::ptrdiff_t i) { return a -= i; }
    friend std::ptrdiff_t operator-(iterator a, iterator b) { return a.at_ - b.at_; }
    friend auto operator<=>(iterator a, iterator b) = default;

 private:
    T* at_ = nullptr;
};

// These have the library's names, but the user's types.
template <class T>
void item(const iterator<T>&, std::size_t) = delete;
template <class T, class U>
void put(const iterator<T>&, std::size_t, U&&) = delete;
template <class T, class Value>
void put_each(const iterator<T>&, std::size_t, std::size_t, bool, const Value&) = delete;
template <class T>
void prefetch_page_after(const iterator<T>&, std::size_t, std::size_t) = delete;
template <class T>
void ahead_in(const iterator<T>&, std::size_t) = delete;
template <class T>
void checked_count(const iterator<T>&, const iterator<T>&) = delete;
template <class T>
void check_not_null(const iterator<T>&, std::size_t, const char*) = delete;
template <class T>
void bytes_of(const iterator<T>&, std::size_t) = delete;
template <class T, class U>
void check_memory(const iterator<T>&, const iterator<U>&, std::size_t) = delete;
template <class T, class U>
void check_apart(const iterator<T>&, std::size_t, const char*, const iterator<U>&,
                 std::size_t) = delete;
template <class T, class U>
void check_written_apart(const iterator<T>&, std::size_t, const iterator<U>&, std::size_t) = delete;
template <class T, class U, class V>
void check_compacted(const iterator<T>&, const iterator<U>&, std::size_t, V) = delete;
template <class T, class U, class V>
void check_compacted(const iterator<T>&, const iterator<U>&, std::size_t, V, const char*) = delete;
template <class R>
void size_of(R&&) = delete;
template <class R>
void end_of(R&&) = delete;
template <class A, class B>
void check_room(A&&, B&&) = delete;
template <class A, class B>
void check_one_for_each(A&&, B&&, const char*) = delete;

template <class Problem>
void single_pass(const lookback::cpu&, const Problem&) = delete;
template <class Problem>
void tile_at(const Problem&, std::size_t) = delete;
template <class Problem>
void tile_count(const Problem&) = delete;
template <class A, class B, class C, class D, class E>
void look_back(A, B, const C&, const D&, E&&) = delete;
template <class Heads>
void find_heads(const Heads&, std::size_t, std::size_t, std::uint64_t*) = delete;
template <class Heads>
void last_head(const Heads&, std::size_t, std::size_t) = delete;
template <class Body>
void for_shares(const lookback::cpu&, std::size_t, std::size_t, const Body&) = delete;

template <class... A>
void sort(const lookback::cpu&, A&&...) = delete;
template <class T>
void plain(const iterator<T>&) = delete;
template <class... A>
void scan(const lookback::cpu&, A&&...) = delete;
template <class... A>
void scan_rows(const lookback::cpu&, A&&...) = delete;
template <class... A>
void select(const lookback::cpu&, A&&...) = delete;
template <class... A>
void write_runs(const lookback::cpu&, A&&...) = delete;
template <class... A>
void fold_runs(const lookback::cpu&, A&&...) = delete;
template <class... A>
void inclusive_scan(lookback::cpu, A&&...) = delete;
template <class... A>
void exclusive_scan(lookback::cpu, A&&...) = delete;
template <class... A>
void partition_if(lookback::cpu, A&&...) = delete;

}  // namespace user

namespace lookback::test {

// Large enough for several tiles and threads.
class ArgumentLookup : public testing::Test {
 protected:
    using iterator = user::iterator<user::number>;
    static constexpr std::size_t n = 100000;
    std::vector<user::number> in_ = std::vector<user::number>(n, {1}), out_{n}, paired_{n};
    cpu where_{4};
    iterator first_{in_.data()}, last_{in_.data() + n}, to_{out_.data()},
        to_paired_{paired_.data()};
    std::vector<int> flags_ = std::vector<int>(n, 1);
    user::iterator<int> flag_{flags_.data()};
};

TEST_F(ArgumentLookup, OfScans) {
    lookback::inclusive_scan(where_, first_, last_, to_, std::plus<>{});
    EXPECT_EQ(out_.back().value, 100000);
    lookback::exclusive_scan(where_, in_, out_, user::number{2}, std::plus<>{});
    EXPECT_EQ(out_.back().value, 100001);
    lookback::inclusive_scan(where_, first_, axis_extents{1, n / 2, 2}, to_, std::plus<>{});
    EXPECT_EQ(out_.back().value, 50000);
    lookback::inclusive_scan(where_, first_, axis_extents{2, n / 2, 1}, to_, std::plus<>{});
    EXPECT_EQ(out_.back().value, 50000);
    lookback::inclusive_scan_by_key(where_, first_, last_, first_, to_, std::plus<>{});
    EXPECT_EQ(out_.back().value, 100000);
    lookback::inclusive_segmented_scan(where_, first_, last_, head_flags{flag_}, to_,
                                       std::plus<>{});
    EXPECT_EQ(out_.back().value, 1);
    flags_ = {0, static_cast<int>(n)};
    lookback::inclusive_segmented_scan(
        where_, first_, last_,
        segment_offsets{user::iterator<int>(flags_.data()), user::iterator<int>(flags_.data() + 2)},
        to_, std::plus<>{});
    EXPECT_EQ(out_.back().value, 100000);
}

TEST_F(ArgumentLookup, OfTheOthers) {
    const auto one = [](const user::number& x) { return x.value == 1; };
    EXPECT_EQ(lookback::select_if(where_, first_, last_, to_, one), n);
    EXPECT_EQ(lookback::select_flagged(where_, first_, last_, flag_, to_), n);
    EXPECT_EQ(lookback::unique(where_, first_, last_, to_), 1u);
    EXPECT_EQ(lookback::unique_by_key(where_, first_, last_, first_, to_, to_paired_), 1u);
    EXPECT_EQ(lookback::partition_if(where_, first_, last_, to_, one), n);
    EXPECT_EQ(lookback::run_length_encode(where_, first_, last_, to_, flag_), 1u);
    EXPECT_EQ(flags_.front(), 100000);
    EXPECT_EQ(lookback::nontrivial_runs(where_, first_, last_, flag_, flag_ + 1), 1u);
    EXPECT_EQ(
        lookback::reduce_by_key(where_, first_, last_, first_, to_, to_paired_, std::plus<>{}), 1u);
    const auto falling = [](const user::number& x) { return -x.value; };
    in_.back().value = 2;
    lookback::sort_keys(where_, first_, last_, to_, falling);
    EXPECT_EQ(out_.front().value, 2);
    lookback::sort_order(where_, first_, last_, flag_, falling);
    EXPECT_EQ(flags_.front(), static_cast<int>(n) - 1);
    const std::vector<std::size_t> ends = {0, n - 2, n};
    const lookback::segment_offsets segments{ends.begin(), ends.end()};
    lookback::segmented_sort_keys(where_, first_, last_, segments, to_, falling);
    EXPECT_EQ(out_[n - 2].value, 2);
    lookback::segmented_sort_order(where_, first_, last_, segments, flag_, falling);
    EXPECT_EQ(flags_[n - 2], static_cast<int>(n) - 1);
    lookback::sort_pairs(where_, flag_, flag_ + static_cast<std::ptrdiff_t>(n), first_, flag_, to_);
    EXPECT_EQ(out_.front().value, 1);
    in_.back().value = 1;
    EXPECT_EQ(lookback::select_if(in_, out_, one), n);
    EXPECT_EQ(lookback::unique_by_key(in_, in_, out_, paired_), 1u);
}

}  // namespace lookback::test
