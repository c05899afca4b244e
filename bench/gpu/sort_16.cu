#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_16(session& s, const observer& tell) {
    measure_sort<std::uint16_t>(s, tell, "u16",
                                random_keys({10, 16, 20, 24, 28, 30}) + other_keys({20, 28}));
    measure_sort<std::int16_t>(s, tell, "i16", random_keys({20, 28}));
}

}  // namespace lookback::bench
