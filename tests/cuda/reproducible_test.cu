// Sums of floats that round: they have the same bits in every run, whatever the driver of large
// arrays, the number of blocks, their order, and the GPU's other work. Their error is at most what
// the tree allows.
#include <iterator>
#include <limits>
#include <string>

#include "support/check_scan.hpp"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

// A size for each driver, with a partial tile.
std::vector<std::uint64_t> sizes() {
    if (reduced()) return {20'001};
    return {1001, 150'001, 3'000'001, 20'000'013};
}

// An array of each size, the sums of a first run, and room for other sums.
template <class T>
class sums {
 public:
    explicit sums(std::uint64_t n) : n_(n), in_(n), first_(n), out_(n) {
        fill(stream_, in_.data(), n, rounding_items<T>{n});
        lookback::inclusive_scan(plain_, in_.data(), in_.data() + n, first_.data());
        // Room for every later scan: nothing may be allocated beside a hog.
        other_.template reserve<T>(100'000'000);
        stream_.wait();
    }

    lookback::gpu& other() { return other_; }
    T* first() { return first_.data(); }
    T* input() { return in_.data(); }
    const stream& on() const { return stream_; }

    /// Computes the sums again with `other`, and compares every bit with the first run.
    void again(const std::string& how) {
        check(cudaMemsetAsync(out_.data(), poison, n_ * sizeof(T), stream_), "poisoning");
        lookback::inclusive_scan(other_, in_.data(), in_.data() + n_, out_.data());
        same_.compare(out_.data(), first_.data(), n_ * sizeof(T));
        EXPECT_EQ(same_.result(sizeof(T)), "") << n_ << " items, " << how;
    }
    void again_in_place(const std::string& how) {
        check(cudaMemcpyAsync(out_.data(), in_.data(), n_ * sizeof(T), cudaMemcpyDeviceToDevice,
                              stream_),
              "copying");
        lookback::inclusive_scan(other_, out_.data(), out_.data() + n_, out_.data());
        same_.compare(out_.data(), first_.data(), n_ * sizeof(T));
        EXPECT_EQ(same_.result(sizeof(T)), "") << n_ << " items in place, " << how;
    }

 private:
    std::uint64_t n_;
    stream stream_;
    lookback::gpu plain_{stream_}, other_{stream_};
    inspector same_{stream_};
    device_array<T> in_, first_, out_;
};

template <class T>
class Reproducible : public ::testing::Test {};
using float_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Reproducible, float_types);

}  // namespace

TYPED_TEST(Reproducible, AHundredRuns) {
    for (const std::uint64_t n : sizes()) {
        sums<TypeParam> all(n);
        for (int run = 0; run < (reduced() ? 2 : 100); ++run) {
            all.again("run " + std::to_string(run));
            if (this->HasFailure()) return;
        }
        all.again_in_place("");
    }
}

TYPED_TEST(Reproducible, AnyNumberOfBlocksAndBothDriversOfLargeArrays) {
    for (const std::uint64_t n : {5'000'001, 20'000'013}) {
        if (reduced() && n > 6'000'000) return;
        sums<TypeParam> all(n);
        for (const bool bulk : {true, false}) {
            if (!bulk) access::use_pipeline(all.other(), false);
            for (const unsigned blocks : {0u, 1u, 2u, 7u, 131u}) {
                if (reduced() && blocks != 7) continue;
                access::limit_blocks(all.other(), blocks);
                const std::string how =
                    (bulk ? "" : "staged, ") + (blocks ? std::to_string(blocks) + " blocks" : "");
                all.again(how);
                all.again_in_place(how);
            }
        }
    }
}

TYPED_TEST(Reproducible, BlocksInTheWrongOrder) {
    const std::uint64_t most = std::rbegin(detail::device::light<TypeParam>)->most_items;
    for (const std::uint64_t n : {most / 10 + 1, most / 2 - 1, most - 1}) {
        if (reduced() && n > 200'000) return;
        sums<TypeParam> all(n);
        access::start_last_block_first(all.other(), true);
        for (int run = 0; run < (reduced() ? 1 : 20); ++run) {
            all.again("last block first");
            all.again_in_place("last block first");
        }
    }
}

TYPED_TEST(Reproducible, BesideAHog) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one kernel after the other";
    for (const std::uint64_t n : sizes()) {
        sums<TypeParam> all(n);
        all.again("alone");
        hog busy(3);
        for (int run = 0; run < 5; ++run) {
            all.again("beside a hog");
            all.again_in_place("beside a hog");
        }
        EXPECT_TRUE(busy.release()) << "the scans waited for the hog";
    }
}

// The error of a tree whose longest path has d operations is at most d * eps times the sum of the
// absolute values; eps is half a unit in the last place of 1. The longest path at these sizes goes
// through a chunk, the lanes, the warps, the tiles of a batch, and, for doubles, 245 batches.
TYPED_TEST(Reproducible, NearTheTruth) {
    using T = TypeParam;
    for (const std::uint64_t n : sizes()) {
        sums<T> all(n);
        std::vector<T> got(n);
        check(cudaMemcpy(got.data(), all.first(), n * sizeof(T), cudaMemcpyDeviceToHost),
              "reading the sums");
        const rounding_items<T> items{n};
        long double want = 0, absolute = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const long double item = items(i);
            want += item;
            absolute += item < 0 ? -item : item;
            const long double error = got[i] < want ? want - got[i] : got[i] - want;
            ASSERT_LE(error, 400 * (std::numeric_limits<T>::epsilon() / 2) * absolute)
                << "item " << i << " of " << n;
        }
    }
}

}  // namespace lookback::test
