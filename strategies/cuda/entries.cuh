/// \file
/// What the registry runs of each strategy, made from its type.
#pragma once

#include <vector>

#include "../registry.hpp"
#include "device.cuh"
#include "named.cuh"

namespace lookback::strategies {

template <class Call>
struct cuda_entry {
    std::string_view name;
    typename strategy_for<Call>::function run;
};

template <class Call, class Strategy>
cuda_entry<Call> entry_of(named<Strategy> s) {
    return {s.name, [](const Call& c, const resources& r) {
                with_types(c, [&](const auto* in, auto* out, auto... op) {
                    Strategy::run(*r.gpu, in, out, c.items, op...);
                });
            }};
}

using cuda_entries = std::vector<cuda_entry<scan_call>>;
using cuda_sort_entries = std::vector<cuda_entry<sort_call>>;
using cuda_table_entries = std::vector<cuda_entry<table_call>>;

/// Compiled side by side.
cuda_entries single_pass_entries();
cuda_entries multi_pass_entries();
cuda_entries array_block_entries();
cuda_entries thread_block_entries();
cuda_sort_entries sort_entries();
cuda_table_entries table_entries();

}  // namespace lookback::strategies
