// The entries of some rows of a sparse matrix (compressed sparse rows), one row after the other in
// one output, as a breadth-first search gathers the neighbours of its frontier. The place of a
// row's entries depends on the lengths of all rows before it; one launch finds the places and
// copies the entries.
#include <lookback/kernel/block.hpp>
#include <lookback/kernel/device_prefix.hpp>
#include <lookback/operators.hpp>
#include <random>

#include "example.hpp"

// [kernel]
constexpr int threads = 256;

struct csr_matrix {
    const std::uint64_t* offsets;  // one for each row, and the end of the last
    const unsigned* columns;
};

// entries[firsts[i]], ... become the columns of row rows[i], for each i; *count how many there are.
__global__ void expand(lookback::prefix_workspace<std::uint64_t> places, csr_matrix matrix,
                       const unsigned* rows, unsigned n, std::uint64_t* firsts, unsigned* entries,
                       std::uint64_t* count) {
    using prefix = lookback::device_prefix<std::uint64_t>;
    using scan = lookback::block::scan<std::uint64_t, threads>;
    __shared__ prefix::memory prefix_memory;
    __shared__ scan::memory scan_memory;
    __shared__ std::uint64_t place[threads], source[threads];  // of each row of the tile

    prefix before(places, prefix_memory, 0);
    while (before.claim()) {  // a tile is a row for each thread
        const unsigned i = before.tile() * threads + threadIdx.x;
        const std::uint64_t from = i < n ? matrix.offsets[rows[i]] : 0;
        const std::uint64_t length = i < n ? matrix.offsets[rows[i] + 1] - from : 0;
        const auto [offset, all] =
            scan(scan_memory).exclusive(length, std::uint64_t{0}, lookback::plus{});
        place[threadIdx.x] = offset;
        source[threadIdx.x] = from;
        const std::uint64_t first = before.exclusive_prefix(all);  // a barrier, too
        if (i < n) firsts[i] = first + offset;

        // Long rows and short ones: threads share out entries, not rows. Entry k belongs to the
        // last row whose place is at most k.
        for (std::uint64_t k = threadIdx.x; k < all; k += threads) {
            unsigned row = 0;
            for (unsigned step = threads / 2; step > 0; step /= 2) {
                if (place[row + step] <= k) row += step;
            }
            entries[first + k] = matrix.columns[source[row] + (k - place[row])];
        }
        if (threadIdx.x == 0 && before.tile() + 1 == places.tiles()) *count = first + all;
        __syncthreads();  // before the next tile overwrites place and source
    }
    if (places.tiles() == 0 && blockIdx.x == 0 && threadIdx.x == 0) *count = 0;
}
// [/kernel]

bool example() {
    // A graph of four million vertices: most have a few edges, some have thousands, some none.
    std::mt19937 random(1);
    const unsigned vertices = 1U << 22;
    std::vector<std::uint64_t> offsets = {0};
    for (unsigned v = 0; v < vertices; ++v) {
        const auto bits = static_cast<unsigned>(random());
        const unsigned edges = bits % 10'000 == 1 ? bits / 10'000 % 5000 : bits / 64 % 16;
        offsets.push_back(offsets.back() + edges);
    }
    std::vector<unsigned> columns(offsets.back());
    for (unsigned& column : columns) column = static_cast<unsigned>(random()) % vertices;
    // Every other vertex, roughly, in no order.
    std::vector<unsigned> rows(vertices / 2);
    for (unsigned& row : rows) row = static_cast<unsigned>(random()) % vertices;
    std::vector<std::uint64_t> want_firsts;
    std::vector<unsigned> want;
    for (const unsigned row : rows) {
        want_firsts.push_back(want.size());
        for (auto e = offsets[row]; e < offsets[row + 1]; ++e) want.push_back(columns[e]);
    }

    const device_array<std::uint64_t> offsets_device(offsets), firsts(rows.size()), count(1);
    const device_array<unsigned> columns_device(columns), rows_device(rows), entries(want.size());
    const auto n = static_cast<unsigned>(rows.size());
    lookback::gpu gpu;
    const lookback::prefix_workspace<std::uint64_t> places(gpu, (n + threads - 1) / threads);
    expand<<<places.blocks(expand, threads), threads, 0, gpu.stream()>>>(
        places, {offsets_device.data(), columns_device.data()}, rows_device.data(), n,
        firsts.data(), entries.data(), count.data());
    check(cudaGetLastError(), "launching");

    const bool right =
        count.get()[0] == want.size() && firsts.get() == want_firsts && entries.get() == want;
    std::printf("%zu entries of %u rows: %s\n", want.size(), n, right ? "right" : "wrong");
    return right;
}

int main() { return run_example(example); }
