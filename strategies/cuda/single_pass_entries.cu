#include "entries.cuh"
#include "strategies.cuh"

namespace lookback::strategies {

cuda_entries single_pass_entries() {
    cuda_entries all;
    for_each_single_pass([&](auto s) { all.push_back(entry_of<scan_call>(s)); });
    return all;
}

}  // namespace lookback::strategies
