// A CUDA program may include the library and scan on the CPU and on the GPU. Here are scans of each
// kind, with each driver, compiled for GPUs with bulk copies and without.
#include <iterator>
#include <vector>

#include "lookback/axis_scan.hpp"
#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/block.hpp"
#include "lookback/kernel/device_prefix.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "lookback/kernel/warp.hpp"
#include "lookback/lookback.hpp"
#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/scan.hpp"

void scan(const std::vector<int>& in, std::vector<int>& out) { lookback::inclusive_scan(in, out); }

// Status words of 8 bytes, forward.
void scan(lookback::gpu& gpu, const float* in, int n, float* out) {
    lookback::inclusive_scan(gpu, in, in + n, out);
}

// Status words of 16 bytes, backward.
void scan(lookback::gpu& gpu, const double* in, int n, double* out) {
    lookback::exclusive_scan(gpu, std::reverse_iterator(in + n), std::reverse_iterator(in),
                             std::reverse_iterator(out + n), 0.5, lookback::maximum{});
}

// Split status words, with the count and the initial value in device memory.
struct triple {
    long long a, b, c;
};
struct last_triple {
    __device__ __host__ triple operator()(const triple&, const triple& b) const { return b; }
};
void scan(lookback::gpu& gpu, const triple* in, const int* n, triple* out, const triple* init) {
    lookback::inclusive_scan(gpu, in, lookback::count_at<int>{n, 1000}, out, last_triple{},
                             lookback::value_at<triple>{init});
}

// Compactions and runs.
struct positive {
    __device__ __host__ bool operator()(float x) const { return x > 0; }
};
void keep(lookback::gpu& gpu, const float* in, int n, float* out, lookback::count_to<int> count) {
    lookback::select_if(gpu, in, in + n, out, count, positive{});
    lookback::partition_if(gpu, in, in + n, out, count, positive{});
}
void fold(lookback::gpu& gpu, const int* keys, const float* values, int n, int* keys_out,
          float* sums, lookback::count_to<int> count) {
    lookback::run_length_encode(gpu, keys, keys + n, keys_out, sums, count);
    lookback::nontrivial_runs(gpu, keys, keys + n, keys_out, sums, count);
    lookback::reduce_by_key(gpu, keys, keys + n, values, keys_out, sums, count);
}

// Segments: keys and values in bulk, wide accumulators, flags, offsets, rows; columns.
void scan(lookback::gpu& gpu, const unsigned* keys, int n, const float* values, float* out) {
    lookback::inclusive_scan_by_key(gpu, keys, keys + n, values, out);
    lookback::exclusive_scan_by_key(gpu, keys, keys + n, values, out, 0.5F);
}
void scan(lookback::gpu& gpu, const triple* in, const int* n, const bool* flags, triple* out,
          const triple* init) {
    lookback::inclusive_segmented_scan(gpu, in, lookback::count_at<int>{n, 1000},
                                       lookback::head_flags{flags}, out,
                                       lookback::value_at<triple>{init}, last_triple{});
}
void scan(lookback::gpu& gpu, const double* in, int n, const long long* offsets, int segments,
          double* out) {
    lookback::inclusive_segmented_scan(
        gpu, in, in + n, lookback::segment_offsets{offsets, offsets + segments + 1}, out);
}
void scan_along(lookback::gpu& gpu, const float* in, lookback::axis_extents extents, float* out) {
    lookback::inclusive_scan(gpu, in, extents, out);
}

// All pieces for kernels in one kernel.
template <lookback::block::strategy how>
__global__ void pieces(lookback::prefix_workspace<triple> workspace, const triple* in,
                       triple* out) {
    namespace block = lookback::block;
    namespace warp = lookback::warp;
    using prefix = lookback::device_prefix<triple, last_triple>;
    using tile = block::tile_io<triple, 64, 3>;
    using scan = block::scan<triple, 64, how>;
    __shared__ prefix::memory memory;
    __shared__ tile::memory stage;
    __shared__ typename scan::memory slots;
    __shared__ block::binary_sums<64>::memory counts;
    prefix before(workspace, memory, triple{});
    while (before.claim()) {
        triple item[3];
        tile(stage).load_blocked(in, item);
        const triple all = scan(slots).inclusive(item, last_triple{});
        const triple first = before.exclusive_prefix(all);
        item[0] =
            warp::exclusive_scan<lookback::direction::backward>(item[0], first, last_triple{});
        item[1].a = block::binary_sums<64>(counts).exclusive(item[0].b > 0).sum;
        item[2].a = warp::binary_inclusive_sum(item[1].a > 0, warp::segment_lanes(1));
        tile(stage).store_blocked(item, out);
    }
}
template __global__ void pieces<lookback::block::strategy::warp_scans>(
    lookback::prefix_workspace<triple>, const triple*, triple*);
template __global__ void pieces<lookback::block::strategy::raking>(
    lookback::prefix_workspace<triple>, const triple*, triple*);
template __global__ void pieces<lookback::block::strategy::sklansky>(
    lookback::prefix_workspace<triple>, const triple*, triple*);
