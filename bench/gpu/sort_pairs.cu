#include "sort_measure.cuh"

namespace lookback::bench {

void measure_sort_pairs(session& s, const observer& tell) {
    measure_sort<std::uint32_t, std::uint32_t>(
        s, tell, "u32+u32",
        random_keys({10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}) + other_keys({20, 28}));
}

void measure_sort_forms(session& s, const observer& tell) {
    constexpr std::uint64_t ragged = 1'000'007, large = 1U << 28;
    measure_sort<std::uint32_t, std::uint32_t>(s, tell, "u32+u32",
                                               {{.items = ragged},
                                                {.items = (1U << 20) + 1},
                                                {.items = ragged, .off = 1},
                                                {.items = large, .off = 1},
                                                {.items = 1U << 20, .first_bit = 5, .last_bit = 21},
                                                {.items = large, .first_bit = 5, .last_bit = 21}});
    measure_sort<std::uint32_t, std::uint32_t, true>(s, tell, "u32+u32", random_keys({20, 28}));
}

}  // namespace lookback::bench
