/// \file
/// What the registry runs of each strategy, made from its type.
#pragma once

#include <vector>

#include "../registry.hpp"
#include "strategies.cuh"

namespace lookback::strategies {

struct cuda_entry {
    std::string_view name;
    run_function run;
};

template <class Strategy>
cuda_entry entry_of(named<Strategy> s) {
    return {s.name, [](const scan_call& c, const resources& r) {
                with_types(c, [&](const auto* in, auto* out, auto op) {
                    Strategy::run(*r.gpu, in, out, c.items, op);
                });
            }};
}

/// Compiled side by side.
std::vector<cuda_entry> single_pass_entries();
std::vector<cuda_entry> multi_pass_entries();
std::vector<cuda_entry> array_block_entries();
std::vector<cuda_entry> thread_block_entries();

}  // namespace lookback::strategies
