#include "entries.cuh"

namespace lookback::strategies {

std::vector<cuda_entry> array_block_entries() {
    std::vector<cuda_entry> all;
    for_each_array_block([&](auto s) { all.push_back(entry_of(s)); });
    return all;
}

}  // namespace lookback::strategies
