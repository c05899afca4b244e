/// \file
/// The function that the registry runs for each strategy, made from the strategy's type.
#pragma once

#include <stdexcept>
#include <string>
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

template <class Call>
auto find_run(const std::vector<cuda_entry<Call>>& all, std::string_view name) {
    for (const cuda_entry<Call>& e : all) {
        if (e.name == name) return e.run;
    }
    throw std::logic_error("no CUDA strategy is called " + std::string(name));
}

using cuda_entries = std::vector<cuda_entry<scan_call>>;
using cuda_sort_entries = std::vector<cuda_entry<sort_call>>;

/// Compiled in files of their own, so that they compile in parallel.
cuda_entries single_pass_entries();
cuda_entries multi_pass_entries();
cuda_entries array_block_entries();
cuda_entries thread_block_entries();
cuda_sort_entries sort_entries();

}  // namespace lookback::strategies
