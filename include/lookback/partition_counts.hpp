/// \file
/// What a three-way partition returns, on the CPU and on a GPU.
#pragma once

#include <cstddef>

namespace lookback {

/// How many items went to the first and to the second output of a three-way partition.
struct partition_counts {
    std::size_t first;
    std::size_t second;
    friend bool operator==(const partition_counts&, const partition_counts&) = default;
};

}  // namespace lookback
