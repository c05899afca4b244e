#include "entries.cuh"
#include "sorts.cuh"

namespace lookback::strategies {

cuda_sort_entries sort_entries() {
    cuda_sort_entries all;
    for_each_sort([&](auto s) { all.push_back(entry_of<sort_call>(s)); });
    return all;
}

}  // namespace lookback::strategies
