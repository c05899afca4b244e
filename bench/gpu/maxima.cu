#include "measure.cuh"

namespace lookback::bench {

void measure_maxima(session& s, const observer& tell) {
    measure<running_maximum<std::int32_t>>(s, tell);
    measure<running_maximum<std::uint16_t>>(s, tell);
    measure<running_maximum<std::uint8_t>>(s, tell);
}

}  // namespace lookback::bench
