#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_u64(session& s, const observer& tell) {
    measure_sort<std::uint64_t>(s, tell, "u64",
                                random_keys({10, 16, 20, 24, 28, 30}) + other_keys({20, 28}));
}

}  // namespace lookback::bench
