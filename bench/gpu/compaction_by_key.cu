#include <thrust/scan.h>

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/segmented.hpp"

namespace lookback::bench {
namespace {

contest by_key_contest(session& s, std::uint64_t n, int mean) {
    fill_keys(s, n, mean);
    fill_values(s, n);
    const word* const keys = words(s, items_at);
    const auto* const values = static_cast<const float*>(s.array(values_at));
    auto* const sums = static_cast<float*>(s.array(out_at));

    contest one;
    one.read_bytes = n * (sizeof(word) + sizeof(float));
    one.lengths = [=](const compaction_counts&) { return std::vector{n}; };
    one.all = {
        {{"ours", [=, &s] { inclusive_scan_by_key(s.gpu(), keys, keys + n, values, sums); }}},
        cub_contestant(s,
                       [=, &s](void* memory, std::size_t& bytes) {
                           return cub::DeviceScan::InclusiveSumByKey(
                               memory, bytes, keys, values, sums, static_cast<std::uint32_t>(n),
                               ::cuda::std::equal_to<>{}, s.stream());
                       }),
        {{"thrust", [=, &s] {
              thrust_memory memory(s);
              thrust::inclusive_scan_by_key(thrust::cuda::par_nosync(memory).on(s.stream()), keys,
                                            keys + n, values, sums);
          }}}};
    return one;
}

}  // namespace

void measure_scan_by_key(session& s, const observer& tell) {
    measure_runs(s, tell, "inclusive_scan_by_key", by_key_contest);
}

}  // namespace lookback::bench
