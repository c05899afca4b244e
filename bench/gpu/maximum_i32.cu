#include "measure.cuh"

namespace lookback::bench {

void measure_maximum_i32(session& s, const observer& tell) {
    measure<running_maximum<std::int32_t>>(s, tell);
}

}  // namespace lookback::bench
