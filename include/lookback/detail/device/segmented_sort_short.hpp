/// \file
/// The kernel that sorts bundles of short segments, a block for each bundle. Each segment lies in
/// the registers of 1, 2, 4, ... or 32 lanes, and is sorted by a network
/// (segmented_sort_network.hpp).
///
/// Segments of more than one item are listed by length, in classes of up to 4, 8, 16, ... items.
/// The lanes of a warp sort segments of one class at a time, so short segments do not wait for long
/// ones. (The order of the segments in a list depends on timing; the result of each does not.) Keys
/// lie in shared memory; lanes take them from there, and bring them back. A block whose segments
/// have one item each has only to copy.
///
/// Three kinds of bundles are handed on, to segmented_sort_bundle.hpp: bundles with a segment of
/// more items than a warp's registers hold; bundles with far more segments than items; and bundles
/// of keys without values that are sorted by some of their bits, because keys that are equal in
/// these bits would have to stay in order.
///
/// Bytes: each key and value is read and written once, and each offset is read once (the next
/// segment's from cache). Instructions, for each row of 32 keys of 4 bytes: 61 where segments have
/// one item, 100 where they have 30 (measured; docs/tuning_log.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/segmented_sort_classes.hpp"
#include "lookback/detail/device/segmented_sort_fragments.hpp"
#include "lookback/detail/device/segmented_sort_network.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/segmented_sort_short_items.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape, int most>
class short_segments {
    using Word = typename Problem::word_type;
    using memory = short_memory<Problem, shape, most>;
    using classes = typename memory::classes;
    static constexpr int per_lane = network_items<Word>;
    static_assert(most <= per_lane * warp_lanes, "a warp has room for a segment");
    static_assert(shape.items() < 1 << 16 && shape.threads() >= classes::count);

 public:
    __device__ short_segments(const Problem& problem, memory& shared)
        : problem_(problem), shared_(shared) {}

    /// To be called before the block's next barrier.
    __device__ void start_lists() {
        const int c = thread_in_block();
        if (c < classes::count) {
            shared_.end[c] = static_cast<std::uint32_t>(classes::begin_of(c));
        }
    }
    /// Lists the segments. `first_item`: the item of place 0. Returns whether this thread has found
    /// a segment that is too long.
    template <class Segmented>
    __device__ bool list(const Segmented& all, const bundle& segments, std::uint64_t first_item,
                         std::uint64_t all_items) {
        using offset = std::remove_cvref_t<decltype(all.offsets[0])>;
        constexpr int at_once = 4;
        bool some_long = false;
        const auto within = [&](offset at) {
            const auto item = static_cast<std::uint64_t>(at);
            return static_cast<std::uint32_t>((item < all_items ? item : all_items) - first_item);
        };
        for (std::uint64_t first = segments.first; first < segments.last;
             first += static_cast<unsigned>(at_once * shape.threads())) {
            // All loads are under way before the first result is used: there is no branch between
            // them.
            offset from[at_once], to[at_once];
#pragma unroll
            for (int k = 0; k < at_once; ++k) {
                const std::uint64_t mine =
                    first + static_cast<unsigned>(k * shape.threads() + thread_in_block());
                const std::uint64_t s = mine < segments.last ? mine : segments.last;
                const std::uint64_t next = mine < segments.last ? mine + 1 : segments.last;
                from[k] = all.offsets[static_cast<std::int64_t>(s)];
                to[k] = all.offsets[static_cast<std::int64_t>(next)];
            }
#pragma unroll
            for (int k = 0; k < at_once; ++k) {
                const std::uint32_t begin = within(from[k]), length = within(to[k]) - begin;
                some_long = some_long || length > most;
                add(begin, length, length > 1 && length <= most);
            }
        }
        return some_long;
    }
    /// Whether any segment is listed. To be called after a barrier.
    __device__ bool has_listed() const {
        bool some = false;
#pragma unroll
        for (int c = 0; c < classes::count; ++c) {
            some = some || shared_.end[c] != static_cast<std::uint32_t>(classes::begin_of(c));
        }
        return some;
    }

    /// Sorts the listed segments, the longest first. All warps of the block take turns.
    __device__ void sort() const {
        int turn = warp();
#pragma unroll 1
        for (int c = classes::count - 1; c >= in_one_lane; --c) {
            const int lanes = (classes::smallest << c) / per_lane;
            sort_list<per_lane>(classes::begin_of(c), static_cast<int>(shared_.end[c]), lanes,
                                turn);
        }
        sort_shorter<in_one_lane - 1>(turn);
    }

 private:
    // The first class whose segments take all items of a lane, or several lanes.
    static constexpr int in_one_lane =
        std::min(length_classes<1, per_lane>::count - 1, classes::count);

    // Called by all lanes of a warp: lists this lane's segment, if it is to be listed.
    __device__ void add(std::uint32_t begin, std::uint32_t length, bool listed) {
        if (ballot(listed) == 0) return;
        const std::uint32_t none = classes::count;
        const auto c = !listed ? none
                       : length <= classes::smallest
                           ? 0U
                           : static_cast<std::uint32_t>(highest_bit(length - 1) -
                                                        (highest_bit(classes::smallest) - 1));
        unsigned lanes = all_lanes;
#pragma unroll
        for (std::uint32_t bit = 1; bit <= classes::count; bit *= 2)
            lanes &= lanes_agreeing(c, bit);
        const std::uint32_t below = count_bits(lanes & lane_mask_lt());
        const int highest = highest_lane(lanes);
        std::uint32_t first = 0;
        if (listed && lane() == highest) {
            first = fetch_add_in_block(&shared_.end[c], below + 1);
        }
        first = from_lane(first, highest);
        if (listed) shared_.segment[first + below] = length << 16 | begin;
    }

    template <int c>
    __device__ void sort_shorter(int turn) const {
        if constexpr (c >= 0) {
            sort_list<(classes::smallest << c)>(classes::template begin<c>,
                                                static_cast<int>(shared_.end[c]), 1, turn);
            sort_shorter<c - 1>(turn);
        }
    }

    // `turn`: in: this warp's first group of segments in this list. Out: its first group in the
    // next list.
    template <int items>
    __device__ void sort_list(int begin, int end, int lanes, int& turn) const {
        const int at_once = warp_lanes / lanes;
        const int groups = (end - begin + at_once - 1) / at_once;
        for (; turn < groups; turn += shape.warps) {
            const int mine = begin + turn * at_once + lane() / lanes;
            sort_in_registers<items>(mine < end ? shared_.segment[mine] : 0, lanes);
        }
        turn -= groups;
    }

    // Called by all lanes of a warp: each group of `lanes` lanes has a segment, or none.
    template <int items>
    __device__ void sort_in_registers(std::uint32_t segment, int lanes) const {
        const int begin = static_cast<int>(segment & 0xffff);
        const int length = static_cast<int>(segment >> 16);
        if constexpr (Problem::has_values) {
            fragment_sort<Word, items>(shared_.word, shared_.source, begin, length, lanes)
                .run(problem_.digits);
        } else {
            sort_words<items>(begin, length, lanes);
        }
    }

    // Keys without values are sorted by all bits.
    template <int items>
    __device__ void sort_words(int begin, int length, int lanes) const {
        using item_type = network_word<Word>;
        const int among = lane() & (lanes - 1);
        item_type item[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = i * lanes + among;
            item[i] = item_type::last();
            if (at < length) item[i] = item_type::of(shared_.word[spread<Word>(begin + at)]);
        }
        sort_in_lane(item);
        if constexpr (items == per_lane) merge_lanes(item, lanes);
        sync_warp();  // all lanes have read
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = among * items + i;
            if (at < length) shared_.word[spread<Word>(begin + at)] = item[i].word();
        }
    }

    const Problem& problem_;
    memory& shared_;
};

template <class Segmented, int warps, int rows, int blocks, int most>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void segmented_sort_short_kernel(
    const __grid_constant__ Segmented problem) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using Problem = typename Segmented::sort_type;
    auto& shared = *reinterpret_cast<short_memory<Problem, shape, most>*>(dynamic_shared_memory());

    wait_for_previous_kernel();
    const std::uint64_t items = problem.sort.count.get();
    const bundle mine = problem.bundle_at(block_in_grid());
    if (mine.range.items() == 0) return;
    const auto hand_on = [&] {
        if (thread_in_block() > 0) return;
        problem.lists.bundle[fetch_add(&problem.lists.head->bundles, 1)] = block_in_grid();
    };
    const std::uint64_t segments = mine.last - mine.first;
    const bool all_bits = problem.sort.digits.template bits<typename Problem::word_type>() ==
                          static_cast<typename Problem::word_type>(~typename Problem::word_type{0});
    if (mine.range.items() > static_cast<unsigned>(shape.items()) ||
        segments > most_segments<shape.items()> || mine.range.items() > segments * most ||
        !(Problem::has_values || all_bits)) {
        hand_on();
        return;
    }
    short_items<Problem, shape, most> block(problem.sort, shared, mine.range);
    short_segments<Problem, shape, most> lists(problem.sort, shared);
    block.bring();
    lists.start_lists();
    sync_block();
    const bool some_long = lists.list(problem, mine, block.first_item(), items);
    block.wait();
    if (sync_block_or(some_long)) {
        hand_on();
        return;
    }
    if (lists.has_listed()) {
        lists.sort();
        sync_block();
    }
    block.store();
}

}  // namespace lookback::detail::device
