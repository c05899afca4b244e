#include <thrust/copy.h>

#include <cub/device/device_select.cuh>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/select.hpp"

namespace lookback::bench {
namespace {

struct is_set {
    __host__ __device__ bool operator()(std::uint8_t flag) const { return flag != 0; }
};

contest flagged_contest(session& s, std::uint64_t n) {
    fill_items(s, n);
    fill_flags(s, n);
    const word* const in = words(s, items_at);
    const auto* const flags = static_cast<const std::uint8_t*>(s.array(values_at));
    word* const out = words(s, out_at);
    std::uint64_t* const count = counts_at(s);

    contest one;
    one.read_bytes = n * (sizeof(word) + sizeof(std::uint8_t));
    one.counts = 1;
    one.lengths = [](const compaction_counts& c) { return std::vector{c[0]}; };
    one.all = {
        {{"ours",
          [=, &s] {
              select_flagged(s.gpu(), in, in + n, flags, out, count_to<std::uint64_t>{count});
          }}},
        cub_contestant(s,
                       [=, &s](void* memory, std::size_t& bytes) {
                           return cub::DeviceSelect::Flagged(memory, bytes, in, flags, out, count,
                                                             static_cast<std::int64_t>(n),
                                                             s.stream());
                       }),
        thrust_contestant(s, [=](const auto& policy) {
            return thrust::copy_if(policy, in, in + n, flags, out, is_set{}) - out;
        })};
    return one;
}

}  // namespace

void measure_select_flagged(session& s, const observer& tell) {
    measure(s, tell, "select_flagged", keep_text(50),
            [&](std::uint64_t n) { return flagged_contest(s, n); });
}

}  // namespace lookback::bench
