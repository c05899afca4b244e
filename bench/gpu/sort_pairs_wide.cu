#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_pairs_wide(session& s, const observer& tell) {
    measure_sort<std::uint32_t, wide_value>(s, tell, "u32+16 bytes", random_keys({16, 20, 24, 28}));
}

}  // namespace lookback::bench
