// A running sum by oneTBB and by lookback. docs/coming_from.md quotes both; the program compares
// their results.
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <lookback/lookback.hpp>
#include <vector>

int main() {
    const std::vector<std::int64_t> in(1'000'000, 3);
    std::vector<std::int64_t> by_tbb(in.size()), out(in.size());

    // [onetbb]
    tbb::parallel_scan(
        tbb::blocked_range<std::size_t>(0, in.size()), std::int64_t{0},
        [&](const tbb::blocked_range<std::size_t>& range, std::int64_t sum, bool is_final) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
                sum += in[i];
                if (is_final) by_tbb[i] = sum;
            }
            return sum;
        },
        std::plus<>{});
    // [/onetbb]
    // [lookback]
    lookback::inclusive_scan(in, out);
    // [/lookback]
    std::printf("%s\n", out == by_tbb ? "equal" : "not equal");
    return out == by_tbb ? 0 : 1;
}
