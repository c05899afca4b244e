// Contestants and cells of the pieces.

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <random>

#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/block.hpp"
#include "lookback/kernel/warp.hpp"
#include "lookback/operators.hpp"
#include "pieces.hpp"

namespace lookback::bench {
namespace {

constexpr int threads = 512;
constexpr int rounds = 256;

// One sum: what a thread gets of it, from its number.
struct count_flags {
    struct memory {};
    __device__ static int sum(memory&, unsigned flag) { return block::count(flag != 0); }
};
template <block::strategy how>
struct reduce_words {
    using reduction = block::scan<int, threads, how>;
    using memory = typename reduction::memory;
    __device__ static int sum(memory& m, unsigned flag) {
        return reduction(m).reduce(static_cast<int>(flag), plus{});
    }
};
struct cub_reduce {
    using reduction = cub::BlockReduce<int, threads>;
    using memory = typename reduction::TempStorage;
    __device__ static int sum(memory& m, unsigned flag) {
        return reduction(m).Sum(static_cast<int>(flag));
    }
};
struct scan_flags {
    using memory = block::binary_sums<threads>::memory;
    __device__ static int sum(memory& m, unsigned flag) {
        return block::binary_sums<threads>(m).exclusive(flag != 0).sum;
    }
};
template <block::strategy how>
struct scan_words {
    using scan = block::scan<int, threads, how>;
    using memory = typename scan::memory;
    __device__ static int sum(memory& m, unsigned flag) {
        return scan(m).exclusive(static_cast<int>(flag), 0, plus{}).result;
    }
};
struct cub_scan {
    using scan = cub::BlockScan<int, threads>;
    using memory = typename scan::TempStorage;
    __device__ static int sum(memory& m, unsigned flag) {
        int before;
        scan(m).ExclusiveSum(static_cast<int>(flag), before);
        return before;
    }
};
template <int bits>
struct warp_narrow {
    struct memory {};
    __device__ static int sum(memory&, unsigned number) {
        return warp::narrow_exclusive_sum<bits>(number);
    }
};
struct warp_words {
    struct memory {};
    __device__ static int sum(memory&, unsigned number) {
        return warp::exclusive_scan(static_cast<int>(number), 0, plus{});
    }
};

// Round r sums `bits` bits of each thread's word, from bit r on, with the word rotated.
__host__ __device__ unsigned number_of(unsigned word, int round, int bits) {
    const unsigned turned = round == 0 ? word : word >> round | word << (32 - round);
    return turned & ((1U << bits) - 1U);
}

template <class Sum, int bits>
__global__ __launch_bounds__(threads) void sum_kernel(const unsigned* in, int* out) {
    __shared__ typename Sum::memory memory[2];
    const std::size_t at = std::size_t{blockIdx.x} * threads + threadIdx.x;
    const unsigned word = in[at];
    int total = 0;
#pragma unroll 2
    for (int round = 0; round < rounds; ++round) {
        total += Sum::sum(memory[round % 2], number_of(word, round % 32, bits));
    }
    out[at] = total;
}

template <class Sum, int bits = 1>
implementation contestant(session& s, const char* name, unsigned blocks) {
    const auto* const in = static_cast<const unsigned*>(s.in());
    auto* const out = static_cast<int*>(s.out());
    return {name, [=, &s] {
                sum_kernel<Sum, bits><<<blocks, threads, 0, s.stream()>>>(in, out);
                check(cudaGetLastError(), "launching sums");
            }};
}

// What each thread of a group gets, summed over all rounds; 32 rounds go through all bits of a
// word.
enum class wanted { count, before };
std::vector<int> right_sums(const std::vector<unsigned>& words, std::size_t group, int bits,
                            wanted what) {
    std::vector<int> sums(words.size());
    for (std::size_t first = 0; first < words.size(); first += group) {
        for (int round = 0; round < 32; ++round) {
            int before = 0;
            for (std::size_t i = first; i < first + group; ++i) {
                sums[i] += before * (rounds / 32);
                before += static_cast<int>(number_of(words[i], round, bits));
            }
            // A count is compared in the group's first thread.
            if (what == wanted::count) sums[first] += before * (rounds / 32);
        }
    }
    return sums;
}

std::string judge(session& s, const implementation& one, const std::vector<int>& want,
                  std::size_t step) {
    const std::size_t bytes = want.size() * sizeof(int);
    check(cudaMemsetAsync(s.out(), 0xa5, bytes, s.stream()), "poisoning");
    one.call();
    s.synchronise();
    std::vector<int> got(want.size());
    check(cudaMemcpy(got.data(), s.out(), bytes, cudaMemcpyDeviceToHost), "reading sums");
    for (std::size_t i = 0; i < want.size(); i += step) {
        if (got[i] != want[i]) {
            return one.name + " is wrong at thread " + std::to_string(i) + ": expected " +
                   std::to_string(want[i]) + ", got " + std::to_string(got[i]);
        }
    }
    return "";
}

void measure_cell(session& s, const observer& tell, cell c, unsigned blocks, int bits, wanted what,
                  std::size_t group, const std::vector<implementation>& all) {
    c.data = std::to_string(blocks) + " blocks";
    c.items = std::uint64_t{blocks} * threads * rounds;
    if (!tell.wants(c)) return;
    tell.begin(c);
    std::vector<unsigned> words(std::size_t{blocks} * threads);
    std::mt19937 random(blocks);
    for (unsigned& word : words) word = static_cast<unsigned>(random());
    check(cudaMemcpy(s.array(0), words.data(), words.size() * sizeof(unsigned),
                     cudaMemcpyHostToDevice),
          "writing flags");
    const std::vector<int> want = right_sums(words, group, bits, what);
    for (const implementation& one : all) {
        if (c.trouble.empty()) c.trouble = judge(s, one, want, what == wanted::count ? group : 1);
    }
    c.checked = c.trouble.empty();
    if (c.checked) c.device_us = s.device_times(all, c.trouble);
    tell.end(c);
}

template <class Flags, template <block::strategy> class Words, class Cub>
void measure_block(session& s, const observer& tell, const char* op, wanted what) {
    for (const unsigned blocks : {132, 528, 2112, 8448}) {
        cell c;
        c.op = op;
        c.type = "flags";
        measure_cell(s, tell, c, blocks, 1, what, threads,
                     {contestant<Flags>(s, "ours", blocks),
                      contestant<Words<block::strategy::warp_scans>>(s, "words", blocks),
                      contestant<Words<block::strategy::raking>>(s, "words_raking", blocks),
                      contestant<Words<block::strategy::sklansky>>(s, "words_sklansky", blocks),
                      contestant<Cub>(s, "cub", blocks)});
    }
}

}  // namespace

void measure_block_count(session& s, const observer& tell) {
    measure_block<count_flags, reduce_words, cub_reduce>(s, tell, "block_count", wanted::count);
}
void measure_block_scan(session& s, const observer& tell) {
    measure_block<scan_flags, scan_words, cub_scan>(s, tell, "block_scan", wanted::before);
}

template <int bits>
static void measure_narrow(session& s, const observer& tell) {
    constexpr unsigned blocks = 2112;
    cell c;
    c.op = "warp_scan";
    c.type = std::to_string(bits) + (bits == 1 ? " bit" : " bits");
    measure_cell(s, tell, c, blocks, bits, wanted::before, 32,
                 {contestant<warp_narrow<bits>, bits>(s, "ours", blocks),
                  contestant<warp_words, bits>(s, "words", blocks)});
}

void measure_warp_scan(session& s, const observer& tell) {
    measure_narrow<1>(s, tell);
    measure_narrow<2>(s, tell);
    measure_narrow<3>(s, tell);
    measure_narrow<4>(s, tell);
    measure_narrow<5>(s, tell);
    measure_narrow<6>(s, tell);
    measure_narrow<8>(s, tell);
}

}  // namespace lookback::bench
