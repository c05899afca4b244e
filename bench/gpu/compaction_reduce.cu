#include <thrust/reduce.h>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/runs.hpp"

namespace lookback::bench {
namespace {

contest reduce_contest(session& s, std::uint64_t n, int mean) {
    fill_keys(s, n, mean);
    fill_values(s, n);
    word* const keys = words(s, items_at);
    auto* const values = static_cast<float*>(s.array(values_at));
    word* const keys_out = words(s, out_at);
    auto* const sums = static_cast<float*>(s.array(second_out_at));
    std::uint64_t* const count = counts_at(s);
    const auto ours = [=, &s](word* keys_to, float* sums_to) {
        reduce_by_key(s.gpu(), keys, keys + n, values, keys_to, sums_to,
                      count_to<std::uint64_t>{count});
    };

    contest one;
    one.read_bytes = n * (sizeof(word) + sizeof(float));
    one.counts = 1;
    one.lengths = [](const compaction_counts& c) { return std::vector{c[0], c[0]}; };
    one.all = {
        {{"ours", [=] { ours(keys_out, sums); }}},
        cub_contestant(s,
                       [=, &s](void* memory, std::size_t& bytes) {
                           return cub::DeviceReduce::ReduceByKey(
                               memory, bytes, keys, keys_out, values, sums, count,
                               ::cuda::std::plus<>{}, static_cast<int>(n), s.stream());
                       }),
        thrust_contestant(s, [=](const auto& policy) {
            return thrust::reduce_by_key(policy, keys, keys + n, values, keys_out, sums).first -
                   keys_out;
        })};
    if (mean == 500) {
        one.in_place = in_place_call{[=] { ours(keys, values); }, {items_at, values_at}};
    }
    return one;
}

}  // namespace

void measure_reduce_by_key(session& s, const observer& tell) {
    measure_runs(s, tell, "reduce_by_key", reduce_contest);
}

}  // namespace lookback::bench
