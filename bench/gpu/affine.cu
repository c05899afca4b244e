#include "measure.cuh"

namespace lookback::bench {

void measure_affine(session& s, const observer& tell) { measure<recurrence>(s, tell); }

}  // namespace lookback::bench
