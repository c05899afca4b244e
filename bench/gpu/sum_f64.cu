#include "measure.cuh"

namespace lookback::bench {

void measure_sum_f64(session& s, const observer& tell) { measure<sum<double>>(s, tell); }

}  // namespace lookback::bench
