/// \file
/// Programs that compare ways to do one thing, for tuning: they print a line for each way, and have
/// no goals.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "goals.hpp"
#include "program.hpp"

namespace lookback::bench {

/// Prints how long each way took, and how many items a second that is.
inline void print_ways(const cell& c) {
    for (const auto& [name, us] : c.device_us) {
        std::printf("\n    %-22s%10.2f us%10.1f G/s", name.c_str(), us,
                    static_cast<double>(c.items) / us * 1e-3);
    }
}

inline program comparison(std::string name, std::vector<group> groups, std::uint64_t array_bytes,
                          int arrays, std::string method) {
    return {.name = std::move(name),
            .groups = std::move(groups),
            .array_bytes = array_bytes,
            .arrays = arrays,
            .method = std::move(method),
            .name_width = 30,
            .columns = "",
            .print_figures = print_ways,
            .goals = [](const std::vector<cell>&) { return std::vector<goal>{}; }};
}

}  // namespace lookback::bench
