#include "measure.cuh"

namespace lookback::bench {

void measure_sum_f32(session& s, const observer& tell) { measure<sum<float>>(s, tell); }

}  // namespace lookback::bench
