#include <thrust/copy.h>

#include <cub/device/device_select.cuh>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/select.hpp"

namespace lookback::bench {
namespace {

contest select_contest(session& s, std::uint64_t n, int percent) {
    fill_items(s, n);
    word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    std::uint64_t* const count = counts_at(s);
    const below pred = keep_percent(percent);
    const auto ours = [=, &s](word* to) {
        select_if(s.gpu(), in, in + n, to, count_to<std::uint64_t>{count}, pred);
    };

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 1;
    one.lengths = [](const compaction_counts& c) { return std::vector{c[0]}; };
    one.all = {{{"ours", [=] { ours(out); }}},
               cub_contestant(s,
                              [=, &s](void* memory, std::size_t& bytes) {
                                  return cub::DeviceSelect::If(memory, bytes, in, out, count,
                                                               static_cast<std::int64_t>(n), pred,
                                                               s.stream());
                              }),
               thrust_contestant(s, [=](const auto& policy) {
                   return thrust::copy_if(policy, in, in + n, out, pred) - out;
               })};
    if (percent == 50) one.in_place = in_place_call{[=] { ours(in); }, {items_at}};
    return one;
}

}  // namespace

void measure_select_if(session& s, const observer& tell) {
    measure_percents(s, tell, "select_if", select_contest);
}

}  // namespace lookback::bench
