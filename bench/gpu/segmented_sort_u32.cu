#include "segmented_sort_measure.cuh"

namespace lookback::bench {

void measure_segments_u32(session& s, const observer& tell) {
    measure_segments<std::uint32_t>(s, tell, "u32",
                                    segments_of({1, 2, 4, 8, 16, 30, 64, 65, 100, 200, 500, 1'000,
                                                 3'000, 10'000, 100'000, 1'000'000, 30'000'000}) +
                                        std::vector{mixed_segments(), skewed_segments()} +
                                        ragged_segments());
}

}  // namespace lookback::bench
