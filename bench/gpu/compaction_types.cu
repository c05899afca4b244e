// Compactions and runs, by other types than u32: items of 1 to 16 bytes, keys and values of
// different sizes, on boundaries of 16 bytes and off them.

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "compaction_input.hpp"
#include "compaction_typed.hpp"
#include "lookback/runs.hpp"
#include "lookback/segmented.hpp"
#include "lookback/select.hpp"
#include "random_bits.cuh"
#include "toolkit.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

struct wide {
    std::uint64_t low, high;
};
template <class T>
__device__ T item_of(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, wide>) {
        return {bits, ~bits};
    } else {
        return static_cast<T>(bits);
    }
}
struct is_odd {
    template <class T>
    __host__ __device__ bool operator()(const T& item) const {
        if constexpr (std::is_same_v<T, wide>) {
            return (item.low & 1) != 0;
        } else {
            return (item & 1) != 0;
        }
    }
};

template <class T>
__global__ void fill_random(T* items, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) { items[i] = item_of<T>(random_bits(i)); });
}
template <class T>
__global__ void fill_small(T* values, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) { values[i] = static_cast<T>(random_bits(i) >> 60); });
}
// Keys in runs of 10 items in the mean: each 40 items are cut at three random places. (Keys of a
// byte begin anew after 256.)
template <class T>
__global__ void fill_runs(T* keys, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) {
        std::uint64_t key = i / 40 * 4;
        std::uint64_t bits = random_bits(i / 40);
        for (int cut = 0; cut < 3; ++cut, bits >>= 16) key += i % 40 >= bits % 40;
        keys[i] = item_of<T>(key);
    });
}

template <class T>
T* array_of(const session& s, compaction_array which) {
    return static_cast<T*>(s.array(which));
}
// Fills an array with a kernel of these.
template <class T>
void fill(const session& s, compaction_array which, std::uint64_t n,
          void (*kernel)(T*, std::uint64_t)) {
    kernel<<<check_blocks(n), check_threads, 0, s.stream()>>>(array_of<T>(s, which), n);
}
const std::string runs_of_10 = "runs of 10";

template <class T>
void measure_items(session& s, const observer& tell, const char* type) {
    auto* const count = counts_at(s);
    constexpr int size = sizeof(T);
    measure_typed_sizes(s, tell, size, alignof(T), [&](std::uint64_t n) -> typed_contest {
        const auto* const in = array_of<const T>(s, items_at);
        auto* const out = array_of<T>(s, out_at);
        const auto ours = [=, &s] {
            select_if(s.gpu(), in, in + n, out, count_to<std::uint64_t>{count}, is_odd{});
        };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceSelect::If(memory, bytes, in, out, count,
                                         static_cast<std::int64_t>(n), is_odd{}, s.stream());
        };
        return {.op = "select_if",
                .type = type,
                .data = keep_text(50),
                .item_bytes = size,
                .read_bytes = size,
                .outputs = {size},
                .fill = [=, &s] { fill<T>(s, items_at, n, fill_random); },
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
    measure_typed_sizes(s, tell, size, alignof(T), [&](std::uint64_t n) -> typed_contest {
        const auto* const in = array_of<const T>(s, items_at);
        const auto* const flags = array_of<const std::uint8_t>(s, values_at);
        auto* const out = array_of<T>(s, out_at);
        const auto ours = [=, &s] {
            select_flagged(s.gpu(), in, in + n, flags, out, count_to<std::uint64_t>{count});
        };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceSelect::Flagged(memory, bytes, in, flags, out, count,
                                              static_cast<std::int64_t>(n), s.stream());
        };
        return {.op = "select_flagged",
                .type = type,
                .data = keep_text(50),
                .item_bytes = size,
                .read_bytes = size + sizeof(*flags),
                .outputs = {size},
                .fill =
                    [=, &s] {
                        fill<T>(s, items_at, n, fill_random);
                        fill_flags(s, n);
                    },
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
}

template <class K>
void measure_keys(session& s, const observer& tell, const char* type) {
    auto* const count = counts_at(s);
    constexpr int size = sizeof(K);
    measure_typed_sizes(s, tell, size, size, [&](std::uint64_t n) -> typed_contest {
        const auto* const in = array_of<const K>(s, items_at);
        auto* const out = array_of<K>(s, out_at);
        const auto ours = [=, &s] {
            unique(s.gpu(), in, in + n, out, count_to<std::uint64_t>{count});
        };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceSelect::Unique(memory, bytes, in, out, count,
                                             static_cast<std::int64_t>(n), s.stream());
        };
        return {.op = "unique",
                .type = type,
                .data = runs_of_10,
                .item_bytes = size,
                .read_bytes = size,
                .outputs = {size},
                .fill = [=, &s] { fill<K>(s, items_at, n, fill_runs); },
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
    constexpr std::size_t widest = std::max(sizeof(K), sizeof(word));
    measure_typed_sizes(s, tell, widest, widest, [&](std::uint64_t n) -> typed_contest {
        const auto* const in = array_of<const K>(s, items_at);
        auto* const out = array_of<K>(s, out_at);
        auto* const lengths = array_of<word>(s, second_out_at);
        const auto ours = [=, &s] {
            run_length_encode(s.gpu(), in, in + n, out, lengths, count_to<std::uint64_t>{count});
        };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceRunLengthEncode::Encode(memory, bytes, in, out, lengths, count,
                                                      static_cast<int>(n), s.stream());
        };
        return {.op = "run_length_encode",
                .type = type,
                .data = runs_of_10,
                .item_bytes = size,
                .read_bytes = size,
                .outputs = {size, sizeof(word)},
                .fill = [=, &s] { fill<K>(s, items_at, n, fill_runs); },
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
}

template <class K, class V>
void measure_pairs(session& s, const observer& tell, const char* type) {
    auto* const count = counts_at(s);
    constexpr int widest = std::max(sizeof(K), sizeof(V));
    const auto filling = [&](std::uint64_t n) {
        return [&s, n] {
            fill<K>(s, items_at, n, fill_runs);
            fill<V>(s, values_at, n, fill_small);
        };
    };
    measure_typed_sizes(s, tell, widest, widest, [&](std::uint64_t n) -> typed_contest {
        const auto* const keys = array_of<const K>(s, items_at);
        const auto* const values = array_of<const V>(s, values_at);
        auto* const keys_out = array_of<K>(s, out_at);
        auto* const sums = array_of<V>(s, second_out_at);
        const auto ours = [=, &s] {
            reduce_by_key(s.gpu(), keys, keys + n, values, keys_out, sums,
                          count_to<std::uint64_t>{count});
        };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceReduce::ReduceByKey(memory, bytes, keys, keys_out, values, sums,
                                                  count, ::cuda::std::plus<>{}, static_cast<int>(n),
                                                  s.stream());
        };
        return {.op = "reduce_by_key",
                .type = type,
                .data = runs_of_10,
                .item_bytes = widest,
                .read_bytes = sizeof(K) + sizeof(V),
                .outputs = {sizeof(K), sizeof(V)},
                .fill = filling(n),
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
    measure_typed_sizes(s, tell, widest, widest, [&](std::uint64_t n) -> typed_contest {
        const auto* const keys = array_of<const K>(s, items_at);
        const auto* const values = array_of<const V>(s, values_at);
        auto* const sums = array_of<V>(s, out_at);
        const auto ours = [=, &s] { inclusive_scan_by_key(s.gpu(), keys, keys + n, values, sums); };
        const auto cub = [=, &s](void* memory, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveSumByKey(memory, bytes, keys, values, sums,
                                                      static_cast<std::uint32_t>(n),
                                                      ::cuda::std::equal_to<>{}, s.stream());
        };
        return {.op = "inclusive_scan_by_key",
                .type = type,
                .data = runs_of_10,
                .item_bytes = widest,
                .read_bytes = sizeof(K) + sizeof(V),
                .outputs = {sizeof(V)},
                .counts = false,
                .fill = filling(n),
                .ours = {"ours", ours},
                .cub = cub_call(s, "cub", cub_slot, cub)};
    });
}

}  // namespace

void measure_other_types(session& s, const observer& tell) {
    measure_items<std::uint8_t>(s, tell, "u8");
    measure_items<std::uint16_t>(s, tell, "u16");
    measure_items<std::uint64_t>(s, tell, "u64");
    measure_items<wide>(s, tell, "2xu64");
    measure_keys<std::uint8_t>(s, tell, "u8");
    measure_keys<std::uint16_t>(s, tell, "u16");
    measure_keys<std::uint64_t>(s, tell, "u64");
    measure_pairs<std::uint8_t, float>(s, tell, "u8_f32");
    measure_pairs<std::uint64_t, double>(s, tell, "u64_f64");
    measure_pairs<std::uint32_t, std::uint8_t>(s, tell, "u32_u8");
}

}  // namespace lookback::bench
