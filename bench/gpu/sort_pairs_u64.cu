#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_pairs_u64(session& s, const observer& tell) {
    measure_sort<std::uint64_t, std::uint32_t>(s, tell, "u64+u32", random_keys({16, 20, 24, 28}));
}

}  // namespace lookback::bench
