// y[i] = a[i] * y[i-1] + b[i] for all i at once: composing affine maps is associative, so the
// recurrence is a scan with an operator that does not commute.
#include <cstdio>
#include <lookback/lookback.hpp>
#include <vector>

int main() {
    // A balance that earns 0.001 % a step and receives 100.
    const std::vector<lookback::affine_map<double>> steps(1'000'000, {1.00001, 100});
    std::vector<lookback::affine_map<double>> balance(steps.size());
    const lookback::affine_map<double> start{1, 5000};
    lookback::inclusive_scan(lookback::cpu{}, steps, balance, lookback::affine{}, start);
    std::printf("after %zu steps: %.2f\n", balance.size(), balance.back().shift);
}
