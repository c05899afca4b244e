#include "entries.cuh"

namespace lookback::strategies {

std::vector<cuda_entry> multi_pass_entries() {
    std::vector<cuda_entry> all;
    for_each_multi_pass([&](auto s) { all.push_back(entry_of(s)); });
    return all;
}

}  // namespace lookback::strategies
