/// \file
/// The columns that tables of sorts share: ours beside CUB's and a copy of as many bytes.
#pragma once

#include <cstdio>
#include <string>

#include "program.hpp"

namespace lookback::bench {

inline std::string sort_columns() {
    char columns[80];
    std::snprintf(columns, sizeof columns, "%11s%11s%11s%10s%8s%8s", "ours", "CUB", "copy",
                  "Gkeys/s", "x copy", "x CUB");
    return columns;
}
inline void print_sort_columns(const cell& c) {
    for (const char* who : {"ours", "cub"}) print(c.device(who), 11);
    print(c.copy_us(), 11);
    print(c.billions_a_second(), 10);
    print(c.ratio_to_copy(), 8);
    print(c.speedup_over_cub(), 8);
}

}  // namespace lookback::bench
