// Uses something from each compiled part of the library.
#include <lookback/lookback.hpp>
#include <stdexcept>
#include <vector>

int main() {
    const std::vector<int> in(1000000, 1);
    std::vector<int> out(in.size()), sums(in.size());
    lookback::inclusive_scan(in, out);
    if (out.back() != 1000000) return 1;
    lookback::inclusive_scan_by_key(in, in, out);
    if (out.back() != 1000000) return 2;
    if (lookback::reduce_by_key(in, in, out, sums) != 1 || sums[0] != 1000000) return 3;
    if (lookback::select_if(in, out, [](int x) { return x == 1; }) != in.size()) return 4;
    try {
        lookback::inclusive_scan(in, out, [](int a, int b) {
            if (a == 1000) throw std::runtime_error("passed on");
            return a + b;
        });
    } catch (const std::runtime_error&) {
        return 0;
    }
    return 5;
}
