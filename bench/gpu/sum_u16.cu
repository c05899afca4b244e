#include "measure.cuh"

namespace lookback::bench {

void measure_sum_u16(session& s, const observer& tell) { measure<sum<std::uint16_t>>(s, tell); }

}  // namespace lookback::bench
