#include <lookback/lookback.hpp>
#include <vector>

int main() {
    const std::vector<int> in(1000000, 1);
    std::vector<int> out(in.size());
    lookback::inclusive_scan(in, out);
    return out.back() == 1000000 ? 0 : 1;
}
