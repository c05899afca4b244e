#include "measure.cuh"

namespace lookback::bench {

void measure_sum_u8(session& s, const observer& tell) { measure<sum<std::uint8_t>>(s, tell); }

}  // namespace lookback::bench
