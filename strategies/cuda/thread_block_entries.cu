#include "entries.cuh"
#include "strategies.cuh"

namespace lookback::strategies {

cuda_entries thread_block_entries() {
    cuda_entries all;
    for_each_thread_block([&](auto s) { all.push_back(entry_of<scan_call>(s)); });
    return all;
}

}  // namespace lookback::strategies
