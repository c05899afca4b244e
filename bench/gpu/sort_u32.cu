#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_u32(session& s, const observer& tell) {
    constexpr std::uint64_t ragged = 1'000'007;
    measure_sort<std::uint32_t>(s, tell, "u32",
                                random_keys({10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}) +
                                    other_keys({18, 20, 22, 28}) +
                                    std::vector<sort_case>{{.items = ragged},
                                                           {.items = (1U << 20) + 1},
                                                           {.items = ragged, .off = 1},
                                                           {.items = 1U << 28, .off = 1}});
}

}  // namespace lookback::bench
