/// \file
/// A tile in a stage, for the primitives that read two arrays, or look at neighbouring items. It
/// has the items (or nothing), values paired with them if there are any, one or two items before
/// the first, and a note from the threads that reduce the tile to the threads that store it.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/array_loads.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/row_items.hpp"
#include "lookback/detail/device/skewed_row.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tuning.hpp"
#include "lookback/detail/heads.hpp"

namespace lookback::detail::device {

inline constexpr int most_paired_bytes = 168;  // of both arrays, for each thread

/// For the tiles of the small driver, and of scans of segments.
inline constexpr int small_chunk_bytes = 48;

/// Items of a thread, which has `bytes` bytes of the wider of the two arrays. They are an odd
/// number of 16-byte vectors where that is possible, as in tile_scan.hpp, and at most 64, because a
/// word has a bit for each.
template <class Paired>
inline constexpr int paired_chunk_bytes = staged_size<Paired> > 2   ? 80
                                          : staged_size<Paired> > 1 ? 112
                                                                    : 144;
template <class T, class Paired, int bytes = paired_chunk_bytes<Paired>>
inline constexpr int paired_chunk_items = [] {
    constexpr int items = staged_size<T>;
    constexpr int paired = staged_size<Paired>;
    constexpr int wide = items > paired ? items : paired;
    static_assert(items + paired <= most_paired_bytes,
                  "an item, with the one paired with it, has at most 168 bytes on the GPU");
    // For both arrays together: what fits in a stage of the staged driver.
    constexpr int most = most_paired_bytes / (items + paired);
    constexpr int fit = bytes / wide < most ? bytes / wide : most;
    if (fit < 1) return 1;
    if (16 % wide != 0 || fit * wide < 16) return fit < 64 ? fit : 64;
    constexpr int vectors = fit * wide / 16 < 4 * wide ? fit * wide / 16 : 4 * wide - 1;
    return (vectors - (vectors + 1) % 2) * 16 / wide;
}();

template <int bytes>
inline constexpr int whole_lines = (bytes + line_bytes - 1) / line_bytes * line_bytes;

/// Two teams of 8 warps, or of 7 where 7 fill the shared memory better: a team spends its time on
/// the latency of its steps, not on their work. There are as many stages as fit. With paired
/// values, tiles have fewer items, and there are more aggregates to fold, so two warps look back.
template <class T, class Paired, int look_back_warps = (staged_size<Paired> > 1) ? 2 : 1>
inline constexpr large_shape compaction_shape = [] {
    constexpr int bytes_of_warp =
        warp_lanes * paired_chunk_items<T, Paired> * (staged_size<T> + staged_size<Paired>);
    // Beside its items, a stage has up to two earlier items, and a note (paired_tile). Beside the
    // stages there are at most 6 KiB.
    constexpr int apart = 2 * staged_size<T> + staged_size<Paired> + 48;
    constexpr auto stages = [](int warps) {
        const int room = (hopper_shared_bytes - 6 * 1024) / (warps * bytes_of_warp + apart);
        return room < 8 ? room : 8;
    };
    constexpr bool fills_more = 7 * stages(7) > 8 * stages(8);
    constexpr int warps = (staged_size < Paired >> 2) && fills_more ? 7 : 8;
    return large_shape{warps, stages(warps), 0, look_back_warps, 2};
}();

template <class T, class Paired>
inline constexpr int compaction_tile_items =
    compaction_shape<T, Paired>.warps * warp_lanes * paired_chunk_items<T, Paired>;
static_assert(compaction_tile_items<std::uint64_t, std::uint64_t> == least_compaction_tile);

/// How the arrays of a tile come into a stage: item by item; by bulk copies, if both begin on
/// 16-byte boundaries; or by bulk copies, wherever they begin, each as a row (skewed_row.hpp). Rows
/// of compactions and runs are wanted only until the tile is reduced; what replaces them in the
/// stage has no skew. In scans of segments the values stay until they are emitted, and results
/// replace them as a row with the skew of the output.
enum class loads { by_items, on_boundaries, anywhere };

/// `Note`: what the threads that reduce a tile tell the threads that store it.
template <class T, class Paired, class Note, int warps_, int bytes_of_thread,
          loads how = loads::by_items>
struct paired_tile {
    static constexpr bool in_rows = how == loads::anywhere;
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr int per_thread = paired_chunk_items<T, Paired, bytes_of_thread>;
    static constexpr int items = threads * per_thread;
    // A row may have two items before the tile.
    static constexpr int paired_at =
        items * staged_size<T> + (in_rows ? whole_lines<2 * staged_size<T>> + line_bytes : 0);
    static constexpr int before_at =
        paired_at + items * staged_size<Paired> + (in_rows && !is_absent<Paired> ? line_bytes : 0);
    // Otherwise the items before the tile's first lie at the end of whole vectors of 16 bytes.
    template <int items_before>
    static constexpr int before_bytes = (items_before * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    static constexpr int note_at = before_at + (in_rows ? 0 : before_bytes<2>);
    static constexpr int note_bytes = (static_cast<int>(sizeof(Note)) + 15) / 16 * 16;
    static constexpr int bytes = note_at + (in_rows ? whole_lines<note_bytes> : note_bytes);
    static_assert(paired_at % 16 == 0 && before_at % 16 == 0);
    static_assert(alignof(T) <= 16 && alignof(Paired) <= 16,
                  "items on the GPU are aligned to at most 16 bytes");
    template <class Item>
    using chunk_of = chunk<Item, Item, false, per_thread>;
    using item_chunk = chunk_of<T>;

    unsigned char* stage;
    // Where the first item, and what is paired with it, lie in their parts of the stage.
    int items_from = 0;
    int paired_from = 0;

    template <class In, int items_before>
    using row = skewed_row<const item_of<In>, 1, items, items_before>;

    /// The tile in a stage into which it was loaded with `items_before` items.
    template <int items_before, class In, class From>
    __device__ static paired_tile in(unsigned char* stage, const In& in, const From& paired) {
        paired_tile here{stage};
        if constexpr (in_rows) {
            here.items_from = row<In, items_before>(in).first_at();
            if constexpr (!is_absent<From>) here.paired_from = row<From, 0>(paired).first_at();
        }
        return here;
    }

    __device__ T* item_array() const { return reinterpret_cast<T*>(stage); }
    __device__ Paired* paired_array() const { return reinterpret_cast<Paired*>(stage + paired_at); }
    /// The item `distance` places before the tile's first.
    __device__ T& before(int distance) const {
        return *reinterpret_cast<T*>(stage + note_at - distance * static_cast<int>(sizeof(T)));
    }
    __device__ Note& note() const { return *reinterpret_cast<Note*>(stage + note_at); }

    /// This thread's number among the threads that compute the tile.
    __device__ static int thread() { return thread_in_block() % threads; }
    /// The number of this thread's first item in the tile.
    __device__ static int first_of_mine() { return thread() * per_thread; }
    __device__ void load_mine(item_chunk& mine) const { load_chunk<T>(mine, stage, items_from); }
    /// Loads the values paired with this thread's items, in the type that was loaded into the
    /// stage.
    template <class Value, class Loaded>
    __device__ void load_paired_mine(chunk<Value, Loaded, false, per_thread>& mine) const {
        load_chunk<Loaded>(mine, stage + paired_at, paired_from);
    }
    template <class Loaded>
    __device__ unsigned char* paired_mine() const {
        return stage + paired_at + first_of_mine() * static_cast<int>(sizeof(Loaded));
    }
    __device__ T before_mine(int distance = 1) const {
        const int at = first_of_mine() - distance;
        if constexpr (in_rows) return reinterpret_cast<const T*>(stage + items_from)[at];
        return at < 0 ? before(-at) : item_array()[at];
    }

    /// Which of this thread's items are heads (detail/heads.hpp), one bit for each; only the first
    /// `left` items count, unless `full`. The array's first item is not compared.
    template <bool full, class Equal>
    __device__ std::uint64_t heads_of_mine(const item_chunk& mine, std::uint64_t first, int left,
                                           const Equal& equal) const {
        std::uint64_t heads =
            (first == 0 && thread() == 0) || detail::is_head(equal, before_mine(), mine[0]);
#pragma unroll
        for (int i = 1; i < per_thread; ++i) {
            if ((full || i < left) && detail::is_head(equal, mine[i - 1], mine[i])) {
                heads |= std::uint64_t{1} << i;
            }
        }
        return heads;
    }
    /// Which of this thread's items begin a stretch of heads or of others, one bit for each. This
    /// reads two items before the tile.
    template <bool full, class Equal>
    __device__ std::uint64_t changes_of_mine(const item_chunk& mine, std::uint64_t first, int left,
                                             const Equal& equal) const {
        const std::uint64_t heads = heads_of_mine<full>(mine, first, left, equal);
        const std::uint64_t at = first + static_cast<std::uint64_t>(first_of_mine());
        return detail::begins_of_stretches(heads, at, full ? per_thread : left, equal,
                                           [this](int distance) { return before_mine(distance); });
    }

    // Both ways to load a tile also load `items_before` items before it, at most two.
    template <int items_before, class In, class From, class Wait>
    __device__ void start_load(const In& in, const From& paired, const item_count& all,
                               std::uint64_t first, int count, phase_barrier& loaded,
                               const Wait& wait_for_room) const {
        if constexpr (in_rows) {
            const std::uint64_t behind = all.get() - first - static_cast<unsigned>(count);
            row<In, items_before>(in).start_part_of_load(stage, first, count, behind, loaded,
                                                         wait_for_room);
            if constexpr (!is_absent<From>) {
                row<From, 0>(paired).start_part_of_load(stage + paired_at, first, count, behind,
                                                        loaded, [] {});
            }
            return loaded.arrive();
        }
        constexpr int vectors_before = before_bytes<items_before>;
        const bool has_before = items_before > 0 && first > 0;
        std::uint32_t bytes =
            bulk_array<In>::bytes_to_copy(count) + (has_before ? vectors_before : 0);
        if constexpr (!is_absent<From>) bytes += bulk_array<From>::bytes_to_copy(count);
        wait_for_room();
        bulk_array<In>{in}.load_rest(stage, first, count);
        if constexpr (!is_absent<From>) {
            bulk_array<From>{paired}.load_rest(stage + paired_at, first, count);
        }
        loaded.expect(bytes);
        if constexpr (!is_absent<From>) {
            bulk_array<From>{paired}.start_load(stage + paired_at, first, count, loaded);
        }
        bulk_array<In>{in}.start_load(stage, first, count, loaded);
        if constexpr (items_before > 0) {
            if (has_before) {
                const racing_reads of_the_same_value;  // in place (compaction_agent.hpp)
                bulk_load(stage + note_at - vectors_before,
                          in + first - vectors_before / static_cast<int>(sizeof(T)), vectors_before,
                          loaded);
            }
        }
        loaded.arrive();
    }
    /// `aligned`: both arrays begin on 16-byte boundaries.
    template <int by, int items_before, class In, class From>
    __device__ void load(const In& in, const From& paired, std::uint64_t first, int count,
                         int thread, bool aligned) const {
        T item_before{};
        const bool has_before = thread < items_before && first > 0;
        if (has_before) {
            const racing_reads of_the_same_value;  // in place (compaction_agent.hpp)
            item_before = in[static_cast<std::int64_t>(first) - 1 - thread];
        }
        const array_to_load<In, T> items_to_load{in};
        const array_to_load<From, item_of<From>> paired_to_load{paired};
        if constexpr (bytes_of_thread <= small_chunk_bytes && by == threads) {
            constexpr bool in_vectors =
                decltype(items_to_load)::in_vectors && decltype(paired_to_load)::in_vectors;
            if (in_vectors && aligned) {
                load_both<by, in_vectors>(items_to_load, paired_to_load, first, count, thread);
            } else {
                load_both<by, false>(items_to_load, paired_to_load, first, count, thread);
            }
        } else {
            items_to_load.template load<by>(stage, first, count, thread);
            paired_to_load.template load<by>(stage + paired_at, first, count, thread);
        }
        if (has_before) before(thread + 1) = item_before;
    }

 private:
    // Loads this thread's items of an array whose first item lies at byte `from` of `part`.
    template <class Loaded, class Chunk>
    __device__ static void load_chunk(Chunk& mine, const unsigned char* part, int from) {
        const int at = first_of_mine() * static_cast<int>(sizeof(Loaded));
        if constexpr (in_rows) {
            row_items<Loaded, per_thread, false> some;
            some.load(part, at, from);
            some.template unpack<true>(mine, per_thread);
        } else {
            mine.load(part + at);
        }
    }

    // All loads of a small tile are in flight before the first one lands.
    template <int by, bool in_vectors, class Items, class Values>
    __device__ void load_both(const Items& of_items, const Values& of_paired, std::uint64_t first,
                              int count, int thread) const {
        typename Items::template in_flight<by, items, in_vectors> some;
        typename Values::template in_flight<by, items, in_vectors> values;
        some.start(of_items, first, count, thread);
        values.start(of_paired, first, count, thread);
        sync_warp();  // or the assembler moves loads behind stores, which wait for earlier loads
        some.land(stage, count, thread);
        values.land(stage + paired_at, count, thread);
    }
};

}  // namespace lookback::detail::device
