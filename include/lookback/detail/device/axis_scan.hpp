/// \file
/// Scans along an axis on a GPU. Rows are scanned like one array, in which folds go back to the
/// beginning of a row only (row_agent.hpp), and columns in strips (column_shape.hpp); an array of
/// few columns is one plain scan (column_rows.hpp), and columns of narrow integers are scanned in
/// words (packed_columns.hpp). (Source: Merrill & Garland 2016, with a row of aggregates for each
/// tile of columns.)
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/axis_scan.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/column_agent.hpp"
#include "lookback/detail/device/column_rows.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/packed_columns.hpp"
#include "lookback/detail/device/row_agent.hpp"
#include "lookback/detail/device/small_launch.hpp"
#include "lookback/gpu.hpp"

namespace lookback {
namespace detail {
namespace device {

// Rows from `in` to `out`, both by steps of `step`.

template <bool exclusive, class T, int step, class In, class Out, class Start, class Op>
auto rows_of(const In& in, const axis_extents& extents, const Out& out, const Start& start,
             const Op& op) {
    return row_problem<scan_problem<exclusive, In, Out, T, Op, step, Start>>{
        {in, out, op, start, item_count{extents.outer * extents.length}, true, false},
        divisor(extents.length)};
}

template <class Problem>
bool launch_small_rows(gpu& where, const Problem& rows) {
    return launch_small<row_agent<Problem, small_row_warps, false>, true>(where, rows);
}
template <class Problem>
void launch_large_rows(gpu& where, const Problem& rows) {
    constexpr large_shape shape = large<sizeof(typename Problem::value_type)>;
    launch_large<row_agent, shape, Problem::in_arrays>(where, rows);
}

template <bool exclusive, class T, int step, class In, class Out, class Start, class Op>
void scan_rows_from(gpu& where, const In& in, const axis_extents& extents, const Out& out,
                    const Start& start, const Op& op) {
    const auto rows = rows_of<exclusive, T, step>(in, extents, out, start, op);
    using problem = std::remove_const_t<decltype(rows)>;
    using agent = row_agent<problem, large<sizeof(T)>.warps, problem::in_arrays>;
    if constexpr (agent::in_words) {
        // The low bits of sums and of bitwise folds, and the order, are the same in 32 bits. Items
        // are read as T first, for their sign.
        using wide = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
        const auto fold = [&] {
            if constexpr (agent::packed::is_sum) {
                return plus<>{};  // which overflows without undefined behaviour
            } else {
                return op;
            }
        }();
        const auto in_32_bits = rows_of<exclusive, wide, step>(
            reinterpret_cast<const T*>(in), extents, out, start_as<wide, Start>{start}, fold);
        if (launch_small_rows(where, in_32_bits)) return;
        if (extents.length < agent::least_length) return launch_large_rows(where, in_32_bits);
    } else {
        if (launch_small_rows(where, rows)) return;
    }
    launch_large_rows(where, rows);
}

template <bool exclusive, class T, class In, class Out, class Start, class Op>
void scan_rows(gpu& where, const In& first, const axis_extents& extents, const Out& out,
               const Start& start, const Op& op) {
    constexpr int step = walk<In>::step;
    if constexpr (step == walk<Out>::step) {
        scan_rows_from<exclusive, T, step>(where, walk<In>::start(first), extents,
                                           walk<Out>::start(out), start, op);
    } else {
        scan_rows_from<exclusive, T, 1>(where, indexed(first), extents, indexed(out), start, op);
    }
}

template <bool exclusive, class T, class In, class Out, class Start, class Op>
void scan_columns(gpu& where, const In& first, const axis_extents& extents, const Out& out,
                  const Start& start, const Op& op) {
    const auto in = indexed(first);
    const auto to = indexed(out);
    const auto as_items = [&](auto columns) {
        scan_rows_as_items<exclusive, T, columns>(where, in, extents.length, to, start, op);
    };
    if (with_rows_as_items<T>(extents, as_items)) return;
    if constexpr (sizeof(T) == 8 && sizeof(item_of<decltype(indexed(first))>) < 8) {
        if (is_long_pair<T>(extents)) return as_items(std::integral_constant<int, 2>{});
    }
    const auto packed = [&](auto words_in, const axis_extents& words, auto words_out,
                            const auto& start_of_word, const auto& fold) {
        scan_columns<exclusive, std::uint32_t>(where, words_in, words, words_out, start_of_word,
                                               fold);
    };
    if (with_packed_columns<T>(in, extents, to, start, op, packed)) return;
    using problem =
        column_problem<exclusive, T, decltype(indexed(first)), decltype(indexed(out)), Op, Start>;
    const column_shape shape = shape_of_columns(extents, problem::staged_size, sizeof(T));
    auto loads = column_moves::items, stores = column_moves::items;
    if constexpr (problem::can_be_aligned) {
        loads = moves_of_columns(shape, in);
        if constexpr (problem::in_one_place) stores = moves_of_columns(shape, to);
    }
    launch_tiles<column_agent, column_pipeline, problem::in_words>(
        where,
        problem{in, to, op, start, shape, item_count{shape.tiles()}, loads, stores,
                loads != column_moves::items},
        shape.tiles(), shape.words());
}

}  // namespace device

template <>
struct axis_scans_on<gpu> {
    template <bool exclusive, class T, class In, class Out, class Init, class Op>
    static void run(gpu& where, const In& first, const axis_extents& extents, const Out& out,
                    const Init& init, const Op& op) {
        using namespace device;
        static_assert(
            device_accumulator<T>,
            "accumulators on the GPU are trivially copyable and default-constructible, and "
            "have at most 64 bytes");
        const auto start = begin_each_with<T>(init);
        if (extents.inner == 1) {
            scan_rows<exclusive, T>(where, first, extents, out, start, op);
        } else {
            scan_columns<exclusive, T>(where, first, extents, out, start, op);
        }
    }
};

}  // namespace detail

template <class A>
void reserve(gpu& where, axis_extents extents) {
    using namespace detail::device;
    const auto whole = access::begin_call(where);
    if (detail::checked_product(extents) == 0) return;
    if (extents.inner == 1) {
        // Rows of narrow integers may be folded in 32 bits.
        using widened = std::conditional_t<std::integral<A> && sizeof(A) < 4, std::uint32_t, A>;
        return where.reserve<widened>(extents.outer * extents.length);
    }
    const auto as_items = [&](auto columns) { where.reserve<row_of<A, columns>>(extents.length); };
    if (with_rows_as_items<A>(extents, as_items)) return;
    if constexpr (sizeof(A) == 8) {  // whether items are narrower is not known here
        if (is_long_pair<A>(extents)) as_items(std::integral_constant<int, 2>{});
    }
    if constexpr (std::integral<A> && sizeof(A) <= 2) {
        const axis_extents packed = packed_extents<A>(extents);
        if (packed.inner >= least_packed_columns) reserve<std::uint32_t>(where, packed);
    }
    // How many words there are depends on the size of items, which is not known here.
    std::uint64_t words = 0;
    for (std::size_t size = sizeof(A); size >= least_staged_size<A>; --size) {
        words = std::max(words, shape_of_columns(extents, size, sizeof(A)).words());
    }
    access::region<A>(where, words);
}

}  // namespace lookback
