// Sums of floats that round, by each primitive and driver, as a hash of the bits of the results.
// The bits are the same on every GPU and in every run. float_bits_test.cu compares them on a GPU,
// trial/tests/float_bits.cpp on the simulated GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lookback/axis_scan.hpp"
#include "lookback/runs.hpp"
#include "lookback/scan.hpp"
#include "lookback/segmented.hpp"

namespace lookback::test {

/// Device memory, with copies to it and from it.
template <class T>
class plain_array {
 public:
    explicit plain_array(std::uint64_t items) : items_(items) {
        if (cudaMalloc(&data_, items * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    }
    explicit plain_array(const std::vector<T>& values, std::uint64_t room = 0)
        : plain_array(values.size() > room ? values.size() : room) {
        cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~plain_array() { cudaFree(data_); }
    plain_array(const plain_array&) = delete;
    plain_array& operator=(const plain_array&) = delete;
    T* data() { return data_; }

    /// FNV-1a of the bytes of the first `items` items.
    std::string hash(std::uint64_t items) {
        std::vector<unsigned char> bytes(items * sizeof(T));
        // The call's stream and the copy do not wait for each other.
        cudaDeviceSynchronize();
        if (cudaMemcpy(bytes.data(), data_, bytes.size(), cudaMemcpyDeviceToHost) != cudaSuccess) {
            throw std::runtime_error("reading results");
        }
        std::uint64_t hash = 0xcbf29ce484222325ULL;
        for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
        char text[17];
        for (int i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
        text[16] = '\0';
        return text;
    }

 private:
    T* data_ = nullptr;
    std::uint64_t items_;
};

/// Uniform in [-1, 1).
template <class T>
std::vector<T> rounding_values(std::uint64_t n) {
    std::vector<T> values(n);
    std::uint64_t state = 1;
    for (T& value : values) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        value =
            static_cast<T>(static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1p-52);
    }
    return values;
}

/// The scan with a count in device memory, of at most `at_most` items, which chooses the driver.
template <class T>
std::string scan_bits(lookback::gpu& gpu, std::uint64_t n, std::uint64_t at_most) {
    plain_array<T> in(rounding_values<T>(n), at_most), out(at_most);
    plain_array<std::uint64_t> count(std::vector<std::uint64_t>{n});
    lookback::inclusive_scan(gpu, static_cast<const T*>(in.data()),
                             count_at<std::uint64_t>{count.data(), at_most}, out.data());
    return out.hash(n);
}

inline std::vector<std::uint32_t> short_runs(std::uint64_t n) {
    std::vector<std::uint32_t> keys(n);
    for (std::uint64_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>((i * i / 700) / 97);
    return keys;
}

/// All cases by their names.
inline std::map<std::string, std::string> float_bits(lookback::gpu& gpu) {
    std::map<std::string, std::string> bits;
    constexpr std::uint64_t many = (1 << 20) + 1;  // more than the light driver takes
    for (const std::uint64_t n : {1000ULL, 4095ULL, 9000ULL, 50'000ULL}) {
        bits["scan f32 " + std::to_string(n)] = scan_bits<float>(gpu, n, n);
        bits["scan f64 " + std::to_string(n)] = scan_bits<double>(gpu, n, n);
    }
    constexpr std::uint64_t of_light = 1 << 17;  // for which the light driver has its largest tiles
    bits["scan f32 70001 of 2^18"] = scan_bits<float>(gpu, 70'001, 2 * of_light);
    bits["scan f64 50003 of 2^17"] = scan_bits<double>(gpu, 50'003, of_light);
    bits["scan f32 large 70001"] = scan_bits<float>(gpu, 70'001, many);
    bits["scan f64 large 50003"] = scan_bits<double>(gpu, 50'003, many);
    constexpr std::uint64_t n = 40'000;
    plain_array<float> values(rounding_values<float>(n)), out(n);
    plain_array<std::uint32_t> keys(short_runs(n)), keys_out(n);
    const std::uint32_t* const first = keys.data();
    const float* const from = values.data();
    for (const bool small : {true, false}) {
        detail::device::access::use_small(gpu, small);
        const std::string driver = small ? "" : "large ";
        lookback::inclusive_scan_by_key(gpu, first, first + n, from, out.data());
        bits["scan by key f32 " + driver + "40000"] = out.hash(n);
        const std::size_t runs =
            lookback::reduce_by_key(gpu, first, first + n, from, keys_out.data(), out.data());
        bits["reduce by key f32 " + driver + "40000"] = out.hash(runs);
        lookback::inclusive_scan(gpu, from, axis_extents{40, 1000, 1}, out.data());
        bits["rows f32 " + driver + "40 x 1000"] = out.hash(n);
    }
    detail::device::access::use_small(gpu, true);
    lookback::inclusive_scan(gpu, from, axis_extents{1, 1000, 40}, out.data());
    bits["columns f32 1000 x 40"] = out.hash(n);
    return bits;
}

/// The bits that an H200 computed.
inline const std::map<std::string, std::string> bits_of_a_gpu = {
    {"columns f32 1000 x 40", "255bd2241d6bab73"},
    {"reduce by key f32 40000", "7b76009d24e5029b"},
    {"reduce by key f32 large 40000", "0d44916e89758e8b"},
    {"rows f32 40 x 1000", "c9ccde99434aa8a9"},
    {"rows f32 large 40 x 1000", "ccb80b9f7a7709cc"},
    {"scan by key f32 40000", "6967a837c96f9d7f"},
    {"scan by key f32 large 40000", "6967a837c96f9d7f"},
    {"scan f32 1000", "6cd86b2698bf4243"},
    {"scan f32 4095", "19d88d02fc558ef5"},
    {"scan f32 50000", "1969384fc7629a07"},
    {"scan f32 70001 of 2^18", "b77e833a10abd72a"},
    {"scan f32 9000", "7fac7e45fc685d60"},
    {"scan f32 large 70001", "326905c5c918d21a"},
    {"scan f64 1000", "0104c57702dbc57c"},
    {"scan f64 4095", "ff6e6422530a0b1e"},
    {"scan f64 50000", "4e27d007507ea092"},
    {"scan f64 50003 of 2^17", "cd1333586d3a0b8c"},
    {"scan f64 9000", "ccae330f248e2b39"},
    {"scan f64 large 50003", "8e010c2fd0e2b50c"},
};

}  // namespace lookback::test
