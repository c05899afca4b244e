/// \file
/// Inclusive and exclusive scan along one axis of an array in C order, the last axis contiguous.
///
/// `extents` say how the array looks from that axis: `outer` blocks of `length` rows of `inner`
/// items, scanned over `length`. So the rows of an R x C matrix are {R, C, 1}, its columns
/// {1, R, C}. The contract is that of scan.hpp, item by item along the axis; `extents` stand in the
/// place of the input's end:
///
///     inclusive_scan(matrix, axis_extents{1, R, C}, sums);
///     inclusive_scan(where, matrix.begin(), axis_extents{1, R, C}, sums.begin());
///
/// Float sums have the same bits in every run, for any number of threads, by the extents alone:
/// each row those of a scan of its own; columns are folded item by item within tiles of rows, 256
/// KiB large, and an output is prefix · local as in scan.hpp.
///
/// Work O(n); each item is read from memory once (a second time from cache), each output written
/// once, for rows and columns alike, from N x 2 to 2 x N. Extra memory is at most 2 % of the
/// accumulators' (columns; less than 0.1 % for rows), where an accumulator has at most 1 KiB.
///
/// Errors: std::invalid_argument for extents whose product has no 64 bits or is more than an input
/// range's items, and as in scan.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/column_scan_problem.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"
#include "lookback/scan.hpp"

namespace lookback {

namespace detail {

inline std::size_t checked_product(const axis_extents& e) {
    const auto fits = [](std::size_t a, std::size_t b) { return b == 0 || a <= PTRDIFF_MAX / b; };
    if (e.outer == 0 || e.length == 0 || e.inner == 0) return 0;
    if (!fits(e.outer, e.length) || !fits(e.outer * e.length, e.inner)) {
        throw std::invalid_argument("lookback: the extents " + std::to_string(e.outer) + " x " +
                                    std::to_string(e.length) + " x " + std::to_string(e.inner) +
                                    " have more items than can be counted");
    }
    return e.outer * e.length * e.inner;
}

template <class In, class Out>
void check_extents(const axis_extents& extents, In&& in, Out&& out) {
    const std::size_t items = detail::checked_product(extents);
    if (detail::size_of(in) < items) {
        throw std::invalid_argument("lookback: the input has " +
                                    std::to_string(detail::size_of(in)) +
                                    " items; expected the extents' " + std::to_string(items));
    }
    detail::check_room_for(items, detail::size_of(out));
}

// Rows that are long enough for several threads, one after the other; shorter ones side by side.
template <bool is_exclusive, class In, class Out, class T, class Op>
void scan_rows(const cpu& where, In first, const axis_extents& e, Out out,
               const std::optional<T>& init, const Op& op) {
    const auto scan_row = [&](const cpu& row_where, std::size_t row) {
        const auto from = first + static_cast<std::iter_difference_t<In>>(row * e.length);
        const auto to = out + static_cast<std::iter_difference_t<Out>>(row * e.length);
        if (e.length <= short_tile_items) {
            const scan_problem<is_exclusive, In, Out, T, Op> problem(from, e.length, to, init, op);
            no_tile_memory none;
            problem.emit({0, e.length}, problem.init(), none, std::nullopt, none);
        } else {
            const auto to_row_end = static_cast<std::iter_difference_t<In>>(e.length);
            detail::scan<is_exclusive, In, Out, T>(row_where, from, from + to_row_end, to, init,
                                                   op);
        }
    };
    if (e.length >= 4 * scan_tile_items<T>) {
        for (std::size_t row = 0; row < e.outer; ++row) scan_row(where, row);
        return;
    }
    const std::size_t rows_of_a_tile = std::max<std::size_t>(1, small_tile_items<T> / e.length);
    detail::for_shares(where, e.outer, rows_of_a_tile, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) scan_row({.threads = 1}, row);
    });
}

template <bool is_exclusive, class In, class Out, class T, class Op>
Out axis_scan(const cpu& where, In first, const axis_extents& extents, Out out,
              std::optional<T> init, const Op& op) {
    check_threads(where.threads);
    const std::size_t items = checked_product(extents);
    if (items == 0) return out;
    detail::check_memory(first, out, items);
    if (extents.inner == 1) {
        detail::scan_rows<is_exclusive, In, Out, T>(where, first, extents, out, init, op);
    } else {
        detail::single_pass(where, column_scan_problem<is_exclusive, In, Out, T, Op>(
                                       first, extents, out, std::move(init), op));
    }
    return out + static_cast<std::iter_difference_t<Out>>(items);
}

}  // namespace detail

/// Inclusive scan along an axis. Returns the end of the output.
template <std::random_access_iterator In, class Out, class Op = plus<>>
    requires detail::scannable<In, Out, scan_accumulator<In, Op>, Op> Out
    inclusive_scan(cpu where, In first, axis_extents extents, Out out, Op op = {}) {
        using T = scan_accumulator<In, Op>;
        return detail::axis_scan<false, In, Out, T>(where, first, extents, out, std::nullopt, op);
    }

/// Inclusive scan along an axis with a value before the first item of each row or column.
template <std::random_access_iterator In, class Out, class Op, class T>
    requires detail::scannable_from<In, Out, T, Op> Out inclusive_scan(cpu where, In first,
                                                                       axis_extents extents,
                                                                       Out out, Op op, T init) {
        return detail::axis_scan<false, In, Out, T>(where, first, extents, out, std::move(init),
                                                    op);
    }

/// Exclusive scan along an axis, from `init` or else from T{}. Returns the end of the output.
template <std::random_access_iterator In, class Out, class T = scan_accumulator<In, plus<>>,
          class Op = plus<>>
    requires detail::scannable_from<In, Out, T, Op> Out exclusive_scan(cpu where, In first,
                                                                       axis_extents extents,
                                                                       Out out, T init = T{},
                                                                       Op op = {}) {
        return detail::axis_scan<true, In, Out, T>(where, first, extents, out, std::move(init), op);
    }

/// The same of ranges, which have at least as many items as the extents. Returns the end of what is
/// written.
template <detail::sized_input In, detail::sized_output Out, class Op = plus<>>
    requires detail::scannable<detail::iterator_of<In>, detail::iterator_of<Out>,
                               scan_accumulator<detail::iterator_of<In>, Op>, Op>
        detail::iterator_of<Out> inclusive_scan(cpu where, In&& in, axis_extents extents, Out&& out,
                                                Op op = {}) {
        detail::check_extents(extents, in, out);
        return lookback::inclusive_scan(where, std::ranges::begin(in), extents,
                                        std::ranges::begin(out), op);
    }
template <detail::sized_input In, detail::sized_output Out, class Op, class T>
    requires detail::scannable_from<detail::iterator_of<In>, detail::iterator_of<Out>, T, Op>
        detail::iterator_of<Out> inclusive_scan(cpu where, In&& in, axis_extents extents, Out&& out,
                                                Op op, T init) {
        detail::check_extents(extents, in, out);
        return lookback::inclusive_scan(where, std::ranges::begin(in), extents,
                                        std::ranges::begin(out), op, std::move(init));
    }
template <detail::sized_input In, detail::sized_output Out,
          class T = scan_accumulator<detail::iterator_of<In>, plus<>>, class Op = plus<>>
    requires detail::scannable_from<detail::iterator_of<In>, detail::iterator_of<Out>, T, Op>
        detail::iterator_of<Out> exclusive_scan(cpu where, In&& in, axis_extents extents, Out&& out,
                                                T init = T{}, Op op = {}) {
        detail::check_extents(extents, in, out);
        return lookback::exclusive_scan(where, std::ranges::begin(in), extents,
                                        std::ranges::begin(out), std::move(init), op);
    }

/// The same on all cores.
template <class In, class... Rest, class = detail::not_an_execution<In>>
auto inclusive_scan(In&& in, axis_extents extents, Rest&&... rest)
    -> decltype(lookback::inclusive_scan(cpu{}, std::forward<In>(in), extents,
                                         std::forward<Rest>(rest)...)) {
    return lookback::inclusive_scan(cpu{}, std::forward<In>(in), extents,
                                    std::forward<Rest>(rest)...);
}
template <class In, class... Rest, class = detail::not_an_execution<In>>
auto exclusive_scan(In&& in, axis_extents extents, Rest&&... rest)
    -> decltype(lookback::exclusive_scan(cpu{}, std::forward<In>(in), extents,
                                         std::forward<Rest>(rest)...)) {
    return lookback::exclusive_scan(cpu{}, std::forward<In>(in), extents,
                                    std::forward<Rest>(rest)...);
}

}  // namespace lookback
