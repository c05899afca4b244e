// Must not compile: the operator takes one argument. `ok` is the same program without the mistake.
#include <vector>

#include "lookback/lookback.hpp"

int main() {
    const std::vector<int> in(3);
    std::vector<int> out(3);
#ifdef OK
    lookback::inclusive_scan(
        lookback::cpu{}, in.begin(), in.end(), out.begin(), [](int a, int b) { return a + b; }, 0);
#else
    lookback::inclusive_scan(
        lookback::cpu{}, in.begin(), in.end(), out.begin(), [](int a) { return a; }, 0);
#endif
}
