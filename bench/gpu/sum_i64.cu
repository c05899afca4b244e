#include "measure.cuh"

namespace lookback::bench {

void measure_sum_i64(session& s, const observer& tell) { measure<sum<std::int64_t>>(s, tell); }

}  // namespace lookback::bench
