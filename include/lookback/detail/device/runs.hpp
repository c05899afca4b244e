/// \file
/// Runs on a GPU: from the public functions to a launch.
#pragma once

#include <cstdint>

#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/length_agent.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/run_agent.hpp"
#include "lookback/detail/device/run_problem.hpp"
#include "lookback/detail/device/small_launch.hpp"
#include "lookback/gpu.hpp"
#include "lookback/runs.hpp"

namespace lookback::detail {
namespace device {

template <class W, class V, stretches_of stretches = stretches_of::equal_items, class Keys,
          class Values, class KeysOut, class ValuesOut, class Op, class Equal>
void reduce_runs(gpu& where, const item_count& count, const Keys& keys, const Values& values,
                 const KeysOut& keys_out, const ValuesOut& values_out, total_place total,
                 const Op& op, const Equal& equal) {
    const auto in = indexed(keys);
    const auto paired = indexed(values);
    using problem =
        run_problem<decltype(indexed(keys)), decltype(indexed(values)), W, V, Op, Equal,
                    decltype(indexed(keys_out)), decltype(indexed(values_out)), stretches>;
    static_assert(device_item<typename problem::item_type> && device_item<W> && device_item<V>,
                  "items on the GPU are trivially copyable and default-constructible");
    static_assert(sizeof(typename problem::value_type) <= 64,
                  "values on the GPU have at most 56 bytes");
    const auto to_keys = indexed(keys_out);
    const auto to_values = indexed(values_out);
    const problem runs{in,
                       paired,
                       {op},
                       equal,
                       to_keys,
                       to_values,
                       count,
                       total,
                       all_on_vector_boundaries(in, paired),
                       may_overlap(count.at_most, keys, values, keys_out, values_out),
                       item_over_item(count.at_most, keys, values, keys_out, values_out)};
    using T = typename problem::item_type;
    if constexpr (is_absent<typename problem::paired_type>) {
        constexpr int warps = small_warps<T, paired_lengths<T>>;
        using small = length_agent_of<problem, warps, loads::by_items, small_chunk_bytes>;
        if (device::launch_small<small, false>(where, runs)) return;
        constexpr large_shape shape = compaction_shape<T, paired_lengths<T>, 2>;
        launch_large<length_agent, shape>(where, runs);
    } else {
        using small = run_agent_of<problem, small_warps<T, W>, loads::by_items, small_chunk_bytes>;
        if (device::launch_small<small, true>(where, runs)) return;
        constexpr large_shape shape = compaction_shape<T, W>;
        launch_large<run_agent, shape>(where, runs);
    }
}

}  // namespace device

template <>
struct runs_on<gpu> {
    template <class In, class ValuesOut, class LengthsOut, class Equal>
    static void lengths(gpu& where, const item_count& items, const In& first,
                        const ValuesOut& values_out, const LengthsOut& lengths_out,
                        const total_place& total, const Equal& equal) {
        device::reduce_runs<std::uint32_t, std::uint64_t>(
            where, items, first, no_array{}, values_out, lengths_out, total, plus<>{}, equal);
    }

    template <class In, class OffsetsOut, class LengthsOut, class Equal>
    static void nontrivial(gpu& where, const item_count& items, const In& first,
                           const OffsetsOut& offsets_out, const LengthsOut& lengths_out,
                           const total_place& total, const Equal& equal) {
        using namespace device;
        const auto offsets = indexed(offsets_out);
        const auto lengths = indexed(lengths_out);
        reduce_runs<std::uint32_t, std::uint64_t, stretches_of::heads_and_others>(
            where, items, first, no_array{},
            every_second<decltype(indexed(offsets_out))>{offsets, -1},
            every_second<decltype(indexed(lengths_out))>{lengths, 1}, total, plus<>{}, equal);
    }

    template <class A, class Keys, class Values, class KeysOut, class ValuesOut, class Op,
              class Equal>
    static void folds(gpu& where, const item_count& items, const Keys& keys, const Values& values,
                      const KeysOut& keys_out, const ValuesOut& values_out,
                      const total_place& total, const Op& op, const Equal& equal) {
        device::reduce_runs<A, A>(where, items, keys, values, keys_out, values_out, total, op,
                                  equal);
    }
};

}  // namespace lookback::detail
