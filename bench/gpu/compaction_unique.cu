#include <thrust/unique.h>

#include <cub/device/device_select.cuh>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/select.hpp"

namespace lookback::bench {
namespace {

contest unique_contest(session& s, std::uint64_t n, int mean) {
    fill_keys(s, n, mean);
    word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    std::uint64_t* const count = counts_at(s);
    const auto ours = [=, &s](word* to) {
        unique(s.gpu(), in, in + n, to, count_to<std::uint64_t>{count});
    };

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 1;
    one.lengths = [](const compaction_counts& c) { return std::vector{c[0]}; };
    one.all = {{{"ours", [=] { ours(out); }}},
               cub_contestant(s,
                              [=, &s](void* memory, std::size_t& bytes) {
                                  return cub::DeviceSelect::Unique(memory, bytes, in, out, count,
                                                                   static_cast<std::int64_t>(n),
                                                                   s.stream());
                              }),
               thrust_contestant(s, [=](const auto& policy) {
                   return thrust::unique_copy(policy, in, in + n, out) - out;
               })};
    if (mean == 500) one.in_place = in_place_call{[=] { ours(in); }, {items_at}};
    return one;
}

}  // namespace

void measure_unique(session& s, const observer& tell) {
    measure_runs(s, tell, "unique", unique_contest);
}

}  // namespace lookback::bench
