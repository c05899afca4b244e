/// \file
/// Inclusive and exclusive scan (prefix sum, for any associative operator).
///
///     inclusive: out[i] = init op in[0] op ... op in[i]
///     exclusive: out[i] = init op in[0] op ... op in[i-1]
///
/// Arguments follow the standard library's order, the execution first; without one, all cores are
/// used. Iterators, or ranges: an output is not a temporary, unless it is a view of an array. A
/// backward scan is a scan of reverse iterators on both sides (`in.rbegin(), in.rend(),
/// out.rbegin()`), which costs the same.
///
/// The accumulator is the type of `init`; without one, what `op` returns for two elements. So
/// `exclusive_scan(bytes, sums, std::uint64_t{0})` and `inclusive_scan(bytes, sums,
/// plus<std::uint64_t>{})` both sum bytes into 64 bits. An `init` that cannot hold all values of
/// the elements (0, an int, for `unsigned`, 64-bit integers or floats) does not compile. Each
/// output is converted on assignment.
///
/// `op` must be associative, need not commute, and sees each element in order, never padding. The
/// same input gives the same bits in every run, for any number of threads (docs/design.md, "The
/// tree"; but for which of two equal zeros minimum and maximum return, and for the sign and payload
/// of a NaN where different ones meet). Exact operators apart (operators.hpp), it is applied about
/// twice for each element.
///
/// Work O(n); each element is read from memory once (a second time from cache: iterators are
/// dereferenced up to three times, from several threads at once) and each output written once;
/// extra memory is at most 0.1 % of the accumulators'. Output may be the input; any other overlap
/// is refused where both are contiguous. If `op` throws, the exception reaches the caller, with the
/// outputs partly written.
///
/// Call it by its full name: for iterators of the standard library, a bare `inclusive_scan` may
/// find std::inclusive_scan.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// an output range that is too small, output that partly overlaps input, or a negative number of
/// threads.
///
/// Source: Merrill & Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back".
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/simd_scan_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"

namespace lookback {

namespace detail {

// Whether the SIMD kernels scan it.
template <class In, class Out, class T, class Op>
inline constexpr bool has_kernel =
    simd_op_of<Op, T> !=
    simd_op::none&& same_walk<In, Out>&& std::same_as<std::iter_value_t<In>, T>&&
        std::same_as<std::iter_value_t<Out>, T>;

template <bool is_exclusive, class In, class Out, class T, class Op>
void scan_tiles(const cpu& where, In first, std::size_t items, Out out, std::optional<T> init,
                const Op& op) {
    if constexpr (has_kernel<In, Out, T, Op>) {
        detail::single_pass(where, simd_scan_problem<is_exclusive, T, Op>(
                                       walk<In>::start(first), items, walk<Out>::start(out),
                                       walk<In>::step, std::move(init)));
    } else {
        detail::single_pass(
            where, scan_problem<is_exclusive, In, Out, T, Op>(std::move(first), items,
                                                              std::move(out), std::move(init), op));
    }
}

template <bool is_exclusive, class In, class Out, class T, class Op>
Out scan(const cpu& where, In first, In last, Out out, std::optional<T> init, const Op& op) {
    detail::check_threads(where.threads);
    const std::size_t items = detail::checked_count(first, last);
    if (items == 0) return out;
    detail::check_memory(first, out, items);
    const Out end = out + static_cast<std::iter_difference_t<Out>>(items);
    // A few nanoseconds count: no driver for one small tile. (The tree of a sum of floats has no
    // rows in so short a tile; other kernels begin to pay.)
    constexpr bool has_rows = has_kernel<In, Out, T, Op> && exactly_associative<Op, T>;
    if (items < short_tile_items || (items == short_tile_items && !has_rows)) {
        const scan_problem<is_exclusive, In, Out, T, Op> problem(
            std::move(first), items, std::move(out), std::move(init), op);
        no_tile_memory none;
        problem.emit({0, items}, problem.init(), none, std::nullopt, none);
    } else {
        detail::scan_tiles<is_exclusive>(where, std::move(first), items, std::move(out),
                                         std::move(init), op);
    }
    return end;
}

}  // namespace detail

/// Inclusive scan of [first, last) to `out`. Returns the end of the output.
template <std::random_access_iterator In, class Out, class Op = plus<>>
    requires detail::scannable<In, Out, scan_accumulator<In, Op>, Op> Out
    inclusive_scan(cpu where, In first, In last, Out out, Op op = {}) {
        using T = scan_accumulator<In, Op>;
        return detail::scan<false, In, Out, T>(where, first, last, out, std::nullopt, op);
    }

/// Inclusive scan with a value before the first item.
template <std::random_access_iterator In, class Out, class Op, class T>
    requires detail::scannable_from<In, Out, T, Op> Out inclusive_scan(cpu where, In first, In last,
                                                                       Out out, Op op, T init) {
        return detail::scan<false, In, Out, T>(where, first, last, out, std::move(init), op);
    }

/// Exclusive scan of [first, last) to `out`, from `init` or else from T{}. Returns the end of the
/// output.
template <std::random_access_iterator In, class Out, class T = scan_accumulator<In, plus<>>,
          class Op = plus<>>
    requires detail::scannable_from<In, Out, T, Op> Out exclusive_scan(cpu where, In first, In last,
                                                                       Out out, T init = T{},
                                                                       Op op = {}) {
        return detail::scan<true, In, Out, T>(where, first, last, out, std::move(init), op);
    }

/// Inclusive scan of a range, to the beginning of one that is at least as long. Returns the end of
/// what is written.
template <detail::sized_input In, detail::sized_output Out, class Op = plus<>>
    requires detail::scannable<detail::iterator_of<In>, detail::iterator_of<Out>,
                               scan_accumulator<detail::iterator_of<In>, Op>, Op>
        detail::iterator_of<Out> inclusive_scan(cpu where, In&& in, Out&& out, Op op = {}) {
        detail::check_room(in, out);
        return lookback::inclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                        std::ranges::begin(out), op);
    }

/// Inclusive scan of a range with a value before the first item.
template <detail::sized_input In, detail::sized_output Out, class Op, class T>
    requires detail::scannable_from<detail::iterator_of<In>, detail::iterator_of<Out>, T, Op>
        detail::iterator_of<Out> inclusive_scan(cpu where, In&& in, Out&& out, Op op, T init) {
        detail::check_room(in, out);
        return lookback::inclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                        std::ranges::begin(out), op, std::move(init));
    }

/// Exclusive scan of a range, to the beginning of one that is at least as long.
template <detail::sized_input In, detail::sized_output Out,
          class T = scan_accumulator<detail::iterator_of<In>, plus<>>, class Op = plus<>>
    requires detail::scannable_from<detail::iterator_of<In>, detail::iterator_of<Out>, T, Op>
        detail::iterator_of<Out> exclusive_scan(cpu where, In&& in, Out&& out, T init = T{},
                                                Op op = {}) {
        detail::check_room(in, out);
        return lookback::exclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                        std::ranges::begin(out), std::move(init), op);
    }

/// The same on all cores.
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto inclusive_scan(First&& first, Rest&&... rest)
    -> decltype(lookback::inclusive_scan(cpu{}, std::forward<First>(first),
                                         std::forward<Rest>(rest)...)) {
    return lookback::inclusive_scan(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}
template <class First, class... Rest, class = detail::not_an_execution<First>>
auto exclusive_scan(First&& first, Rest&&... rest)
    -> decltype(lookback::exclusive_scan(cpu{}, std::forward<First>(first),
                                         std::forward<Rest>(rest)...)) {
    return lookback::exclusive_scan(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
}

/// Any other call does not compile: `Why` says what is wrong with it.
template <class... A, class Why = detail::why_refused<detail::takes::operators, 1, A...>>
void inclusive_scan(A&&...) = delete;
template <class... A, class Why = detail::why_refused<detail::takes::operators, 1, A...>>
void exclusive_scan(A&&...) = delete;

}  // namespace lookback
