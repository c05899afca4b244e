// Scans of a vector: sums, a running maximum, offsets, from the back.
#include <cstdio>
#include <lookback/lookback.hpp>
#include <vector>

int main() {
    const std::vector<int> in = {3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> out(in.size());

    lookback::inclusive_scan(in, out);                               // 3 4 11 11 15 16 22 25
    lookback::exclusive_scan(in, out, 0);                            // 0 3 4 11 11 15 16 22
    lookback::inclusive_scan(in, out, lookback::maximum{});          // 3 3 7 7 7 7 7 7
    lookback::inclusive_scan(in.rbegin(), in.rend(), out.rbegin());  // 25 22 21 14 14 10 9 3
    for (const int x : out) std::printf("%d ", x);
    std::printf("\n");
}
