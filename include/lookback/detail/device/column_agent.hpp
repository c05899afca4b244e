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
/// column_staging.hpp moves tiles into the stage, and results out of it. Most results go straight
/// from registers to their places, as neighbouring threads have neighbouring columns.
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
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/column_staging.hpp"
#include "lookback/detail/device/column_stretch.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

/// Two warps look back for each part of the columns, in turn, because a look-back takes longer than
/// a tile.
inline constexpr large_shape column_pipeline = {column_warps, 5, 2, 2 * column_parts, 1};

/// What a block does, with `warps_` warps.
template <class Problem, int warps_, column_stage holds>
class column_tile_agent : public agent_defaults, public column_staging<Problem, holds> {
    using A = typename Problem::value_type;
    using staging = column_staging<Problem, holds>;
    using In = typename staging::In;
    using staged_result = typename staging::Out;
    // Where results go straight to: an array, or what is only indexed.
    using Out = std::conditional_t<std::is_pointer_v<decltype(Problem::out)>,
                                   decltype(Problem::out), array_from<decltype(Problem::out)>>;
    using place_in_stage = typename staging::place_in_stage;
    using staging::place_of_items;
    using staging::problem_;
    using staging::tile_in;
    using parts = typename staging::parts;
    static constexpr int size = static_cast<int>(sizeof(A));

 public:
    using problem_type = Problem;
    using value_type = A;
    using prefix_type = A;
    using op_type = decltype(Problem::op);
    using look_back_type = column_look_back<A, op_type, typename Problem::start_type>;
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr int totals = most_stretches(sizeof(A));
    static constexpr int tile_items = 1;
    static constexpr int stage_bytes = parts::bytes;
    static constexpr bool loads_in_bulk = false;
    static constexpr bool stores_in_bulk = false;
    static constexpr bool copies_later = staging::in_arrays;
    static constexpr std::uint32_t look_parts = column_parts;
    static constexpr bool emits = true;

    /// What a thread keeps from reduce to emit: the fold of the tile's items above its stretch.
    struct memory {
        maybe<A> above;
    };

    __device__ explicit column_tile_agent(const Problem& problem)
        : staging(problem),
          mine_(thread(), static_cast<int>(problem.shape.width), problem.shape.groups) {}

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t /*number*/, int /*items*/,
                           memory& mine, A* totals_of_tile, const Barrier& barrier,
                           const Publish& publish) const {
        mine.above = {A{}, false};
        if (problem_.shape.groups == 1 && problem_.shape.tiles_down == 1) return;
        A fold{};
        const column_tile here = tile_in(stage);
        const stretch my(problem_.shape, here, mine_in(here));
        if (my.rows > 0) {
            const place_in_stage at = place_of_items(here, my);
            const auto item = [&](int i) {
                return static_cast<A>(
                    *reinterpret_cast<const In*>(stage + at.first + i * at.pitch));
            };
            fold = item(0);
#pragma unroll 4
            for (int i = 1; i < my.rows; ++i) fold = apply(fold, item(i));
        }
        mine.above = fold_above<totals>(fold, my, thread(), here.columns, totals_of_tile,
                                        problem_.op, barrier);
        if (mine.above.some) fold = apply(mine.above.value, fold);
        publish(column_fold{fold, here.chain, here.down, my.column,
                            !here.bottom && my.rows > 0 && my.last});
    }

    /// The fold of a column, which the thread that has its last stretch publishes.
    struct column_fold {
        A value;
        std::uint32_t chain;
        std::uint32_t down;
        int column;
        bool some;
    };
    __device__ void publish(const tile_statuses<A>& statuses, std::uint32_t /*tile*/,
                            std::uint32_t epoch, const column_fold& fold) const {
        if (!fold.some) return;
        statuses.publish(column_words(problem_.shape).aggregate(fold.chain, fold.down) +
                             static_cast<std::uint64_t>(fold.column),
                         epoch, fold.value);
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
        if (here.down > 0) fold.before(here, part, reinterpret_cast<A*>(stage + parts::row_at));
        return {A{}, false};
    }

    __device__ void emit(unsigned char* stage, int /*items*/, const maybe<A>& /*prefix*/,
                         const memory& mine) const {
        const column_tile here = tile_in(stage);
        const A* const row = reinterpret_cast<const A*>(stage + parts::row_at);
        const int stretches = here.blocks * here.columns * problem_.shape.groups;
        const maybe<A> start = here.down > 0 ? maybe<A>{A{}, true} : problem_.init.get();
        const auto scan_all = [&](auto through) {
            stretch_number number = mine_in(here);
            for (int s = thread(); s < stretches; s += threads) {
                const stretch my(problem_.shape, here, number);
                if (my.rows > 0) {
                    const maybe<A> prefix = {here.down > 0 ? row[my.column] : start.value,
                                             start.some};
                    scan<through>(stage, here, my, combine(prefix, mine.above, problem_.op));
                }
                if (stretches > threads) number.advance(threads, here.columns);
            }
        };
        if (this->through_stage()) {
            scan_all(std::true_type{});
        } else {
            scan_all(std::false_type{});
        }
        if constexpr (staging::in_arrays) show_to_bulk_copies();
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

    template <bool through_stage>
    __device__ void scan(unsigned char* stage, const column_tile& here, const stretch& my,
                         maybe<A> running) const {
        constexpr int at_once = size <= 8 ? 4 : 1;
        const place_in_stage items = place_of_items(here, my);
        const auto inner = static_cast<std::int64_t>(problem_.shape.inner);
        Out results{problem_.out};
        results += static_cast<std::int64_t>(here.first) + my.first_row * inner + my.column;
        rows_of_stretch at{stage + items.first, items.pitch, results, inner};
        int left = my.rows;
        for (; left >= at_once; left -= at_once) scan_rows<through_stage, at_once>(at, running);
        for (; left > 0; --left) scan_rows<through_stage, 1>(at, running);
    }
    // The rows of a stretch that are still to be scanned.
    struct rows_of_stretch {
        unsigned char* items;
        int pitch;  // in bytes
        Out results;
        std::int64_t inner;  // the distance of results

        __device__ const In& item(int i) const {
            return *reinterpret_cast<const In*>(items + i * pitch);
        }
        __device__ staged_result& place(int i) const {
            return *reinterpret_cast<staged_result*>(items + i * pitch);
        }
        __device__ void move_on(int rows) {
            items += rows * pitch;
            results += rows * inner;
        }
    };
    // A few items at a time are loaded before their results are stored: the compiler does not know
    // that results and items do not overlap.
    template <bool through_stage, int rows>
    __device__ void scan_rows(rows_of_stretch& at, maybe<A>& running) const {
        A item[rows];
#pragma unroll
        for (int i = 0; i < rows; ++i) item[i] = static_cast<A>(at.item(i));
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            const A next = running.some ? apply(running.value, item[i]) : item[i];
            const A& result = Problem::is_exclusive ? running.value : next;
            if constexpr (through_stage) {
                at.place(i) = static_cast<staged_result>(result);
            } else {
                store_at(at.results, i * at.inner, result);
            }
            running = {next, true};
        }
        at.move_on(rows);
    }

    stretch_number mine_;
};

/// `in_words`: no items are moved one by one.
template <class Problem, bool in_words>
inline constexpr column_stage stage_of_columns =
    in_words || Problem::fits_staged ? column_stage::arrays : column_stage::accumulators;
template <class Problem, int warps, bool in_words>
class column_agent : public column_tile_agent<Problem, warps, stage_of_columns<Problem, in_words>> {
    using column_tile_agent<Problem, warps, stage_of_columns<Problem, in_words>>::column_tile_agent;
};
/// Arrays of narrow items also have an agent for rows that begin anywhere. (Wider items can always
/// be moved by words.)
template <class Problem, int warps>
    requires Problem::can_be_padded
class column_agent<Problem, warps, true>
    : public column_tile_agent<Problem, warps, column_stage::arrays> {
    using column_tile_agent<Problem, warps, column_stage::arrays>::column_tile_agent;

 public:
    using anywhere = column_tile_agent<Problem, warps, column_stage::padded_arrays>;
};

}  // namespace lookback::detail::device
