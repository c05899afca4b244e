/// \file
/// Selections and runs: which operation on which data, and the arrays that all implementations work
/// on.
///
/// An operation has a name and the data that fill the input. It says how many bytes have to be
/// moved for each item and for each result: an item is read once, a result written once. `results`
/// is the number that it returns.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "memory.hpp"

namespace lookback::bench::compaction {

using key = std::uint32_t;

/// Where an operation reads and writes: the keys' input and output, and, for operations that have
/// them, a second input and output, which follow the first ones without a gap.
struct arrays {
    std::size_t items = 0;
    key* in = nullptr;
    float* values = nullptr;
    key* out = nullptr;
    std::uint32_t* lengths = nullptr;  ///< the second output, of run lengths
    float* sums = nullptr;             ///< or of sums
    const std::uint32_t* offsets = nullptr;
    std::size_t segments = 0;
    std::size_t moved_bytes = 0;
};

/// Whether an item is below a bound, which the compiler does not know.
struct below {
    key bound;
    bool operator()(key x) const { return x < bound; }
};

/// Random items, of which `percent` are below the bound.
struct random_items {
    static constexpr bool with_values = false;
    key percent;

    below keep() const { return {static_cast<key>(std::uint64_t{percent} * (key{1} << 31) / 100)}; }
    std::string name() const { return fmt::format("keep {} %", percent); }
    void fill(const arrays& a) const {
        bench::fill(a.in, a.items,
                    [](std::size_t i) { return static_cast<key>(random_bits(i) >> 33); });
    }
};

/// Random keys in runs whose lengths are random too: each item begins a run with the same
/// probability. Values are small whole numbers, so that their sums are exact in any order.
struct random_runs {
    static constexpr bool with_values = true;
    std::size_t mean;

    std::string name() const { return fmt::format("mean run {}", mean); }
    void fill(const arrays& a) const {
        in_pieces(a.items, fill_grain, [&](std::size_t first, std::size_t count) {
            const auto begins = [&](std::size_t i) { return i == 0 || random_bits(i) % mean == 0; };
            std::size_t head = first;
            while (!begins(head)) --head;
            for (std::size_t i = first; i < first + count; ++i) {
                if (begins(i)) head = i;
                a.in[i] = static_cast<key>(random_bits(head) >> 32);
                a.values[i] = static_cast<float>(random_bits(i) >> 61);
            }
        });
    }
};

/// Which of the two outputs an operation writes, and how many items of each.
struct into_first {
    static constexpr bool to_first = true, to_second = false, by_offsets = false;
    static std::size_t outputs(std::size_t /*items*/, std::size_t results) { return results; }
};
struct into_both : into_first {
    static constexpr bool to_second = true;
};
struct scan_of_all {
    static constexpr bool to_first = false, to_second = true, by_offsets = false;
    static std::size_t outputs(std::size_t items, std::size_t /*results*/) { return items; }
};

struct select_if : into_first {
    static constexpr const char* name = "select_if";
    random_items data;
    static constexpr std::size_t bytes_an_item = sizeof(key), bytes_a_result = sizeof(key);
};

/// Into one output; the results are the items that are kept.
struct partition_if : into_first {
    static constexpr const char* name = "partition_if";
    static std::size_t outputs(std::size_t items, std::size_t /*results*/) { return items; }
    random_items data;
    static constexpr std::size_t bytes_an_item = 2 * sizeof(key), bytes_a_result = 0;
};

struct unique : into_first {
    static constexpr const char* name = "unique";
    random_runs data;
    static constexpr std::size_t bytes_an_item = sizeof(key), bytes_a_result = sizeof(key);
};

struct run_length_encode : into_both {
    static constexpr const char* name = "run_length_encode";
    random_runs data;
    static constexpr std::size_t bytes_an_item = sizeof(key),
                                 bytes_a_result = sizeof(key) + sizeof(std::uint32_t);
};

struct reduce_by_key : into_both {
    static constexpr const char* name = "reduce_by_key";
    random_runs data;
    static constexpr std::size_t bytes_an_item = sizeof(key) + sizeof(float),
                                 bytes_a_result = sizeof(key) + sizeof(float);
};

/// Running sums of the values of each run of keys; as many results as items.
struct scan_by_key : scan_of_all {
    static constexpr const char* name = "scan_by_key";
    random_runs data;
    static constexpr std::size_t bytes_an_item = sizeof(key) + 2 * sizeof(float),
                                 bytes_a_result = 0;
};

/// The same, where the runs are given by the places at which they begin; `results` are these
/// offsets.
struct segmented_scan : scan_of_all {
    static constexpr const char* name = "segmented_scan";
    static constexpr bool by_offsets = true;
    random_runs data;
    static constexpr std::size_t bytes_an_item = 2 * sizeof(float),
                                 bytes_a_result = sizeof(std::uint32_t);
};

}  // namespace lookback::bench::compaction
