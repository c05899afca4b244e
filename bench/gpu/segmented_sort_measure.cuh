/// \file
/// All cells of one type of keys in segments, with values or without.
///
/// Values hold the places that they come from. Results are right if, within each segment, keys do
/// not fall, values of equal keys rise, each value's key is the input's key at its place, and that
/// place is in the segment. For keys without values, a sum of hashes of keys and their segments
/// must be that of the input.
#pragma once

#include <cub/device/device_segmented_sort.cuh>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"
#include "segmented_sort.hpp"
#include "sort_contest.cuh"

namespace lookback::bench {

struct device_segments {
    const std::int32_t* offset;
    std::int64_t count;

    /// The segment of an item: the last one that begins at the item or before it.
    __device__ std::int64_t of(std::uint64_t item) const {
        std::int64_t low = 0, high = count;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (static_cast<std::uint64_t>(offset[middle]) <= item ? low : high) = middle;
        }
        return low;
    }
};

/// Lowers *first_wrong to the first item that is out of order, or has the value of another item.
/// Adds to *difference the difference between the hashes of all keys and of the input's keys.
template <class Key, class Value>
__global__ void check_segments_kernel(sorted_arrays<Key, Value> in, sorted_arrays<Key, Value> out,
                                      std::uint64_t n, device_segments segments,
                                      unsigned long long* first_wrong,
                                      unsigned long long* difference) {
    unsigned long long differ = 0;
    for_each_item(n, [&](std::uint64_t i) {
        const std::int64_t mine = segments.of(i);
        const auto begin = static_cast<std::uint64_t>(segments.offset[mine]);
        const auto end = static_cast<std::uint64_t>(segments.offset[mine + 1]);
        const Key key = out.keys[i];
        const bool is_first = i == begin;
        bool right = is_first || out.keys[i - 1] <= key;
        if constexpr (std::is_same_v<Value, no_array>) {
            const std::uint64_t salt = random_bits(static_cast<std::uint64_t>(~mine));
            differ += random_bits(salt ^ detail::bits_of_key(key)) -
                      random_bits(salt ^ detail::bits_of_key(in.keys[i]));
        } else {
            const std::uint64_t place = place_in(out.values[i]);
            right = right && begin <= place && place < end && in.keys[place] == key &&
                    (is_first || out.keys[i - 1] != key || place_in(out.values[i - 1]) < place);
        }
        if (!right) atomicMin(first_wrong, i);
    });
    if (differ != 0) atomicAdd(difference, differ);
}

/// One array in segments, and its sorts.
template <class Key, class Value>
class segments_contest : public contest_of_sorts<Key, Value> {
    using base = contest_of_sorts<Key, Value>;
    using base::has_values, base::s_, base::n_;
    using typename base::arrays;

 public:
    using base::in, base::out;

    segments_contest(session& s, const segments_case& of) : base(s, of.items, of.off) {
        const std::vector<std::int32_t> offsets = of.offsets();
        const std::size_t bytes = offsets.size() * sizeof(std::int32_t);
        if (std::max<std::uint64_t>(bytes, this->bytes()) > s.array_bytes()) return;
        check(cudaMemcpy(s.array(2), offsets.data(), bytes, cudaMemcpyHostToDevice), "offsets");
        segments_ = {static_cast<const std::int32_t*>(s.array(2)),
                     static_cast<std::int64_t>(offsets.size()) - 1};
        base::fill(keys_are::random);
    }

    bool has_room() const { return segments_.count > 0; }
    std::int64_t segments() const { return segments_.count; }

    implementation ours() const {
        return {"ours", [*this] {
                    const arrays from = in(), to = out();
                    const Key* const keys = from.keys;
                    const segment_offsets offsets{segments_.offset,
                                                  segments_.offset + segments_.count + 1};
                    if constexpr (has_values) {
                        const Value* const values = from.values;
                        segmented_sort_pairs(s_.gpu(), keys, keys + n_, values, offsets, to.keys,
                                             to.values);
                    } else {
                        segmented_sort_keys(s_.gpu(), keys, keys + n_, offsets, to.keys);
                    }
                }};
    }
    /// CUB's sort waits for the device between its kernels.
    implementation cub() const {
        implementation one =
            cub_call(s_, "cub", cub_slot, [*this](void* memory, std::size_t& bytes) {
                const arrays from = in(), to = out();
                const Key* const keys = from.keys;
                const auto items = static_cast<std::int64_t>(n_);
                const std::int32_t* const first = segments_.offset;
                if constexpr (has_values) {
                    const Value* const values = from.values;
                    return cub::DeviceSegmentedSort::StableSortPairs(
                        memory, bytes, keys, to.keys, values, to.values, items, segments_.count,
                        first, first + 1, s_.stream());
                } else {
                    return cub::DeviceSegmentedSort::SortKeys(memory, bytes, keys, to.keys, items,
                                                              segments_.count, first, first + 1,
                                                              s_.stream());
                }
            });
        one.waits = true;
        return one;
    }

 private:
    std::string what_is_wrong() const override {
        return this->what_is_wrong_by(
            [&](unsigned long long* first, unsigned long long* difference) {
                check_segments_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                    in(), out(), n_, segments_, first, difference);
            });
    }

    device_segments segments_{};
};

template <class Key, class Value = no_array>
void measure_segments(session& s, const observer& tell, const std::string& type,
                      const std::vector<segments_case>& cases) {
    for (const segments_case& of : cases) {
        cell c;
        c.op = std::is_same_v<Value, no_array> ? "segmented_sort_keys" : "segmented_sort_pairs";
        c.type = type;
        c.data = of.text;
        c.items = of.items;
        c.item_bytes = segments_contest<Key, Value>::item_bytes;
        if (!tell.wants(c)) continue;
        const segments_contest<Key, Value> contest(s, of);
        if (!contest.has_room()) continue;
        c.count = static_cast<std::uint64_t>(contest.segments());
        c.least_bytes = 2 * of.items * static_cast<std::uint64_t>(c.item_bytes) +
                        (*c.count + 1) * sizeof(std::int32_t);
        tell.begin(c);

        for (const implementation& one : {contest.cub(), contest.ours()}) {
            if (c.trouble.empty()) c.trouble = contest.judge(one);
        }
        if (c.trouble.empty()) c.trouble = contest.judge_itself();
        if (c.trouble.empty()) {
            std::vector<implementation> timed = {contest.ours(), contest.cub()};
            for (implementation& one : copies(s, contest.bytes())) timed.push_back(one);
            c.device_us = s.device_times(timed, c.trouble);
            const std::string wrong = contest.judge(contest.ours());  // still right after all these
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
