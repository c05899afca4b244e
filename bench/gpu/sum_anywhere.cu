// Sums of arrays that begin anywhere, and of items that are not as wide as their sums.

#include <cuda_fp16.h>

#include <cub/device/device_scan.cuh>

#include "lookback/pixel.hpp"
#include "lookback/scan.hpp"
#include "measure.hpp"
#include "random_bits.cuh"
#include "toolkit.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

// Small numbers, of both signs if the type has signs, so that sums of floats are exact.
template <class T>
__device__ T small_number(std::uint64_t i) {
    using number = detail::channel_type<T>;
    const bool has_signs = static_cast<float>(static_cast<number>(-1)) < 0;
    const std::uint64_t bits = random_bits(i);
    T item{};
    for (int k = 0; k < detail::channels_of<T>::channels; ++k) {
        const auto magnitude = static_cast<int>(1 + (bits >> (60 - 4 * k)) % 16);
        detail::channel_of(item, k) =
            static_cast<number>(has_signs && (bits >> k & 1) != 0 ? -magnitude : magnitude);
    }
    return item;
}
template <class In>
__global__ void fill_small(In* items, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) { items[i] = small_number<In>(i); });
}
template <class A, class In, class Out>
__global__ void check_sums(const In* in, const Out* out, std::uint64_t n,
                           unsigned long long* first_wrong) {
    for_each_item(n, [&](std::uint64_t i) {
        A want = static_cast<A>(in[i]);
        if (i > 0) want = static_cast<A>(want + static_cast<A>(out[i - 1]));
        if (!(out[i] == static_cast<Out>(want))) atomicMin(first_wrong, i);
    });
}

/// `in_at`, `out_at`: how many bytes behind a boundary the arrays begin.
template <class In, class Out, class A>
void measure_sums(session& s, const observer& tell, const char* type, std::size_t in_at,
                  std::size_t out_at) {
    for (const int exponent : {12, 16, 20, 24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        if (n * std::max(sizeof(In), sizeof(Out)) + 16 > s.array_bytes()) return;
        cell c;
        c.op = "sum_anywhere";
        c.type = type;
        c.items = n;
        c.item_bytes = static_cast<int>(std::max(sizeof(In), sizeof(Out)));
        c.least_bytes = n * (sizeof(In) + sizeof(Out));
        c.copied_bytes = c.least_bytes / 32 * 32;
        if (!tell.wants(c)) continue;
        tell.begin(c);
        auto* const in = reinterpret_cast<In*>(static_cast<char*>(s.in()) + in_at);
        auto* const out = reinterpret_cast<Out*>(static_cast<char*>(s.out()) + out_at);
        const In* const from = in;
        const implementation ours = {
            "ours", [=, &s] { inclusive_scan(s.gpu(), from, from + n, out, plus<A>{}); }};
        const auto count = static_cast<std::uint32_t>(n);
        const implementation cub =
            cub_call(s, "cub", cub_slot, [=, &s](void* memory, std::size_t& bytes) {
                return cub::DeviceScan::InclusiveScan(memory, bytes, from, out, plus<A>{}, count,
                                                      s.stream());
            });
        fill_small<<<check_blocks(n), check_threads, 0, s.stream()>>>(in, n);
        check(cudaGetLastError(), "launching a fill");
        const auto judge = [&](const implementation& one) -> std::string {
            check(cudaMemsetAsync(out, 0xa5, n * sizeof(Out), s.stream()), "poisoning");
            one.call();
            const std::uint64_t wrong = first_wrong_item(s, [&](unsigned long long* found) {
                check_sums<A>
                    <<<check_blocks(n), check_threads, 0, s.stream()>>>(from, out, n, found);
            });
            if (wrong == none_wrong) return "";
            return one.name + " is wrong, first at item " + std::to_string(wrong);
        };
        c.trouble = judge(ours);
        if (c.trouble.empty()) c.trouble = judge(cub);
        if (c.trouble.empty()) {
            std::vector<implementation> timed = {ours, cub};
            for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
            c.device_us = s.device_times(timed, c.trouble);
            const std::string wrong = judge(ours);  // still right after all these calls
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

template <class T, int channels>
void measure_pixels(session& s, const observer& tell, const char* type, std::size_t in_at,
                    std::size_t out_at) {
    using item = pixel<T, channels>;
    measure_sums<item, item, item>(s, tell, type, in_at, out_at);
}

}  // namespace

void measure_sums_anywhere(session& s, const observer& tell) {
    using std::int64_t;
    measure_sums<int, int, int>(s, tell, "i32+4_to_i32+8", 4, 8);
    measure_sums<double, double, double>(s, tell, "f64+8_to_f64+8", 8, 8);
    measure_sums<std::uint8_t, std::uint8_t, std::uint8_t>(s, tell, "u8+1_to_u8+3", 1, 3);
    measure_sums<std::uint16_t, std::uint16_t, std::uint16_t>(s, tell, "u16+2_to_u16+6", 2, 6);
    measure_sums<std::uint8_t, std::uint32_t, std::uint32_t>(s, tell, "u8_to_u32", 0, 0);
    measure_sums<std::uint8_t, std::uint32_t, std::uint32_t>(s, tell, "u8+1_to_u32+4", 1, 4);
    measure_sums<std::uint8_t, int64_t, int64_t>(s, tell, "u8_to_i64", 0, 0);
    measure_sums<bool, int64_t, int64_t>(s, tell, "bool_to_i64", 0, 0);
    measure_sums<__half, float, float>(s, tell, "f16_to_f32", 0, 0);
    measure_sums<float, double, double>(s, tell, "f32_to_f64", 0, 0);
    measure_sums<int64_t, int, int64_t>(s, tell, "i64_to_i32", 0, 0);
    measure_pixels<std::uint8_t, 4>(s, tell, "4xu8", 0, 0);
    measure_pixels<std::uint8_t, 4>(s, tell, "4xu8+1_to_4xu8+3", 1, 3);
    measure_pixels<std::int32_t, 2>(s, tell, "2xi32+4_to_2xi32+4", 4, 4);
    measure_pixels<std::uint8_t, 3>(s, tell, "3xu8", 0, 0);
    measure_pixels<float, 3>(s, tell, "3xf32", 0, 0);
}

}  // namespace lookback::bench
