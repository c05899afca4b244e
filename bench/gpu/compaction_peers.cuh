/// \file
/// The CUDA toolkit's calls as contestants.
#pragma once

#include <memory>
#include <utility>

#include "compaction.hpp"
#include "toolkit.cuh"

namespace lookback::bench {

template <class Call>
contestant cub_contestant(session& s, Call call) {
    return {cub_call(s, "cub", cub_slot, std::move(call))};
}

/// `call(policy)` calls Thrust, waits and returns the count.
template <class Call>
contestant thrust_contestant(session& s, Call call) {
    const auto count = std::make_shared<std::uint64_t>();
    const auto counted = [=, &s] {
        thrust_memory memory(s);
        *count = static_cast<std::uint64_t>(call(thrust::cuda::par_nosync(memory).on(s.stream())));
    };
    return {{"thrust", counted, true}, false, count};
}

}  // namespace lookback::bench
