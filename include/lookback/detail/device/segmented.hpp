/// \file
/// Scans of segments on a GPU: from the public functions to a launch.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/segmented_agent.hpp"
#include "lookback/detail/device/segmented_problem.hpp"
#include "lookback/detail/device/small_launch.hpp"
#include "lookback/gpu.hpp"
#include "lookback/segmented.hpp"

namespace lookback::detail {
namespace device {

template <bool exclusive, class T, class In, class Heads, class Out, class Op, class Start>
void scan_segments(gpu& where, const In& values, const item_count& count, const Heads& heads,
                   const Out& out, const Start& start, const Op& op) {
    static_assert(device_accumulator<segment_value<T>>,
                  "accumulators on the GPU are trivially copyable and default-constructible, and "
                  "have, with a flag, at most 64 bytes");
    static_assert(device_item<typename Heads::item_type>,
                  "keys and flags on the GPU are trivially copyable and default-constructible");
    const auto in = indexed(values);
    const auto to = indexed(out);
    using problem = segmented_problem<exclusive, T, decltype(indexed(values)), Heads,
                                      decltype(indexed(out)), Op, Start>;
    constexpr large_shape shape = segmented_shape<typename Heads::item_type, T>;
    const problem segments{
        in, heads, to, {op}, start, count, all_on_vector_boundaries(in, heads.in, to)};
    using small = segmented_agent<problem, small_warps<typename Heads::item_type, T>, false>;
    if (device::launch_small<small, true>(where, segments)) return;
    launch_large<segmented_agent, shape>(where, segments);
}

template <class Flags>
auto find_heads(gpu& /*where*/, const head_flags<Flags>& segments, const item_count& /*count*/) {
    return heads_by_flag<decltype(indexed(segments.flags))>{indexed(segments.flags)};
}

/// Sets the flag of each item at which a segment begins, according to the offsets.
template <class Offsets>
__global__ void mark_heads_kernel(Offsets offsets, std::uint64_t entries, std::uint64_t items,
                                  std::uint8_t* flags) {
    wait_for_previous_kernel();
    for (std::uint64_t s = thread_in_grid(); s < entries; s += threads_in_grid()) {
        const auto head = static_cast<std::uint64_t>(offsets[static_cast<std::int64_t>(s)]);
        if (head < items)
            store_relaxed(flags + head, std::uint8_t{1});  // several offsets may be equal
    }
}

template <class Offsets>
auto find_heads(gpu& where, const segment_offsets<Offsets>& segments, const item_count& count) {
    const std::size_t entries = checked_count(segments.first, segments.last);
    auto* const flags = static_cast<std::uint8_t*>(access::scratch(where, count.at_most));
    device::check(cudaMemsetAsync(flags, 0, count.at_most, where.stream()),
                  "clearing the heads of segments");
    constexpr auto kernel = mark_heads_kernel<decltype(indexed(segments.first))>;
    constexpr int threads = 256;
    const auto& known = access::facts<kernel>(where, threads, 0);
    start<kernel>(where, known, access::blocks(where, tiles_for(entries, threads), known), threads,
                  0, indexed(segments.first), std::uint64_t{entries}, count.at_most, flags);
    return heads_by_flag<const std::uint8_t*>{flags};
}

}  // namespace device

template <>
struct segments_on<gpu> {
    template <bool exclusive, class T, class Keys, class In, class Out, class Init, class Op,
              class Equal>
    static void by_key(gpu& where, const item_count& count, const Keys& keys, const In& values,
                       const Out& out, const Init& init, const Op& op, const Equal& equal) {
        using namespace device;
        const device::heads_by_key<decltype(indexed(keys)), Equal> heads{indexed(keys), equal};
        scan_segments<exclusive, T>(where, values, count, heads, out, begin_each_with<T>(init), op);
    }

    template <class Segments>
    static void check(gpu&, const Segments&, const item_count&) {}

    template <bool exclusive, class T, class In, class Segments, class Out, class Init, class Op>
    static void of(gpu& where, const item_count& count, const In& first, const Segments& segments,
                   const Out& out, const Init& init, const Op& op) {
        using namespace device;
        scan_segments<exclusive, T>(where, first, count, find_heads(where, segments, count), out,
                                    begin_each_with<T>(init), op);
    }
};

}  // namespace lookback::detail
