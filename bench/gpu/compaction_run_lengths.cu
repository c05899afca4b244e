#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

#include <cub/device/device_run_length_encode.cuh>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/runs.hpp"

namespace lookback::bench {
namespace {

contest run_lengths_contest(session& s, std::uint64_t n, int mean) {
    fill_keys(s, n, mean);
    const word* const in = words(s, items_at);
    word* const values = words(s, out_at);
    word* const lengths = words(s, second_out_at);
    std::uint64_t* const count = counts_at(s);

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 1;
    one.lengths = [](const compaction_counts& c) { return std::vector{c[0], c[0]}; };
    one.all = {{{"ours",
                 [=, &s] {
                     run_length_encode(s.gpu(), in, in + n, values, lengths,
                                       count_to<std::uint64_t>{count});
                 }}},
               cub_contestant(s,
                              [=, &s](void* memory, std::size_t& bytes) {
                                  return cub::DeviceRunLengthEncode::Encode(
                                      memory, bytes, in, values, lengths, count,
                                      static_cast<int>(n), s.stream());
                              }),
               thrust_contestant(s, [=](const auto& policy) {
                   const thrust::constant_iterator<word> ones(1);
                   return thrust::reduce_by_key(policy, in, in + n, ones, values, lengths).first -
                          values;
               })};
    return one;
}

}  // namespace

void measure_run_length_encode(session& s, const observer& tell) {
    measure_runs(s, tell, "run_length_encode", run_lengths_contest);
}

}  // namespace lookback::bench
