// Calls every public function but those of images (tables and filters) in the same way on any
// execution: with ranges and with iterators, with counts that are returned and counts in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/values.hpp"

namespace lookback::test {

struct is_small {
    LOOKBACK_HD bool operator()(std::uint32_t x) const { return x < 1U << 30; }
};
struct is_middle {
    LOOKBACK_HD bool operator()(std::uint32_t x) const { return x < 1U << 31; }
};
struct half_of {
    LOOKBACK_HD std::uint32_t operator()(std::uint32_t x) const { return x / 2; }
};
struct same_half {
    LOOKBACK_HD bool operator()(std::uint32_t a, std::uint32_t b) const { return a / 2 == b / 2; }
};

/// A GPU's memory for call_everything, in arrays of type `Array`.
template <class Array>
class gpu_memory {
    using u32 = std::uint32_t;

 public:
    std::span<const u32> upload(const std::vector<u32>& values) {
        return {arrays_.emplace_back(values).data(), values.size()};
    }
    std::span<u32> room(std::size_t items) { return {arrays_.emplace_back(items).data(), items}; }
    /// Waits for the GPU. `some` must be the first items of an array.
    std::vector<u32> download(std::span<const u32> some) {
        const auto array = std::find_if(arrays_.begin(), arrays_.end(),
                                        [&](Array& one) { return one.data() == some.data(); });
        std::vector<u32> values = array->get();
        values.resize(some.size());
        return values;
    }

 private:
    std::list<Array> arrays_;
};

/// `Memory` has upload(values) and room(items), which return spans of memory that `where` can read
/// and write, and download(span). Returns all results, one after the other.
template <class Where, class Memory>
std::vector<std::uint32_t> call_everything(Where&& where, Memory& memory, std::size_t n) {
    using u32 = std::uint32_t;
    std::vector<u32> keys(n), flags(n);
    for (std::size_t i = 0; i < n; ++i) {
        keys[i] = static_cast<u32>(i / 5);
        flags[i] = i % 7 == 3 ? 1 : 0;
    }
    const std::span<const u32> in = memory.upload(random_values<u32>(n, 3));
    const std::span<const u32> key = memory.upload(keys), flag = memory.upload(flags);
    const std::span<const u32> five = memory.upload(std::vector<u32>{5});
    const std::span<const u32> count = memory.upload(std::vector<u32>{static_cast<u32>(n / 2)});
    const std::span<u32> counts = memory.room(2);
    std::vector<u32> all;
    const auto outputs = [&] { return memory.room(n); };
    const auto keep = [&](std::span<const u32> some, std::size_t items) {
        const std::vector<u32> got = memory.download(some.first(items));
        all.push_back(static_cast<u32>(items));
        all.insert(all.end(), got.begin(), got.end());
    };
    const auto counted = [&](int which = 0) {
        return std::size_t{memory.download(counts)[static_cast<std::size_t>(which)]};
    };
    const auto a = outputs(), b = outputs(), c = outputs();

    lookback::inclusive_scan(where, in, a);
    keep(a, n);
    lookback::inclusive_scan(where, in, a, maximum<>{}, 7U);
    keep(a, n);
    lookback::exclusive_scan(where, in, a, value_at<u32>{five.data()}, bit_xor<>{});
    keep(a, n);
    lookback::exclusive_scan(where, in.data(), count_at<u32>{count.data(), n}, b.data());
    keep(b, n / 2);
    const axis_extents extents{2, n / 6, 3};
    lookback::inclusive_scan(where, in, extents, a);
    keep(a, 2 * (n / 6) * 3);
    lookback::exclusive_scan(where, in.data(), extents, a.data(), 1U);
    keep(a, 2 * (n / 6) * 3);

    lookback::inclusive_scan_by_key(where, key, in, a);
    keep(a, n);
    lookback::exclusive_scan_by_key(where, key, in, a, 9U, plus<>{}, same_half{});
    keep(a, n);
    lookback::inclusive_segmented_scan(where, in, head_flags{flag.data()}, a);
    keep(a, n);
    lookback::exclusive_segmented_scan(where, in.data(), in.data() + n, head_flags{flag.data()},
                                       a.data(), 2U, plus<>{});
    keep(a, n);

    keep(a, lookback::select_if(where, in, a, is_small{}));
    lookback::select_if(where, in, a, count_to<u32>{counts.data()}, is_small{});
    keep(a, counted());
    keep(a, lookback::select_flagged(where, in, flag, a));
    keep(a, lookback::unique(where, key, a));
    keep(a, lookback::unique(where, key, a, same_half{}));
    keep(b, lookback::unique_by_key(where, key, in, a, b));
    keep(a, lookback::partition_if(where, in, a, b, is_small{}));
    lookback::partition_if(where, in, a, count_to<u32>{counts.data()}, is_small{});
    all.push_back(static_cast<u32>(counted()));
    keep(a, n);
    lookback::partition_if(where, in, a, b, c, count_to<u32>{counts.data()}, is_small{},
                           is_middle{});
    keep(a, counted());
    keep(b, counted(1));
    const partition_counts parts =
        lookback::partition_if(where, in, a, b, c, is_small{}, is_middle{});
    keep(c, n - parts.first - parts.second);

    keep(b, lookback::run_length_encode(where, key, a, b));
    keep(b, lookback::nontrivial_runs(where, key, a, b));
    keep(b, lookback::reduce_by_key(where, key, in, a, b));
    lookback::reduce_by_key(where, key, in, a, b, count_to<u32>{counts.data()}, maximum<>{},
                            same_half{});
    keep(b, counted());

    lookback::sort_keys(where, in, a, sort_by{.descending = true});
    keep(a, n);
    lookback::sort_keys(where, in, a, half_of{});
    keep(a, n);
    lookback::sort_pairs(where, flag, in, a, b);
    keep(b, n);
    lookback::sort_order(where, in.data(), count_at<u32>{count.data(), n}, b.data());
    keep(b, n / 2);
    const auto third = static_cast<u32>(n / 3), whole = static_cast<u32>(n);
    const std::span<const u32> offset = memory.upload(std::vector<u32>{0, third, third, whole});
    const segment_offsets segments{offset.data(), offset.data() + offset.size()};
    lookback::segmented_sort_keys(where, in, segments, a);
    keep(a, n);
    lookback::segmented_sort_pairs(where, flag, in, segments, a, b);
    keep(b, n);
    lookback::segmented_sort_order(where, in, segments, a, half_of{});
    keep(a, n);
    return all;
}

/// A hash of all results, for some numbers of items. It is the same on every execution.
struct known_results {
    std::size_t items;
    std::uint64_t hash;
};
inline constexpr known_results results_everywhere[] = {{0, 14697393393154090847U},
                                                       {1, 17742811242847306707U},
                                                       {1000, 15955390479249372357U},
                                                       {7001, 3626842976363476173U},
                                                       {100'003, 17555745864359871932U}};

inline std::uint64_t hash_of(const std::vector<std::uint32_t>& values) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::uint32_t x : values) hash = (hash ^ x) * 0x100000001b3;
    return hash;
}

}  // namespace lookback::test
