// How fast segments are sorted on this GPU, beside CUB's DeviceSegmentedSort, in a program of its
// own:
//
//     nvcc -std=c++20 -O3 -arch=sm_90 -Iinclude bench/gpu/segmented_sort_probe.cu -o probe
//     ./probe            # 2^26 u32 in segments of several lengths: keys, then pairs
//     ./probe 22 keys    # 2^22, keys alone
//
// Results are compared with CUB's on the device (keys are all there is to compare: CUB's
// StableSortPairs for the values). Times are medians of 15 calls between events, behind one that
// keeps the device busy. Bytes that must move: each key and value read and written once, and the
// offsets.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_segmented_sort.cuh>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"

namespace {

void check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(1);
}

template <class T>
class array {
 public:
    explicit array(std::uint64_t n) { check(cudaMalloc(&at_, n * sizeof(T)), "allocating"); }
    explicit array(const std::vector<T>& values) : array(values.size()) {
        check(cudaMemcpy(at_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying");
    }
    ~array() { cudaFree(at_); }
    array(const array&) = delete;
    array& operator=(const array&) = delete;
    operator T*() const { return at_; }

 private:
    T* at_ = nullptr;
};

__global__ void make(std::uint32_t* keys, std::uint32_t* values, std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        keys[i] = static_cast<std::uint32_t>(x ^ (x >> 31));
        values[i] = static_cast<std::uint32_t>(i);
    }
}
/// The number of items that differ.
__global__ void compare(const std::uint32_t* a, const std::uint32_t* b, std::uint64_t n,
                        unsigned long long* wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        if (a[i] != b[i]) atomicAdd(wrong, 1ULL);
    }
}

/// The median time of a call, in ms.
double time_of(cudaStream_t stream, const std::function<void()>& call) {
    call();
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "an event");
    check(cudaEventCreate(&end), "an event");
    std::vector<float> times;
    for (int i = 0; i < 15; ++i) {
        call();
        check(cudaEventRecord(begin, stream), "an event");
        call();
        check(cudaEventRecord(end, stream), "an event");
        check(cudaEventSynchronize(end), "waiting");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "reading the time");
        times.push_back(ms);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    std::nth_element(times.begin(), times.begin() + 7, times.end());
    return times[7];
}

struct segments {
    std::string name;
    std::vector<std::int32_t> offsets;
};

template <class Length>
segments of_lengths(const std::string& name, std::uint64_t n, const Length& length) {
    segments all{name, {0}};
    for (std::uint64_t at = 0; at < n;) {
        at = std::min<std::uint64_t>(n, at + length());
        all.offsets.push_back(static_cast<std::int32_t>(at));
    }
    return all;
}
segments of_length(std::uint64_t n, std::uint64_t length) {
    return of_lengths("of " + std::to_string(length), n, [=] { return length; });
}
/// Of all magnitudes up to 2^22, as many items in each; between them empty ones.
segments mixed(std::uint64_t n) {
    std::mt19937_64 random(n);
    int magnitude = 0;
    std::uint64_t left = 0;
    return of_lengths("mixed", n, [&]() -> std::uint64_t {
        if (left == 0) {
            magnitude = static_cast<int>(random() % 23);
            left = std::uint64_t{1} << 22;
        }
        if (random() % 8 == 0) return 0;
        const std::uint64_t most = std::uint64_t{1} << magnitude;
        const std::uint64_t length = std::min(left, most / 2 + 1 + random() % most);
        left -= length;
        return length;
    });
}

/// n items; times and compares.
class probe {
 public:
    probe(std::uint64_t n, bool pairs)
        : n_(n),
          pairs_(pairs),
          in_(n),
          out_(n),
          want_(n),
          values_(n),
          values_out_(n),
          values_want_(n),
          wrong_(1) {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
        make<<<2048, 256, 0, stream_>>>(in_, values_, n);
        copy_ms_ = time_of(stream_, [this] {
            check(cudaMemcpyAsync(out_, in_, n_ * 4, cudaMemcpyDeviceToDevice, stream_), "copying");
            if (pairs_) {
                check(cudaMemcpyAsync(values_out_, values_, n_ * 4, cudaMemcpyDeviceToDevice,
                                      stream_),
                      "copying");
            }
        });
    }
    ~probe() { cudaStreamDestroy(stream_); }
    probe(const probe&) = delete;
    probe& operator=(const probe&) = delete;

    void measure(const segments& how) {
        const array<std::int32_t> offsets(how.offsets);
        const auto segments = static_cast<std::int64_t>(how.offsets.size()) - 1;
        void* room = nullptr;
        std::size_t bytes = 0;
        const auto by_cub = [&] {
            const std::uint32_t *in = in_, *values = values_;
            std::uint32_t *want = want_, *values_want = values_want_;
            const std::int32_t* first = offsets;
            const auto n = static_cast<std::int64_t>(n_);
            check(pairs_ ? cub::DeviceSegmentedSort::StableSortPairs(room, bytes, in, want, values,
                                                                     values_want, n, segments,
                                                                     first, first + 1, stream_)
                         : cub::DeviceSegmentedSort::SortKeys(room, bytes, in, want, n, segments,
                                                              first, first + 1, stream_),
                  "CUB");
        };
        by_cub();
        check(cudaMalloc(&room, bytes), "allocating");
        const double cub_ms = time_of(stream_, by_cub);

        check(cudaMemsetAsync(out_, 0xA5, n_ * 4, stream_), "poisoning");
        check(cudaMemsetAsync(values_out_, 0xA5, n_ * 4, stream_), "poisoning");
        check(cudaMemsetAsync(wrong_, 0, 8, stream_), "clearing");
        double ms = 0;
        {
            lookback::gpu gpu(stream_);
            const std::int32_t* const first = offsets;
            const lookback::segment_offsets in_segments{first, first + segments + 1};
            const std::uint32_t *in = in_, *values = values_;
            std::uint32_t *out = out_, *values_out = values_out_;
            ms = time_of(stream_, [&] {
                if (pairs_) {
                    lookback::segmented_sort_pairs(gpu, in, in + n_, values, in_segments, out,
                                                   values_out);
                } else {
                    lookback::segmented_sort_keys(gpu, in, in + n_, in_segments, out);
                }
            });
        }
        compare<<<2048, 256, 0, stream_>>>(out_, want_, n_, wrong_);
        if (pairs_) compare<<<2048, 256, 0, stream_>>>(values_out_, values_want_, n_, wrong_);
        unsigned long long wrong = 0;
        check(cudaMemcpyAsync(&wrong, wrong_, 8, cudaMemcpyDeviceToHost, stream_), "reading");
        check(cudaStreamSynchronize(stream_), "reading");
        cudaFree(room);
        std::printf(
            "%-5s %-12s %9lld segments %9.3f ms   CUB %9.3f ms   %5.2f of it   copy %6.3f"
            " ms%s\n",
            pairs_ ? "pairs" : "keys", how.name.c_str(), static_cast<long long>(segments), ms,
            cub_ms, ms / cub_ms, copy_ms_, wrong > 0 ? "   WRONG" : "");
        std::fflush(stdout);
    }

 private:
    std::uint64_t n_;
    bool pairs_;
    cudaStream_t stream_ = nullptr;
    array<std::uint32_t> in_, out_, want_, values_, values_out_, values_want_;
    array<unsigned long long> wrong_;
    double copy_ms_ = 0;
};

}  // namespace

int main(int count, char** words) {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "asking for the device");
    std::printf("%s, %d multiprocessors\n", device.name, device.multiProcessorCount);
    const int power = count > 1 ? std::atoi(words[1]) : 26;
    const std::uint64_t n = std::uint64_t{1} << power;
    for (const bool pairs : {false, true}) {
        if (pairs && count > 2 && std::strcmp(words[2], "keys") == 0) break;
        probe p(n, pairs);
        for (const std::uint64_t length :
             {1, 4, 16, 30, 64, 65, 100, 300, 1'000, 3'000, 6'000, 10'000, 16'000, 30'000, 100'000,
              1'000'000, 30'000'000}) {
            if (length <= n) p.measure(of_length(n, length));
        }
        p.measure(mixed(n));
    }
    return 0;
}
