// A program that is compiled with the thread sanitizer, and a library that is not. The sanitizer
// must see in the headers how threads synchronise; otherwise it reports races.
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "lookback/lookback.hpp"

int main() {
    const std::size_t n = 1 << 18;
    const lookback::cpu where{.threads = 4};
    for (int round = 0; round < 20; ++round) {
        // This thread writes these arrays before each call and reads them after it. Their memory
        // may be the same in several rounds, or not.
        std::vector<int> in(n), keys(n), out(n), out_values(n);
        std::vector<std::size_t> lengths(n);
        std::iota(in.begin(), in.end(), round);
        for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<int>(i / 5);
        const auto add = [round](int a, int b) { return a + b + 0 * round; };
        const auto is_odd = [&in](int x) { return (x - in[0]) % 2 == 0; };

        lookback::inclusive_scan(where, in, out);
        lookback::inclusive_scan(where, in, out, add);
        lookback::exclusive_scan(where, in, lookback::axis_extents{1, n / 64, 64}, out, 0, add);
        lookback::inclusive_scan(where, in, lookback::axis_extents{n / 64, 64, 1}, out, add);
        lookback::inclusive_scan_by_key(where, keys, in, out);
        lookback::inclusive_scan_by_key(where, keys, in, out, add);
        std::size_t found = lookback::select_if(where, in, out, is_odd);
        found += lookback::unique(where, keys, out);
        found += lookback::partition_if(where, in, out, is_odd);
        found += lookback::run_length_encode(where, keys, out, lengths);
        found += lookback::nontrivial_runs(where, keys, out, lengths);
        found += lookback::reduce_by_key(where, keys, in, out, out_values);
        found += lookback::reduce_by_key(where, keys, in, out, out_values, add);
        long long sum = std::accumulate(out_values.begin(), out_values.end(), 0LL);
        for (std::size_t i = 0; i < n; ++i) in[i] = out[i] += static_cast<int>(lengths[i]);
        if (sum == 0 || found == 0) return std::puts("nothing was found"), 1;
        try {
            lookback::inclusive_scan(where, keys, out, [](int a, int b) {
                if (b == 7777) throw b;
                return a + b;
            });
            return std::puts("no exception"), 1;
        } catch (int) {
        }
    }
}
