// Outputs that CUB takes, too: outputs of Thrust and libcu++ that can only be written.
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>

#if __has_include(<cuda/iterator>)
#include <cuda/iterator>
#endif

#include "lookback/lookback.hpp"
#include "support/on_gpu.hpp"
#include "support/plain_loops.hpp"

namespace lookback::test {

// Where written items go: item i of an array, increased by 1000.
struct write_shifted {
    int* to;
    template <class T>
    LOOKBACK_HD void operator()(std::ptrdiff_t i, const T& x) const {
        to[i] = static_cast<int>(x) + 1000;
    }
};
std::vector<int> shifted(std::vector<int> values) {
    for (int& x : values) x += 1000;
    return values;
}

// `discard` drops what is written; `shifting(p)` writes it to p, increased by 1000.
template <class Discard, class Shifting>
void check_written(const Discard& discard, const Shifting& shifting) {
    for (const std::size_t n : sizes_of_calls()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto in = plain::short_runs(n);
        on_gpu on(in);
        device_array<int> more(n);
        const auto want = plain::runs_of(in);
        const std::size_t runs = want.firsts.size();

        run_length_encode(on.gpu, on.begin(), on.end(), on.out.data(), discard, on.count());
        EXPECT_EQ(on.found(), static_cast<int>(runs));
        EXPECT_EQ(on.first_of(on.out, runs), want.firsts);
        run_length_encode(on.gpu, on.begin(), on.end(), discard, shifting(more.data()), on.count());
        EXPECT_EQ(on.first_of(more, runs), shifted(want.lengths));
        unique_by_key(on.gpu, on.begin(), on.end(), on.begin(), shifting(on.out.data()), discard,
                      on.count());
        EXPECT_EQ(on.first_of(on.out, runs), shifted(want.firsts));
        reduce_by_key(on.gpu, on.begin(), on.end(), on.begin(), discard, shifting(more.data()),
                      on.count());
        EXPECT_EQ(on.first_of(more, runs), shifted(want.sums));

        const std::size_t longer = want.lengths_of_two.size();
        nontrivial_runs(on.gpu, on.begin(), on.end(), discard, shifting(more.data()), on.count());
        EXPECT_EQ(on.found(), static_cast<int>(longer));
        EXPECT_EQ(on.first_of(more, longer), shifted(want.lengths_of_two));

        const auto parts = plain::partition(in, is_positive{});
        const std::size_t kept = parts.kept.size();
        partition_if(on.gpu, on.begin(), on.end(), on.out.data(), discard, on.count(),
                     is_positive{});
        EXPECT_EQ(on.first_of(on.out, kept), parts.kept);
        partition_if(on.gpu, on.begin(), on.end(), shifting(on.out.data()), shifting(more.data()),
                     on.count(), is_positive{});
        EXPECT_EQ(on.found(), static_cast<int>(kept));
        EXPECT_EQ(on.first_of(on.out, kept), shifted(parts.kept));
        EXPECT_EQ(on.first_of(more, n - kept), shifted(parts.rest));

        inclusive_scan(on.gpu, on.begin(), on.end(), discard);
        inclusive_scan(on.gpu, on.begin(), on.end(), shifting(more.data()));
        EXPECT_EQ(more.get(), shifted(plain::inclusive_scan(in)));
        inclusive_scan_by_key(on.gpu, on.begin(), on.end(), on.begin(), shifting(more.data()));
        EXPECT_EQ(more.get(), shifted(plain::inclusive_scan_by_key(in, in)));
    }
}

TEST(OutputsThatAreOnlyWritten, OfThrust) {
    check_written(thrust::make_discard_iterator(),
                  [](int* to) { return thrust::make_tabulate_output_iterator(write_shifted{to}); });
}
#if __has_include(<cuda/iterator>)
TEST(OutputsThatAreOnlyWritten, OfLibcuxx) {
    check_written(cuda::discard_iterator{},
                  [](int* to) { return cuda::make_tabulate_output_iterator(write_shifted{to}); });
}
#endif

}  // namespace lookback::test
