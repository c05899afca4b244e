/// \file
/// From a sort of segments to its launches:
///
///     cuts       finds which segments begin at each cut, so that they can be dealt out by items
///     short      a block for each `step` items: sorts the bundle of segments that begin there, if
///                all are short, otherwise lists the bundle
///     bundles    a block for each listed bundle: sorts what it has room for, and lists the
///                segments that it has no room for
///     pieces     a block for each listed segment that fits in a block of its own
///     counts, starts, and a pass for each digit: large segments, all of them together
///
/// The host does not know the lengths. It launches all of these, except what so few items cannot
/// need. Kernels that find nothing to do leave at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/segmented_sort_bundle.hpp"
#include "lookback/detail/device/segmented_sort_counts.hpp"
#include "lookback/detail/device/segmented_sort_cuts.hpp"
#include "lookback/detail/device/segmented_sort_pass.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/segmented_sort_short.hpp"
#include "lookback/detail/device/sort_launch.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// How the items of a call are dealt out to kernels, and the room that this takes in scratch
/// memory.
struct segment_rooms {
    std::uint64_t items;
    int step;
    int bundle_room;
    int piece_room;
    int tile_items;
    int digits;

    std::uint64_t cuts() const { return tiles_for(items, static_cast<unsigned>(step)); }
    bool has_pieces() const { return items > static_cast<unsigned>(bundle_room); }
    bool has_large() const { return items > static_cast<unsigned>(piece_room); }
    /// The most pieces, large segments and tiles of large segments that there may be.
    std::uint64_t pieces() const {
        return has_pieces() ? items / static_cast<unsigned>(bundle_room - step) : 0;
    }
    std::uint64_t large() const {
        return has_large() ? items / static_cast<unsigned>(piece_room) : 0;
    }
    std::uint64_t tiles() const {
        return has_large() ? items / static_cast<unsigned>(tile_items) + large() : 0;
    }

    /// Calls `place(pointer, entries)` for each of the lists.
    template <class Place>
    void each_list(segment_lists& lists, const Place& place) const {
        place(lists.head, 1);
        place(lists.cut, cuts() + 1);
        place(lists.bundle, cuts());
        place(lists.piece, pieces());
        place(lists.large, large());
        place(lists.owner, tiles());
        place(lists.starts, large() * static_cast<unsigned>(digits) * digit_values);
        place(lists.carried, has_large() ? 2 * digit_values : 0);
    }
    std::size_t bytes() const {
        std::size_t sum = 0;
        segment_lists none{};
        each_list(none, [&]<class T>(T*&, std::uint64_t entries) {
            sum += room_for(entries, sizeof(T));
        });
        return sum;
    }
    segment_lists place(void* memory) const {
        auto* at = static_cast<unsigned char*>(memory);
        segment_lists lists{};
        each_list(lists, [&]<class T>(T*& list, std::uint64_t entries) {
            list = reinterpret_cast<T*>(at);
            at += room_for(entries, sizeof(T));
        });
        return lists;
    }
};

template <segmented_sort_tuning tuning, class Problem>
segment_rooms rooms_of(const gpu& where, std::uint64_t items, int digits) {
    const bool large_pieces =
        sizeof(piece_memory<Problem, tuning.piece>) <= access::most_shared_bytes(where);
    const bool large_tiles = sizeof(segmented_sort_pass_memory<Problem, tuning.large.tile>) <=
                             access::most_shared_bytes(where);
    return {items,
            tuning.step,
            tuning.bundle.items(),
            large_pieces ? tuning.piece.items() : tuning.bundle.items(),
            (large_tiles ? tuning.large.tile : tuning.large.small_tile).items(),
            digits};
}

template <segmented_sort_tuning tuning, class Segmented>
void launch_bundles(gpu& where, const Segmented& problem) {
    constexpr auto cut = segmented_sort_cuts_kernel<Segmented>;
    const auto& cut_known = access::facts<cut>(where, cut_threads, 0);
    start<cut>(
        where, cut_known,
        access::blocks(where, tiles_for(problem.cuts + 1, cut_threads / warp_lanes), cut_known),
        cut_threads, 0, problem);
    using Problem = typename Segmented::sort_type;
    constexpr sort_shape few = tuning.short_bundle;
    constexpr int most = tuning.most_short;
    static_assert(tuning.step + most <= few.items(), "room for a bundle of short segments");
    constexpr auto short_kernel =
        segmented_sort_short_kernel<Segmented, few.warps, few.rows, few.blocks, most>;
    constexpr int short_bytes = sizeof(short_memory<Problem, few, most>);
    start<short_kernel>(where, access::facts<short_kernel>(where, few.threads(), short_bytes),
                        problem.cuts, few.threads(), short_bytes, problem);
    constexpr sort_shape shape = tuning.bundle;
    constexpr auto kernel =
        segmented_sort_bundle_kernel<Segmented, shape.warps, shape.rows, shape.blocks>;
    constexpr int bytes = sizeof(bundle_memory<Problem, shape>);
    const auto& known = access::facts<kernel>(where, shape.threads(), bytes);
    start<kernel>(where, known, access::blocks(where, problem.cuts, known), shape.threads(), bytes,
                  problem);
}

template <sort_shape shape, class Segmented>
void launch_pieces(gpu& where, const Segmented& problem, std::uint64_t most) {
    constexpr auto kernel =
        segmented_sort_piece_kernel<Segmented, shape.warps, shape.rows, shape.blocks>;
    constexpr int bytes = sizeof(piece_memory<typename Segmented::sort_type, shape>);
    const auto& known = access::facts<kernel>(where, shape.threads(), bytes);
    start<kernel>(where, known, access::blocks(where, most, known), shape.threads(), bytes,
                  problem);
}

template <sort_tuning tuning, class Segmented>
void launch_segment_counts(gpu& where, const Segmented& problem, std::uint64_t most_rows) {
    constexpr int threads = tuning.count_threads;
    constexpr auto count = segmented_sort_count_kernel<Segmented, threads>;
    const auto& known = access::facts<count>(where, threads, 0);
    start<count>(
        where, known,
        access::blocks(where, tiles_for(problem.sort.count.at_most, tuning.count_items), known),
        threads, 0, problem);
    constexpr auto starts = segmented_sort_starts_kernel<Segmented>;
    const auto& starts_known = access::facts<starts>(where, start_threads, 0);
    start<starts>(
        where, starts_known,
        access::blocks(where, tiles_for(most_rows, start_threads / warp_lanes), starts_known),
        start_threads, 0, problem);
}

template <sort_shape shape, sort_tuning tuning, class Segmented>
void launch_segment_passes(gpu& where, const Segmented& problem, std::uint64_t most_tiles) {
    using Problem = typename Segmented::sort_type;
    constexpr auto kernel =
        segmented_sort_pass_kernel<Segmented, shape.warps, shape.rows, shape.blocks>;
    launch_passes<kernel, shape, tuning>(
        where, problem, sort_passes(problem.sort.digits, problem.sort.layout), most_tiles,
        sizeof(segmented_sort_pass_memory<Problem, shape>));
}

/// Sorts the items of `problem` within their segments. `problem` has no places in scratch memory
/// yet; `room` is the arrays of scratch memory that its passes need.
template <segmented_sort_tuning tuning, class Problem, class Room, class Offsets>
void launch_segmented_sort(gpu& where, Problem problem, Room room, const Offsets& offsets,
                           std::uint64_t segments) {
    const segment_rooms rooms =
        rooms_of<tuning, Problem>(where, problem.count.at_most, problem.digits.digits());
    if (!rooms.has_large()) {
        room.key_arrays = 0;
        room.value_arrays = Problem::fetches_values && !problem.layout.apart ? 1 : 0;
    }
    auto* const memory =
        static_cast<unsigned char*>(access::scratch(where, rooms.bytes() + room.bytes()));
    room.place(problem, memory + rooms.bytes());
    const segmented_sort_problem<Problem, Offsets> all{.sort = problem,
                                                       .offsets = offsets,
                                                       .segments = segments,
                                                       .cuts = rooms.cuts(),
                                                       .step = rooms.step,
                                                       .piece_room = rooms.piece_room,
                                                       .tile_items = rooms.tile_items,
                                                       .lists = rooms.place(memory)};
    launch_bundles<tuning>(where, all);
    if (!rooms.has_pieces()) return;
    if (rooms.piece_room == tuning.piece.items()) {
        launch_pieces<tuning.piece>(where, all, rooms.pieces());
    } else {
        launch_pieces<tuning.bundle>(where, all, rooms.pieces());
    }
    if (!rooms.has_large()) return;
    launch_segment_counts<tuning.large>(
        where, all, rooms.large() * static_cast<unsigned>(problem.digits.digits()));
    if (rooms.tile_items == tuning.large.tile.items()) {
        launch_segment_passes<tuning.large.tile, tuning.large>(where, all, rooms.tiles());
    } else {
        launch_segment_passes<tuning.large.small_tile, tuning.large>(where, all, rooms.tiles());
    }
}

}  // namespace lookback::detail::device
