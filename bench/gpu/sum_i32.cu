#include "measure.cuh"

namespace lookback::bench {

void measure_sum_i32(session& s, const observer& tell) { measure<sum<std::int32_t>>(s, tell); }

}  // namespace lookback::bench
