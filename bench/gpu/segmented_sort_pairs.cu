#include "segmented_sort_measure.cuh"

namespace lookback::bench {

void measure_segments_pairs(session& s, const observer& tell) {
    measure_segments<std::uint32_t, std::uint32_t>(
        s, tell, "u32+u32",
        segments_of({1, 4, 16, 30, 64, 100, 500, 1'000, 10'000, 1'000'000}) +
            std::vector{mixed_segments(), skewed_segments()} + ragged_segments());
}

}  // namespace lookback::bench
