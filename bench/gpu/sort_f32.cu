#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_f32(session& s, const observer& tell) {
    measure_sort<float>(s, tell, "f32", random_keys({10, 16, 20, 24, 28, 30}) + other_keys({28}));
}

}  // namespace lookback::bench
