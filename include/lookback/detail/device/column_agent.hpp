/// \file
/// What a block does with a tile of columns (column_shape.hpp). A tile publishes a row of values
/// for the tiles below it. In all else this is an agent like any other, and both drivers for large
/// arrays run it.
///
/// Within a tile, a thread has a stretch of a column (column_stretch.hpp). The thread folds its
/// stretch when the tile is reduced, and walks through it again, over the items in the stage, when
/// the results are emitted. Tiles of many small blocks, and tiles as high as the array, may have
/// more stretches than there are threads; these stretches are whole columns.
///
/// column_movers.hpp moves tiles into the stage and out of it.
///
/// The tree: rows of a stretch from top to bottom; stretches of a column in a warp by Kogge-Stone,
/// warps from left to right; tiles as in column_look_back.hpp. An output is (prefix · stretches
/// above) · item · item ...
///
/// Cost: each item is read once, and each result is written once. Each tile writes one status word
/// for each of its columns, and each batch of tiles two for each column.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/column_look_back.hpp"
#include "lookback/detail/device/column_movers.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/column_stretch.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

/// Two warps look back for each part of the columns, in turn, because a look-back takes longer than
/// a tile.
inline constexpr large_shape column_pipeline = {column_warps, 5, 2, 2 * column_parts, 1};

/// `Start`: the initial value of each column, if there is one. The drivers see a tile as one item.
template <bool exclusive, class A, class In, class Out, class Op_, class Start>
struct column_problem {
    using value_type = A;
    using start_type = Start;
    static constexpr bool is_exclusive = exclusive;
    static constexpr bool can_be_aligned = in_staged_arrays<A, In, Out>;

    In in;
    Out out;
    Op_ op;
    Start init;
    column_shape shape;
    item_count count;
    column_moves loads, stores;
    bool aligned;  ///< can_be_aligned holds, and neither moves items one by one
};

/// With `warps_` warps. `in_words`: items are moved by words or in bulk, not one by one; the stage
/// holds them, and then results, as they lie in their arrays. Results of another size lie behind
/// the items.
template <class Problem, int warps_, bool in_words>
class column_agent : public agent_defaults {
    using A = typename Problem::value_type;
    using In = typename staged_items<in_words, Problem, A>::In;
    using Out = typename staged_items<in_words, Problem, A>::Out;
    static constexpr int size = static_cast<int>(sizeof(A));
    static constexpr int in_size = static_cast<int>(sizeof(In));
    static constexpr int out_size = static_cast<int>(sizeof(Out));
    // Where results begin in the stage, and where the row of prefixes does.
    static constexpr int out_at =
        in_size == out_size ? 0 : (column_tile_items<A> * in_size + 15) / 16 * 16;
    static constexpr int row_at = (out_at + column_tile_items<A> * out_size) / 16 * 16 + 16;

 public:
    using problem_type = Problem;
    using value_type = A;
    using prefix_type = A;
    using op_type = decltype(Problem::op);
    using look_back_type = column_look_back<A, op_type, typename Problem::start_type>;
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr int totals = most_stretches<A>;
    static constexpr int tile_items = 1;
    static constexpr int stage_bytes = row_at + (widest_strip<A> * size + 15) / 16 * 16;
    static constexpr bool loads_in_bulk = false;
    static constexpr bool stores_in_bulk = false;
    static constexpr bool copies_later = in_words;
    static constexpr std::uint32_t look_parts = column_parts;
    static constexpr bool emits = true;

    /// What a thread keeps from reduce to emit: the fold of the tile's items above its stretch.
    struct memory {
        std::uint32_t tile;
        maybe<A> above;
    };

    __device__ explicit column_agent(const Problem& problem)
        : problem_(problem),
          mine_(thread(), static_cast<int>(problem.shape.width), problem.shape.groups) {}

    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t number, int /*items*/,
                         int thread) const {
        move_units<A>(
            walk<by, size>(number, size, thread),
            [&](const tile_walk& at) { return static_cast<A>(problem_.in[at.place]); },
            [&](const tile_walk& at, const A& item) {
                reinterpret_cast<A*>(stage)[at.index] = item;
            });
    }
    template <int by>
    __device__ void start_load(unsigned char* stage, std::uint64_t number, phase_barrier& loaded,
                               int thread) const {
        const auto* const from = reinterpret_cast<const unsigned char*>(problem_.in);
        switch (problem_.loads) {
            case column_moves::bulk:
                return pieces<by, in_size>(number, thread).load(stage, from, loaded);
            case column_moves::words16:
                return load_words<16>(stage, from, walk<by, in_size>(number, 16, thread));
            case column_moves::words8:
                return load_words<8>(stage, from, walk<by, in_size>(number, 8, thread));
            default: return load_words<4>(stage, from, walk<by, in_size>(number, 4, thread));
        }
    }

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t number, int /*items*/, memory& mine,
                           A* totals_of_tile, const Barrier& barrier,
                           const Publish& publish) const {
        mine.tile = static_cast<std::uint32_t>(number);
        mine.above = {A{}, false};
        if (problem_.shape.groups == 1 && problem_.shape.tiles_down == 1) return;
        A fold{};
        const column_tile here = problem_.shape.at(mine.tile);
        const stretch my(problem_.shape, here, mine_in(here));
        if (my.rows > 0) {
            const In* const items = reinterpret_cast<const In*>(stage) + my.first;
            fold = static_cast<A>(items[0]);
#pragma unroll 4
            for (int i = 1; i < my.rows; ++i) {
                fold = apply(fold, static_cast<A>(items[i * here.columns]));
            }
        }
        mine.above = fold_above<most_stretches<A>>(fold, my, thread(), here.columns, totals_of_tile,
                                                   problem_.op, barrier);
        if (mine.above.some) fold = apply(mine.above.value, fold);
        publish(fold);
    }

    /// The thread that has the last stretch of a column publishes the column's fold.
    __device__ void publish(const tile_statuses<A>& statuses, std::uint32_t tile,
                            std::uint32_t epoch, const A& fold) const {
        if (problem_.shape.tiles_down == 1) return;
        const column_tile here = problem_.shape.at(tile);
        const stretch my(problem_.shape, here, mine_in(here));
        if (here.bottom || my.rows == 0 || !my.last) return;
        statuses.publish(column_words(problem_.shape).aggregate(here.chain, here.down) +
                             static_cast<std::uint64_t>(my.column),
                         epoch, fold);
    }

    template <look_back_way>
    __device__ look_back_type start_look_back(const tile_statuses<A>& statuses,
                                              std::uint32_t epoch) const {
        return {statuses, epoch, problem_.init, problem_.op, problem_.shape};
    }
    /// Finds one part of the row of prefixes of `tile`, and writes it to the stage.
    __device__ maybe<A> before(look_back_type& fold, std::uint32_t tile, unsigned char* stage,
                               std::uint32_t part) const {
        const column_tile here = problem_.shape.at(tile);
        if (here.down > 0) fold.before(here, part, reinterpret_cast<A*>(stage + row_at));
        return {A{}, false};
    }

    __device__ void emit(unsigned char* stage, int /*items*/, const maybe<A>& /*prefix*/,
                         const memory& mine) const {
        const column_tile here = problem_.shape.at(mine.tile);
        const A* const row = reinterpret_cast<const A*>(stage + row_at);
        const int stretches = here.blocks * here.columns * problem_.shape.groups;
        const maybe<A> start = here.down > 0 ? maybe<A>{A{}, true} : problem_.init.get();
        stretch_number number = mine_in(here);
        for (int s = thread(); s < stretches; s += threads) {
            const stretch my(problem_.shape, here, number);
            if (my.rows > 0) {
                const maybe<A> prefix = {here.down > 0 ? row[my.column] : start.value, start.some};
                scan(stage, my, here.columns, combine(prefix, mine.above, problem_.op));
            }
            if (stretches > threads) number.advance(threads, here.columns);
        }
        if constexpr (in_words) show_to_bulk_copies();
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t number, int /*items*/,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        if constexpr (in_words) {
            auto* const to = reinterpret_cast<unsigned char*>(problem_.out);
            const unsigned char* const results = stage + out_at;
            switch (problem_.stores) {
                case column_moves::bulk:
                    return pieces<by, out_size>(number, thread).store(results, to);
                case column_moves::words16:
                    return store_words<word16>(results, to, walk<by, out_size>(number, 16, thread));
                case column_moves::words8:
                    return store_words<std::uint64_t>(results, to,
                                                      walk<by, out_size>(number, 8, thread));
                default:
                    return store_words<std::uint32_t>(results, to,
                                                      walk<by, out_size>(number, 4, thread));
            }
        } else {
            move_units<A>(
                walk<by, size>(number, size, thread),
                [&](const tile_walk& at) { return reinterpret_cast<const A*>(stage)[at.index]; },
                [&](const tile_walk& at, const A& value) {
                    store_at(problem_.out, at.place, value);
                });
        }
    }

    __device__ void emit_nothing() const {}

 private:
    __device__ static int thread() { return thread_in_block() % threads; }
    __device__ A apply(const A& a, const A& b) const { return static_cast<A>(problem_.op(a, b)); }

    // This thread's number nearly always stands for the same stretch, so it is computed once: it
    // takes divisions.
    __device__ stretch_number mine_in(const column_tile& here) const {
        return here.columns == static_cast<int>(problem_.shape.width)
                   ? mine_
                   : stretch_number(thread(), here.columns, problem_.shape.groups);
    }

    __device__ void scan(unsigned char* stage, const stretch& my, int columns,
                         maybe<A> running) const {
        constexpr int at_once = size <= 8 ? 4 : 1;
        const In* from = reinterpret_cast<const In*>(stage) + my.first;
        Out* to = reinterpret_cast<Out*>(stage + out_at) + my.first;
        int left = my.rows;
        for (; left >= at_once; left -= at_once) {
            scan_rows<at_once>(from, to, columns, running);
            from += at_once * columns;
            to += at_once * columns;
        }
        for (; left > 0; --left) {
            scan_rows<1>(from, to, columns, running);
            from += columns;
            to += columns;
        }
    }
    // A few items at a time are loaded before their results are stored: the compiler does not know
    // that results do not overlap items.
    template <int rows>
    __device__ void scan_rows(const In* from, Out* to, int columns, maybe<A>& running) const {
        A item[rows];
#pragma unroll
        for (int i = 0; i < rows; ++i) item[i] = static_cast<A>(from[i * columns]);
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            const A next = running.some ? apply(running.value, item[i]) : item[i];
            to[i * columns] = static_cast<Out>(Problem::is_exclusive ? running.value : next);
            running = {next, true};
        }
    }

    // Of items of `bytes` bytes.
    template <int by, int bytes>
    __device__ tile_walk walk(std::uint64_t number, int unit, int thread) const {
        return {problem_.shape, problem_.shape.at(static_cast<std::uint32_t>(number)),
                bytes,          unit,
                thread,         by};
    }
    template <int by, int bytes>
    __device__ tile_pieces pieces(std::uint64_t number, int thread) const {
        return {problem_.shape, problem_.shape.at(static_cast<std::uint32_t>(number)), bytes,
                thread, by};
    }

    const Problem& problem_;
    stretch_number mine_;
};

}  // namespace lookback::detail::device
