#include "compaction_input.hpp"
#include "lookback/scan.hpp"
#include "random_bits.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

template <class T, class Make>
__global__ void fill_kernel(T* to, std::uint64_t n, Make make) {
    for_each_item(n, [&](std::uint64_t i) { to[i] = make(random_bits(i)); });
}

template <class T, class Make>
void fill(const session& s, compaction_array which, std::uint64_t n, Make make) {
    fill_kernel<<<check_blocks(n), check_threads, 0, s.stream()>>>(static_cast<T*>(s.array(which)),
                                                                   n, make);
    check(cudaGetLastError(), "launching a fill");
}

struct make_item {
    __device__ word operator()(std::uint64_t bits) const {
        return static_cast<word>(bits >> 32) % item_limit;
    }
};
struct make_flag {
    __device__ std::uint8_t operator()(std::uint64_t bits) const {
        return static_cast<std::uint8_t>(bits & 1);
    }
};
struct make_head {
    unsigned mean;
    __device__ word operator()(std::uint64_t bits) const { return bits % mean == 0; }
};
// In [-8, 8). The sum of a run of 10^7 items stays far below 2^24, up to which a float holds every
// integer.
struct make_value {
    __device__ float operator()(std::uint64_t bits) const {
        return static_cast<float>(static_cast<int>(bits >> 60) - 8);
    }
};

}  // namespace

void fill_items(session& s, std::uint64_t n) { fill<word>(s, items_at, n, make_item{}); }
void fill_flags(session& s, std::uint64_t n) { fill<std::uint8_t>(s, values_at, n, make_flag{}); }
void fill_values(session& s, std::uint64_t n) { fill<float>(s, values_at, n, make_value{}); }

// Each item begins a run with the same probability; a key is the number of heads up to it.
void fill_keys(session& s, std::uint64_t n, int mean) {
    fill<word>(s, items_at, n, make_head{static_cast<unsigned>(mean)});
    word* const keys = words(s, items_at);
    inclusive_scan(s.gpu(), keys, keys + n, keys);
}

}  // namespace lookback::bench
