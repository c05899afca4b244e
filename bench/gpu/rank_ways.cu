// Compares ways to find where the keys of a tile go when they are sorted by 8 bits. All ways run in
// one frame, in shared memory, without other tiles. A tile of 11,264 keys (about as many as in a
// pass over u32) is put in order by one digit after the other, 64 times. Each way also finds where
// the keys with each value begin, because passes have to know that.
//   lookback_bench_gpu_rank_ways OUT.json [--filter REGEX] [NAME...]      NAME: ranks

#include <algorithm>
#include <random>

#include "comparison.hpp"
#include "rank_ways.cuh"

namespace lookback::bench {
namespace {

using namespace rank_ways;

constexpr int rounds = 64;

template <class Way>
__global__ __launch_bounds__(Way::shape.threads(),
                             Way::shape.blocks) void rank_kernel(const word* in, word* out,
                                                                 word* starts, int turns) {
    auto& shared = *reinterpret_cast<typename Way::memory*>(dynamic_shared_memory());
    auto* const words = reinterpret_cast<word*>(&shared);
    const int thread = thread_in_block();
    const std::uint64_t first = std::uint64_t{block_in_grid()} * tile_items;
    for (int i = thread; i < static_cast<int>(sizeof(shared) / 4); i += Way::shape.threads()) {
        words[i] = 0;
    }
    sync_block();
    for (int i = thread; i < tile_items; i += Way::shape.threads()) {
        shared.key[Way::place(i)] = in[first + static_cast<unsigned>(i)];
    }
    sync_block();
    for (int turn = 0; turn < turns; ++turn) {
        Way::order(shared, digit_place({0, 32}, turn % 4));
        sync_block();
    }
    for (int i = thread; i < tile_items; i += Way::shape.threads()) {
        out[first + static_cast<unsigned>(i)] = shared.key[Way::place(i)];
    }
    for (int i = thread; i < digit_values; i += Way::shape.threads()) {
        starts[block_in_grid() * digit_values + static_cast<unsigned>(i)] = shared.start[i];
    }
}

/// `blocks`: two for each multiprocessor, as many as the ways with less memory run at once.
template <class Way>
void launch(session& s, unsigned blocks, int turns) {
    constexpr auto kernel = rank_kernel<Way>;
    constexpr int bytes = sizeof(typename Way::memory);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "asking for shared memory");
    kernel<<<blocks, Way::shape.threads(), bytes, s.stream()>>>(
        static_cast<const word*>(s.in()), static_cast<word*>(s.out()),
        static_cast<word*>(s.array(2)), turns);
    check(cudaGetLastError(), "launching ranks");
}

/// Judges one way, over poison: by all turns, and by a few.
template <class Way>
std::string judge(session& s, const std::string& name, const std::vector<word>& keys) {
    const auto blocks = static_cast<unsigned>(keys.size() / tile_items);
    for (const int turns : {rounds, 1, 2, 3, 4, 5}) {
        const std::size_t starts = blocks * std::size_t{digit_values};
        check(cudaMemsetAsync(s.out(), 0xa5, keys.size() * 4, s.stream()), "poisoning");
        check(cudaMemsetAsync(s.array(2), 0xa5, starts * 4, s.stream()), "poisoning");
        launch<Way>(s, blocks, turns);
        s.synchronise();
        std::vector<word> got(keys.size()), got_starts(starts);
        check(cudaMemcpy(got.data(), s.out(), got.size() * 4, cudaMemcpyDeviceToHost), "reading");
        check(cudaMemcpy(got_starts.data(), s.array(2), starts * 4, cudaMemcpyDeviceToHost),
              "reading");
        // Some of the tiles that run side by side.
        for (unsigned b = 0; b < blocks; b += turns == rounds ? 50 : 100) {
            const auto first = static_cast<std::ptrdiff_t>(b) * tile_items;
            std::vector<word> want(keys.begin() + first, keys.begin() + first + tile_items);
            for (int turn = std::max(0, turns - 6); turn < turns; ++turn) {
                const auto digit = [&](word key) { return key >> turn % 4 * 8 & 0xff; };
                std::stable_sort(want.begin(), want.end(),
                                 [&](word a, word k) { return digit(a) < digit(k); });
            }
            bool good = std::equal(want.begin(), want.end(), got.begin() + first);
            word begin = 0;
            for (word value = 0; value < digit_values; ++value) {
                good = good && got_starts[b * digit_values + value] == begin;
                begin += static_cast<word>(std::count_if(want.begin(), want.end(), [&](word key) {
                    return (key >> (turns - 1) % 4 * 8 & 0xff) == value;
                }));
            }
            if (!good) return name + " is wrong after " + std::to_string(turns) + " digits";
        }
    }
    return "";
}

template <class Way>
void add(session& s, cell& c, const std::vector<word>& keys, const char* name,
         std::vector<implementation>& all) {
    if (c.trouble.empty()) c.trouble = judge<Way>(s, name, keys);
    const auto blocks = static_cast<unsigned>(keys.size() / tile_items);
    all.push_back({name, [=, &s] { launch<Way>(s, blocks, rounds); }});
}

void measure_ranks(session& s, const observer& tell) {
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "asking");
    const unsigned blocks = 2 * static_cast<unsigned>(processors);
    for (const char* data : {"random", "two", "equal"}) {
        cell c;
        c.op = "ranks";
        c.type = "u32";
        c.data = data;
        c.items = std::uint64_t{blocks} * tile_items * rounds;
        if (!tell.wants(c)) continue;
        tell.begin(c);
        std::vector<word> keys(std::size_t{blocks} * tile_items);
        std::mt19937 random(5);
        for (word& key : keys) {
            key = static_cast<word>(random());
            if (c.data == "two") key &= 0x10408002;
            if (c.data == "equal") key = 0x12345678;
        }
        check(cudaMemcpy(s.array(0), keys.data(), keys.size() * 4, cudaMemcpyHostToDevice),
              "writing keys");
        std::vector<implementation> all;
        add<by_warps<by_ballots, told_by_one>>(s, c, keys, "ballots", all);
        add<by_warps<by_ballots, read_by_all>>(s, c, keys, "ballots_read_by_all", all);
        add<by_warps<by_match, told_by_one>>(s, c, keys, "match", all);
        add<by_warps<by_masks, told_by_one>>(s, c, keys, "masks", all);
        add<by_warps<interleaved, told_by_one>>(s, c, keys, "masks_and_ballots", all);
        add<by_warps<interleaved, read_by_all>>(s, c, keys, "both_read_by_all", all);
        add<by_columns>(s, c, keys, "columns", all);
        add<by_halves>(s, c, keys, "twice_4_bits", all);
        c.checked = c.trouble.empty();
        if (c.checked) c.device_us = s.device_times(all, c.trouble);
        tell.end(c);
    }
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run(
        comparison("lookback_bench_gpu_rank_ways", {{"ranks", measure_ranks}},
                   std::uint64_t{64} << 20, 3,
                   "us of one launch; median of 11 replays of a graph of launches; two blocks for "
                   "each multiprocessor put a tile of 11,264 keys in order by 64 digits each; "
                   "items: a digit of a key each"),
        argc, argv);
}
