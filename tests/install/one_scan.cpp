// One scan of floats, to see how much of the library is linked into a program (program_size.cmake).
#include <lookback/lookback.hpp>
#include <vector>

int main() {
    const std::vector<float> in(1000, 1);
    std::vector<float> out(in.size());
    lookback::inclusive_scan(in, out);
    return out.back() == 1000 ? 0 : 1;
}
