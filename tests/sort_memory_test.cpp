// The memory that sorts allocate on the CPU, measured, and what sort_scratch_bytes says of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"
#include "support/values.hpp"

namespace {

// What is allocated: large pieces, of which there are few at a time. Smaller ones do not count.
class pieces {
    struct piece {
        void* at;
        std::size_t bytes;
    };

 public:
    static constexpr std::size_t large = 4096;

    void add(void* at, std::size_t bytes) {
        const std::lock_guard<std::mutex> alone(lock_);
        for (piece& p : all_) {
            if (p.at != nullptr) continue;
            p = {at, bytes};
            held_ += bytes;
            most_ = std::max(most_, held_);
            return;
        }
        std::abort();
    }
    void remove(void* at) {
        const std::lock_guard<std::mutex> alone(lock_);
        for (piece& p : all_) {
            if (p.at != at) continue;
            held_ -= p.bytes;
            p.at = nullptr;
            return;
        }
    }
    /// The most bytes that a call holds at once, besides those that were held before.
    template <class Call>
    std::size_t held_by(const Call& call) {
        lookback::release_scratch();
        return held_more_by(call);
    }
    /// The same, with the memory that earlier calls have left.
    template <class Call>
    std::size_t held_more_by(const Call& call) {
        const std::size_t before = held_;
        most_ = held_;
        call();
        return most_ - before;
    }

 private:
    std::mutex lock_;
    std::size_t held_ = 0, most_ = 0;
    piece all_[1000] = {};
};
constinit pieces allocated;

void* note(void* at, std::size_t bytes) {
    if (at == nullptr) throw std::bad_alloc();
    if (bytes >= pieces::large) allocated.add(at, bytes);
    return at;
}
void give_back(void* at) {
    if (at == nullptr) return;
    allocated.remove(at);
    std::free(at);
}

}  // namespace

void* operator new(std::size_t bytes) { return note(std::malloc(bytes), bytes); }
void* operator new(std::size_t bytes, std::align_val_t align) {
    const auto a = static_cast<std::size_t>(align);
    return note(std::aligned_alloc(a, (bytes + a - 1) / a * a), bytes);
}
void operator delete(void* at) noexcept { give_back(at); }
void operator delete(void* at, std::size_t) noexcept { give_back(at); }
void operator delete(void* at, std::align_val_t) noexcept { give_back(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { give_back(at); }

namespace lookback::test {
namespace {

const cpu where{2};
constexpr std::size_t n = std::size_t{1} << 22;
// The part of the sizes that does not depend on the number of items.
constexpr std::size_t for_threads = std::size_t{14} << 20;
// The gaps behind buckets, in items.
constexpr std::size_t gaps = n / 16;

/// Expects that a call allocates `each` bytes for each item, all but `without_gaps` of them in
/// arrays with gaps, and at most the size `said` in all.
template <class Call>
void expect(std::size_t each, std::size_t said, const Call& call, std::size_t without_gaps = 0) {
    EXPECT_EQ(said, n * each + gaps * (each - without_gaps) + for_threads);
    const std::size_t found = allocated.held_by(call);
    EXPECT_LE(found, said);
    EXPECT_GE(found, n * each);
}

TEST(SortMemory, OfKeys) {
    const auto in = random_values<float>(n, 1);
    std::vector<float> out(n);
    const std::size_t one = sort_scratch_bytes<float>(where, n);
    expect(4, one, [&] { sort_keys(where, in, out); });
    // An output that is no array takes an array of keys more.
    expect(
        8, one + n * 4, [&] { sort_keys(where, in.begin(), in.end(), out.rbegin()); }, 4);
    // By a function of the items.
    expect(12, sort_order_scratch_bytes<float, float>(where, n),
           [&] { sort_keys(where, in, out, [](float x) { return -x; }); });
    const auto bytes = random_values<std::uint8_t>(n, 1);
    std::vector<std::uint8_t> bytes_out(n);
    EXPECT_LE(allocated.held_by([&] { sort_keys(where, bytes, bytes_out); }), n / 2);
}

TEST(SortMemory, OfTheNextCall) {
    const auto in = random_values<float>(n, 1);
    std::vector<float> out(n), few(n / 2);
    const auto sort = [&] { sort_keys(where, in.begin(), in.end(), out.rbegin()); };
    const std::size_t first = allocated.held_by(sort);
    EXPECT_GE(first, n * 8);
    const std::size_t less_than_an_array = n * 2;
    EXPECT_LE(allocated.held_more_by(sort), less_than_an_array);
    EXPECT_LE(allocated.held_more_by(
                  [&] { sort_keys(where, in.data(), in.data() + n / 2, few.rbegin()); }),
              less_than_an_array);
    EXPECT_GE(allocated.held_by(sort), n * 8);
}

TEST(SortMemory, OfPairs) {
    const auto in = random_values<float>(n, 1);
    std::vector<float> out(n);
    std::vector<double> values(n), falling(n);
    expect(12, sort_scratch_bytes<float, double>(where, n),
           [&] { sort_pairs(where, in, values, out, values); });
    // Positions travel instead of values for an output that is no array, and of values that cannot.
    expect(
        12, sort_scratch_bytes<float>(where, n) + n * 8,
        [&] {
            sort_pairs(where, in.begin(), in.end(), values.begin(), out.begin(), falling.rbegin());
        },
        8);
    std::vector<std::string> names(n);
    expect(12, sort_scratch_bytes<float, std::string>(where, n),
           [&] { sort_pairs(where, in, names, out, names); });
}

TEST(SortMemory, OfOrders) {
    const auto in = random_values<float>(n, 1);
    std::vector<unsigned> order(n);
    expect(12, sort_order_scratch_bytes<float, unsigned>(where, n),
           [&] { sort_order(where, in, order); });
    std::vector<std::uint64_t> wide(n);
    expect(16, sort_order_scratch_bytes<float, std::uint64_t>(where, n),
           [&] { sort_order(where, in, wide); });
    // Four large arrays, each rounded up, and buckets of equal keys.
    std::vector<std::uint8_t> few_values(2 * n + 1);
    for (std::size_t i = 0; i < few_values.size(); ++i) few_values[i] = i * 7 % 16;
    std::vector<std::uint64_t> its_order(few_values.size());
    EXPECT_LE(allocated.held_by([&] { sort_order(cpu{1}, few_values, its_order); }),
              (sort_order_scratch_bytes<std::uint8_t, std::uint64_t>(cpu{1}, few_values.size())));
}

TEST(SortMemory, OfSegments) {
    const auto in = random_values<float>(n, 1);
    std::vector<float> out(n);
    std::vector<unsigned> order(n);
    const std::size_t offsets[] = {0, n / 3, n / 2, n};
    const segment_offsets segments{std::begin(offsets), std::end(offsets)};
    expect(4, segmented_sort_scratch_bytes<float>(where, n),
           [&] { segmented_sort_keys(where, in, segments, out); });
    expect(12, segmented_sort_order_scratch_bytes<float, unsigned>(where, n),
           [&] { segmented_sort_order(where, in, segments, order); });
}

}  // namespace
}  // namespace lookback::test
