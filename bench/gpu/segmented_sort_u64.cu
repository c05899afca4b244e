#include "segmented_sort_measure.cuh"

namespace lookback::bench {

void measure_segments_u64(session& s, const observer& tell) {
    measure_segments<std::uint64_t>(
        s, tell, "u64",
        segments_of({1, 4, 16, 30, 100, 500, 1'000, 10'000, 1'000'000}) +
            std::vector{mixed_segments(), skewed_segments()});
}

}  // namespace lookback::bench
