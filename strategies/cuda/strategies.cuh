/// \file
/// The scans on CUDA, as types with run(device, in, out, n, op), and the names by which the
/// registry and the tests find them.
#pragma once

#include "block/array_tile.cuh"
#include "block/minimum_depth.cuh"
#include "block/vector_tile.cuh"
#include "block/work_efficient.cuh"
#include "named.cuh"
#include "reduce_then_scan.cuh"
#include "scan_then_propagate.cuh"
#include "single_pass.cuh"

namespace lookback::strategies {

/// The library's own scan, as one of the strategies.
struct library {
    template <class T>
    static constexpr int tile_items = detail::device::large_tile_items<T>;

    template <class T, class Op>
    static void run(device& gpu, const T* in, T* out, std::uint64_t n, Op op) {
        lookback::inclusive_scan(gpu.gpu(), in, in + n, out, op);
    }
};

template <class T>
using hillis_steele_tile = array_tile<T, hillis_steele>;
template <class T>
using kogge_stone_tile = array_tile<T, kogge_stone_in_place>;
template <class T>
using sklansky_tile = array_tile<T, sklansky_in_place>;
template <class T>
using brent_kung_tile = array_tile<T, brent_kung_in_place>;
/// 1024 threads, as in Kirk & Hwu's section 9.5, if shared memory has room for so many items.
template <class T>
using section_tile = array_tile<T, brent_kung_in_place, sizeof(T) <= 16 ? 1024 : 512>;
template <class T>
using blelloch_tile = array_tile<T, blelloch<false, false>>;
template <class T>
using padded_blelloch_tile = array_tile<T, blelloch<true, false>>;
template <class T>
using unrolled_blelloch_tile = array_tile<T, blelloch<true, true>>;
template <class T>
using raking_tile = thread_tile<T, raking>;
template <class T>
using warp_scans_in_sklansky_tile = thread_tile<T, warp_scans_in_sklansky>;

/// Calls f(named<Strategy>) for each scan in one pass.
template <class F>
void for_each_single_pass(F&& f) {
    f(named<single_pass<chained>>{"cuda-chained"});
    f(named<single_pass<one_thread>>{"cuda-look-back-thread"});
    f(named<single_pass<warp_copies>>{"cuda-look-back-copy"});
    f(named<single_pass<warp_scans>>{"cuda-look-back-warp"});
    f(named<library>{"cuda-library"});
}
/// The same for each scan in several passes over the array.
template <class F>
void for_each_multi_pass(F&& f) {
    f(named<scan_then_propagate<>>{"cuda-scan-then-propagate"});
    f(named<reduce_then_scan<false>>{"cuda-reduce-then-scan"});
    f(named<reduce_then_scan<true>>{"cuda-reduce-then-scan-elided"});
    f(named<scan_then_propagate<section_tile>>{"cuda-hierarchical"});
}
/// The same for each block scan, within scan-then-propagate. (There are two functions, so that they
/// compile in parallel.)
template <class F>
void for_each_array_block(F&& f) {
    f(named<scan_then_propagate<hillis_steele_tile>>{"cuda-block-hillis-steele"});
    f(named<scan_then_propagate<kogge_stone_tile>>{"cuda-block-kogge-stone"});
    f(named<scan_then_propagate<sklansky_tile>>{"cuda-block-sklansky"});
    f(named<scan_then_propagate<brent_kung_tile>>{"cuda-block-brent-kung"});
    f(named<scan_then_propagate<blelloch_tile>>{"cuda-block-blelloch"});
    f(named<scan_then_propagate<padded_blelloch_tile>>{"cuda-block-blelloch-padded"});
    f(named<scan_then_propagate<unrolled_blelloch_tile>>{"cuda-block-blelloch-unrolled"});
}
template <class F>
void for_each_thread_block(F&& f) {
    f(named<scan_then_propagate<vector_tile>>{"cuda-block-vectors"});
    f(named<scan_then_propagate<usual_tile>>{"cuda-block-warp-scans-brent-kung"});
    f(named<scan_then_propagate<raking_tile>>{"cuda-block-raking"});
    f(named<scan_then_propagate<warp_scans_in_sklansky_tile>>{"cuda-block-warp-scans-sklansky"});
}

}  // namespace lookback::strategies
