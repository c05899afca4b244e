/// \file
/// Where the segments of a bundle begin: a bit for each of its items, found from the offsets.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_items.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

template <sort_shape shape>
struct bundle_heads_memory {
    static constexpr int words = shape.items() / warp_lanes;
    std::uint32_t heads[words];
    std::uint16_t before[words];  ///< heads in all words before
    std::uint32_t of_warp[shape.warps];
};

template <sort_shape shape>
class bundle_heads {
    static_assert(shape.rows <= warp_lanes, "a lane for each row");

 public:
    __device__ bundle_heads(bundle_heads_memory<shape>& shared, int items)
        : shared_(shared), at_(rows_of_block::of<shape>(items)) {}

    /// Finds the heads. `flags`: a byte for each item; after the next barrier it may be
    /// overwritten.
    template <class Segmented>
    __device__ void find(const Segmented& problem, const bundle& segments, std::uint64_t all_items,
                         std::uint8_t* flags) {
        for (int i = thread_in_block() * 16; i < at_.rows * shape.threads();
             i += shape.threads() * 16) {
            store_vector16(flags + i, vector16<std::uint8_t>{});
        }
        sync_block();
        const std::uint64_t begin = segments.range.begin;
        if (segments.last - segments.first <= most_segments<shape.items()>) {
            // Several loads are under way together.
            constexpr int at_once = 4;
            for (std::uint64_t s = segments.first + static_cast<unsigned>(thread_in_block());
                 s < segments.last; s += static_cast<unsigned>(at_once * shape.threads())) {
                std::uint64_t from[at_once], to[at_once];
#pragma unroll
                for (int k = 0; k < at_once; ++k) {
                    const std::uint64_t mine = s + static_cast<unsigned>(k * shape.threads());
                    from[k] = to[k] = 0;
                    if (mine < segments.last) {
                        from[k] = problem.offset(mine, all_items);
                        to[k] = problem.offset(mine + 1, all_items);
                    }
                }
#pragma unroll
                for (int k = 0; k < at_once; ++k) {
                    if (from[k] < to[k]) flags[from[k] - begin] = 1;
                }
            }
        } else {
            // Most segments are empty. So the segment of each item is searched for instead.
            for (int i = thread_in_block(); i < at_.items; i += shape.threads()) {
                const std::uint64_t item = begin + static_cast<unsigned>(i);
                const std::uint64_t s = segment_of(problem, segments, item);
                if (problem.offset(s, all_items) == item) flags[i] = 1;
            }
        }
        sync_block();
        gather(flags);
    }

    /// How many numbers there are. The places behind the last item have a number, too.
    __device__ std::uint32_t count() const {
        const int last = at_.rows * shape.warps - 1;
        return shared_.before[last] + count_bits(shared_.heads[last]);
    }
    /// The number of the segment that item `at` is in. The first segment has number 0.
    __device__ std::uint32_t number(std::uint32_t at) const {
        const std::uint32_t word = at / warp_lanes;
        const std::uint32_t up_to = (2U << at % warp_lanes) - 1;
        return shared_.before[word] + count_bits(shared_.heads[word] & up_to) - 1;
    }

 private:
    // The last segment that does not begin behind the item.
    template <class Segmented>
    __device__ static std::uint64_t segment_of(const Segmented& problem, const bundle& segments,
                                               std::uint64_t item) {
        std::uint64_t low = segments.first, high = segments.last;
        while (high - low > 1) {
            const std::uint64_t middle = low + (high - low) / 2;
            (problem.offset(middle, ~std::uint64_t{0}) <= item ? low : high) = middle;
        }
        return low;
    }

    // Makes bits of the bytes. There is a head behind the last item, too.
    __device__ void gather(const std::uint8_t* flags) {
        const int first_word = warp() * at_.rows;
        std::uint32_t mine = 0;  // lane i: the heads of row i
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= at_.rows) break;
            const int at = at_.place(i);
            const unsigned heads = ballot(at == at_.items || flags[at] != 0);
            if (lane() == i) mine = heads;
        }
        if (lane() < at_.rows) shared_.heads[first_word + lane()] = mine;
        const auto plus = [](std::uint32_t a, std::uint32_t b) { return a + b; };
        const std::uint32_t up_to = scan_lanes(count_bits(mine), warp_lanes, plus);
        if (lane() == warp_lanes - 1) shared_.of_warp[warp()] = up_to;
        sync_block();
        std::uint32_t before = up_to - count_bits(mine);
        for (int w = 0; w < warp(); ++w) before += shared_.of_warp[w];
        if (lane() < at_.rows) {
            shared_.before[first_word + lane()] = static_cast<std::uint16_t>(before);
        }
        sync_block();
    }

    bundle_heads_memory<shape>& shared_;
    rows_of_block at_;
};

}  // namespace lookback::detail::device
