// How fast sorting is on this GPU, beside CUB's DeviceRadixSort, in a program of its own:
//
//     nvcc -std=c++20 -O3 -arch=sm_90 -Iinclude bench/gpu/sort_probe.cu -o sort_probe
//     ./sort_probe             # a line for each kind of keys and size, in us and Gkeys/s
//     ./sort_probe shapes      # 2^28 and 2^22 u32 keys and pairs, by tiles of other shapes
//
// Results are checked on the device first. Times are medians of replays of a graph of several
// calls; small arrays stay in L2, as they do for CUB.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <functional>
#include <vector>

#include "lookback/sort.hpp"

namespace {

using lookback::detail::no_array;
using lookback::detail::device::digit_match;
using lookback::detail::device::sort_tuning;

void check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(1);
}

template <class T>
class array {
 public:
    explicit array(std::uint64_t n) { check(cudaMalloc(&at_, n * sizeof(T)), "allocating"); }
    ~array() { cudaFree(at_); }
    array(const array&) = delete;
    array& operator=(const array&) = delete;
    operator T*() const { return at_; }

 private:
    T* at_ = nullptr;
};

enum class kind { random, equal, sorted, skewed };
const char* const names[] = {"random", "equal", "sorted", "skewed"};

__device__ std::uint64_t hash(std::uint64_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}
template <class Key>
__global__ void make(Key* keys, std::uint32_t* values, std::uint64_t n, kind how) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        const std::uint64_t bits = hash(i);
        std::uint64_t key = bits;
        if (how == kind::equal) key = 0x0123456789abcdefU;
        if (how == kind::sorted) key = i;
        // Half of them small, and half of the rest ...
        if (how == kind::skewed) key = bits >> __popcll((bits & -bits) - 1) * 2;
        keys[i] = static_cast<Key>(key);
        values[i] = static_cast<std::uint32_t>(i);
    }
}
/// The number of items that differ.
template <class T>
__global__ void compare(const T* a, const T* b, std::uint64_t n, unsigned long long* wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        if (a[i] != b[i]) atomicAdd(wrong, 1ULL);
    }
}

/// The median time of a call, in us.
double time_of(cudaStream_t stream, std::uint64_t n, const std::function<void()>& call) {
    const int calls = n <= 1U << 16 ? 20 : n <= 1U << 22 ? 5 : 1;
    call();
    check(cudaStreamSynchronize(stream), "a first call");
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing");
    for (int i = 0; i < calls; ++i) call();
    check(cudaStreamEndCapture(stream, &graph), "capturing");
    check(cudaGraphInstantiate(&replay, graph, 0), "making a graph");
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "an event");
    check(cudaEventCreate(&end), "an event");
    std::vector<float> times;
    for (int i = 0; i < 15; ++i) {
        // The first keeps the device busy until the second is there.
        check(cudaGraphLaunch(replay, stream), "replaying");
        check(cudaEventRecord(begin, stream), "an event");
        check(cudaGraphLaunch(replay, stream), "replaying");
        check(cudaEventRecord(end, stream), "an event");
        check(cudaEventSynchronize(end), "waiting");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "reading the time");
        times.push_back(ms * 1000 / static_cast<float>(calls));
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
    std::nth_element(times.begin(), times.begin() + 7, times.end());
    return times[7];
}

template <class Key>
class probe {
 public:
    probe(std::uint64_t n, kind how, bool pairs)
        : n_(n),
          how_(how),
          pairs_(pairs),
          in_(n),
          out_(n),
          want_(n),
          values_(n),
          values_out_(n),
          values_want_(n),
          wrong_(1) {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
        make<<<2048, 256, 0, stream_>>>(static_cast<Key*>(in_),
                                        static_cast<std::uint32_t*>(values_), n, how);
        cub(nullptr);
        check(cudaMalloc(&cub_room_, cub_bytes_), "allocating");
        cub_us_ = time_of(stream_, n, [this] { cub(cub_room_); });
    }
    ~probe() {
        cudaFree(cub_room_);
        cudaStreamDestroy(stream_);
    }
    probe(const probe&) = delete;
    probe& operator=(const probe&) = delete;

    /// By the library's own tuning, or another.
    template <sort_tuning... tuning>
    void measure(const char* what) {
        check(cudaMemsetAsync(out_, 0xA5, n_ * sizeof(Key), stream_), "poisoning");
        check(cudaMemsetAsync(values_out_, 0xA5, n_ * 4, stream_), "poisoning");
        check(cudaMemsetAsync(wrong_, 0, 8, stream_), "clearing");
        double us = 0;
        {
            lookback::gpu gpu(stream_);
            us = time_of(stream_, n_, [&] { sort<tuning...>(gpu); });
        }
        compare<<<2048, 256, 0, stream_>>>(static_cast<const Key*>(out_),
                                           static_cast<const Key*>(want_), n_,
                                           static_cast<unsigned long long*>(wrong_));
        if (pairs_) {
            compare<<<2048, 256, 0, stream_>>>(static_cast<const std::uint32_t*>(values_out_),
                                               static_cast<const std::uint32_t*>(values_want_), n_,
                                               static_cast<unsigned long long*>(wrong_));
        }
        unsigned long long wrong = 0;
        check(cudaMemcpyAsync(&wrong, wrong_, 8, cudaMemcpyDeviceToHost, stream_), "reading");
        check(cudaStreamSynchronize(stream_), "reading");
        int power = 0;
        while (std::uint64_t{1} << (power + 1) <= n_) ++power;
        std::printf(
            "u%-3d %-6s %-7s 2^%-2d %-26s %10.2f us %7.2f Gkeys/s   CUB %10.2f us %7.2f "
            "Gkeys/s   %5.2f times%s\n",
            static_cast<int>(8 * sizeof(Key)), pairs_ ? "pairs" : "keys",
            names[static_cast<int>(how_)], power, what, us, rate(us), cub_us_, rate(cub_us_),
            cub_us_ / us, wrong > 0 ? "   WRONG" : "");
        std::fflush(stdout);
    }

 private:
    double rate(double us) const { return static_cast<double>(n_) / us / 1000; }

    void cub(void* room) {
        const Key* in = in_;
        Key* want = want_;
        const std::uint32_t* values = values_;
        std::uint32_t* values_want = values_want_;
        check(pairs_ ? cub::DeviceRadixSort::SortPairs(room, cub_bytes_, in, want, values,
                                                       values_want, n_, 0, 8 * sizeof(Key), stream_)
                     : cub::DeviceRadixSort::SortKeys(room, cub_bytes_, in, want, n_, 0,
                                                      8 * sizeof(Key), stream_),
              "CUB");
    }

    template <sort_tuning... tuning>
    void sort(lookback::gpu& gpu) {
        const Key* in = in_;
        Key* out = out_;
        const std::uint32_t* values = values_;
        std::uint32_t* values_out = values_out_;
        if constexpr (sizeof...(tuning) == 0) {
            if (pairs_) {
                lookback::sort_pairs(gpu, in, in + n_, values, out, values_out);
            } else {
                lookback::sort_keys(gpu, in, in + n_, out);
            }
        } else {
            const lookback::sort_by by{.last_bit = 8 * sizeof(Key)};
            if (pairs_) {
                lookback::detail::device::sort_arrays<Key, tuning...>(gpu, {n_}, in, out, values,
                                                                      values_out, by);
            } else {
                lookback::detail::device::sort_arrays<Key, tuning...>(gpu, {n_}, in, out,
                                                                      no_array{}, no_array{}, by);
            }
        }
    }

    std::uint64_t n_;
    kind how_;
    bool pairs_;
    cudaStream_t stream_ = nullptr;
    array<Key> in_, out_, want_;
    array<std::uint32_t> values_, values_out_, values_want_;
    array<unsigned long long> wrong_;
    void* cub_room_ = nullptr;
    std::size_t cub_bytes_ = 0;
    double cub_us_ = 0;
};

/// A tile of another shape, of keys with values of so many bytes together.
constexpr sort_tuning shaped(int warps, int rows, int blocks,
                             digit_match match = digit_match::ballots) {
    sort_tuning tuning = lookback::detail::device::sort_tuning_of<std::uint32_t, no_array>();
    tuning.tile = {warps, rows, blocks};
    tuning.match = match;
    return tuning;
}

void compare_shapes(std::uint64_t n, bool pairs) {
    probe<std::uint32_t> p(n, kind::random, pairs);
    p.measure("");
    p.measure<shaped(16, 12, 2, digit_match::instruction)>("16 x 12, 2, match");
    p.measure<shaped(16, 12, 2)>("16 x 12, 2");
    p.measure<shaped(16, 12, 3)>("16 x 12, 3");
    p.measure<shaped(16, 16, 2)>("16 x 16, 2");
    p.measure<shaped(16, 16, 2, digit_match::instruction)>("16 x 16, 2, match");
    p.measure<shaped(16, 20, 2)>("16 x 20, 2");
    p.measure<shaped(12, 16, 3)>("12 x 16, 3");
    p.measure<shaped(12, 20, 2)>("12 x 20, 2");
    p.measure<shaped(8, 16, 4)>("8 x 16, 4");
    p.measure<shaped(8, 20, 4)>("8 x 20, 4");
    p.measure<shaped(8, 24, 3)>("8 x 24, 3");
    p.measure<shaped(8, 32, 3)>("8 x 32, 3");
}

template <class Key>
void measure_sizes(kind how, bool pairs, int from = 10) {
    for (int power = from; power <= 28; power += power < 24 ? 2 : 4) {
        probe<Key>(std::uint64_t{1} << power, how, pairs).measure("");
    }
}

}  // namespace

int main(int count, char** words) {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "asking for the device");
    std::printf("%s, %d multiprocessors\n", device.name, device.multiProcessorCount);
    if (count > 1 && std::strcmp(words[1], "shapes") == 0) {
        for (const int power : {22, 28}) {
            for (const bool pairs : {false, true}) {
                compare_shapes(std::uint64_t{1} << power, pairs);
            }
        }
        return 0;
    }
    measure_sizes<std::uint32_t>(kind::random, false);
    measure_sizes<std::uint32_t>(kind::random, true);
    measure_sizes<std::uint64_t>(kind::random, false);
    for (const kind how : {kind::equal, kind::sorted, kind::skewed}) {
        measure_sizes<std::uint32_t>(how, false, 28);
    }
    measure_sizes<std::uint8_t>(kind::random, false, 20);
    measure_sizes<std::uint16_t>(kind::random, false, 20);
    return 0;
}
