/// \file
/// All strategies that have a name, for scans, sorts and summed-area tables: for the command line,
/// the benchmarks and the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "lookback/operators.hpp"

namespace lookback::strategies {

enum class backend { cpu, cuda };
enum class item_type { i32, i64, f32, f64 };
enum class folding { sum, maximum };
enum class key_type { u32, i32, f32 };

/// A scan: out[i] = in[0] · ... · in[i]. The arrays are the same or do not overlap. On CUDA they
/// lie in device memory, and the call is asynchronous.
struct scan_call {
    item_type type;
    folding op;
    const void* in;
    void* out;
    std::size_t items;
};

/// A sort: `out` gets the keys of `in`, ascending, in the order of lookback::sort_keys. The arrays
/// lie as a scan's do.
struct sort_call {
    key_type type;
    const void* in;
    void* out;
    std::size_t items;
};

/// A table: `out` gets the summed-area table of `in`, an RGB8 image, with four floats a pixel. Both
/// lie in device memory, in rows without gaps, `out` on a boundary of 16 bytes; cuda/tables.cuh
/// says which strategies leave a transposed table. The call is asynchronous.
struct table_call {
    const void* in;
    void* out;
    std::size_t height, width;
};

class device;  // cuda/device.cuh

/// What a strategy may use: so many threads (0: all cores), or this GPU.
struct resources {
    int threads = 0;
    device* gpu = nullptr;
};

/// A way to do what a Call asks for.
template <class Call>
struct strategy_for {
    using function = void (*)(const Call&, const resources&);
    std::string_view name;
    backend runs_on;
    /// What it moves to and from memory, in arrays of n items, or bytes a pixel.
    std::string_view moves;
    std::string_view source;
    function run;
};
using strategy = strategy_for<scan_call>;
using sort_strategy = strategy_for<sort_call>;
using table_strategy = strategy_for<table_call>;

/// The strategies on CUDA are listed in builds without CUDA, too; there their `run` throws an error
/// that says what is missing.
std::span<const strategy> all_strategies();
std::span<const sort_strategy> all_sort_strategies();
std::span<const table_strategy> all_table_strategies();
/// Null if no strategy has this name.
const strategy* find_strategy(std::string_view name);
const sort_strategy* find_sort_strategy(std::string_view name);

/// Runs a strategy on CUDA on arrays in host memory, on the first GPU. Throws std::runtime_error if
/// there is none.
void run_on_gpu(const strategy& s, const scan_call& call);
void run_on_gpu(const sort_strategy& s, const sort_call& call);

/// The `run` of the strategy on CUDA with this name, for programs that contain only these.
strategy::function find_cuda_run(std::string_view name);
sort_strategy::function find_cuda_sort(std::string_view name);
table_strategy::function find_cuda_table(std::string_view name);

namespace detail_of_registry {

template <class T, class F>
void with_operator(const scan_call& c, const F& f) {
    const T* const in = static_cast<const T*>(c.in);
    T* const out = static_cast<T*>(c.out);
    if (c.op == folding::sum) return f(in, out, plus<>{});
    return f(in, out, maximum<>{});
}

}  // namespace detail_of_registry

/// Calls f(in, out, op) for a scan, or f(in, out) for a sort, with pointers of the call's types.
template <class F>
void with_types(const scan_call& c, const F& f) {
    using namespace detail_of_registry;
    switch (c.type) {
        case item_type::i32: return with_operator<std::int32_t>(c, f);
        case item_type::i64: return with_operator<std::int64_t>(c, f);
        case item_type::f32: return with_operator<float>(c, f);
        case item_type::f64: return with_operator<double>(c, f);
    }
}
template <class F>
void with_types(const sort_call& c, const F& f) {
    const auto with_key = [&]<class Key>(Key) {
        f(static_cast<const Key*>(c.in), static_cast<Key*>(c.out));
    };
    switch (c.type) {
        case key_type::u32: return with_key(std::uint32_t{});
        case key_type::i32: return with_key(std::int32_t{});
        case key_type::f32: return with_key(float{});
    }
}

}  // namespace lookback::strategies
