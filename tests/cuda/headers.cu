// A CUDA program may include the library and scan on the CPU.
#include <vector>

#include "lookback/lookback.hpp"

void scan(const std::vector<int>& in, std::vector<int>& out) { lookback::inclusive_scan(in, out); }
