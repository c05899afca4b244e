/// \file
/// Inclusive and exclusive scan (prefix sum, for any associative operator).
///
///     inclusive: out[i] = init op in[0] op ... op in[i]
///     exclusive: out[i] = init op in[0] op ... op in[i-1]
///
/// Arguments follow the standard library's order, with the execution first; without an execution,
/// all cores are used. Arrays are iterators or ranges; an output range is not a temporary, unless
/// it is a view of an array. A backward scan is a scan of reverse iterators on both sides
/// (`in.rbegin(), in.rend(), out.rbegin()`), which costs the same.
///
/// The accumulator is the type of `init`; without `init`, it is what `op` returns for two elements.
/// So `exclusive_scan(bytes, sums, std::uint64_t{0})` and `inclusive_scan(bytes, sums,
/// plus<std::uint64_t>{})` both sum bytes into 64 bits. An `init` that cannot hold all values of
/// the elements (0, an int, for `unsigned`, 64-bit integers or floats) does not compile. Each
/// output is converted on assignment.
///
/// `op` must be associative and need not commute. It is applied to the elements in order, never to
/// padding. The same input gives the same bits in every run, for any number of threads
/// (docs/design.md, "The tree"), with two exceptions: which of two equal zeros minimum and maximum
/// return, and the sign and payload of a NaN where different NaNs meet. On the CPU `op` is applied
/// at most about three times for each element, an exact operator (operators.hpp) at most about
/// twice.
///
/// Input is read as `in[i]`. Iterators are copied but never assigned, so iterators that hold a
/// lambda work; so does a write-only output. Results are assigned to the output's items: numbers
/// are converted as if by a cast, all other results by the items' own operator=.
///
/// Work O(n). Each element is read from memory once (a second time from cache: iterators are
/// dereferenced up to three times, from several threads at once), and each output is written once.
/// Extra memory is at most 0.1 % of the accumulators' memory; on a GPU, at most 0.3 % if they have
/// more than 12 bytes. The output may be the input; any other overlap is refused where both are
/// contiguous. If `op` throws, the exception reaches the caller, and the outputs are partly
/// written.
///
/// The number of items and the initial value may lie in memory: pass count_at in place of the
/// input's end, and value_at in place of `init` (counts.hpp). The call then returns the end of the
/// output for the largest possible count. axis_extents in place of the end scan along an axis
/// (axis_scan.hpp).
///
/// On a GPU (gpu.hpp), in calls compiled by nvcc:
///
/// - iterators point to device memory, or compute their values there. Arrays may have any
///   alignment; the alignment affects the speed, not the bits;
/// - element, accumulator and output types are trivially copyable. Accumulators have a default
///   constructor, at most 64 bytes, and an alignment of at most 16. The operator can be called on
///   the device;
/// - if the output lies over memory from which an iterator computes its values, the iterator may
///   also compute values from results, even from partly written ones. These values are not used,
///   and the operator is not applied to them;
/// - calls are asynchronous, one kernel launch each, on the device that the lookback::gpu was made
///   for;
/// - a float sum has another tree than on the CPU. It, too, depends on the type and the number of
///   items alone;
/// - an inclusive scan without an initial value cannot take a bare extended `__device__` lambda,
///   because the host cannot see what it returns. Wrap it in cuda::proclaim_return_type.
///
/// Errors: std::invalid_argument for a range that ends before it begins, a null pointer with items,
/// an output range that is too small, output that partly overlaps input, or a negative number of
/// threads. On a GPU also std::invalid_argument if another device is current, and for more items
/// than 2^31 tiles hold (a tile is a few thousand items: 10,880 in scans of 4-byte numbers);
/// cuda_error where a CUDA call fails.
///
/// Source: Merrill & Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back".
#pragma once

#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "lookback/counts.hpp"
#include "lookback/cpu.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// How an execution runs scans: specialised in detail/cpu/scan.hpp and detail/device/scan.hpp;
/// scans along an axis in the axis_scan.hpp of the same folders.
template <class Execution>
struct scans_on;
template <class Execution>
struct axis_scans_on {
    static_assert(sizeof(Execution) == 0, "scans along an axis: include lookback/axis_scan.hpp");
};

template <bool is_exclusive, class T, class Where, class In, class Last, class Out, class Init,
          class Op>
Out scan(Where&& execution, const In& first, const Last& last, const Out& out, const Init& init,
         const Op& op) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    if constexpr (std::same_as<Last, axis_extents>) {
        const std::size_t items = detail::checked_product(last);
        if (items == 0) return out;
        detail::check_memory(first, out, items);
        axis_scans_on<on>::template run<is_exclusive, T>(where, first, last, out, init,
                                                         detail::to_fold<T>(op));
        return out + static_cast<std::iter_difference_t<Out>>(items);
    } else {
        const item_count items = detail::count_items(first, last);
        if (items.at_most == 0) return out;
        detail::check_memory(first, out, items.at_most);
        scans_on<on>::template run<is_exclusive, T>(where, first, items, out, init,
                                                    detail::to_fold<T>(op));
        return out + static_cast<std::iter_difference_t<Out>>(items.at_most);
    }
}

/// The forms of a scan, with one more: ranges with axis_extents.
template <class Form>
struct scan_algorithm : algorithm<Form, takes::operators, 1, 1> {
    using algorithm<Form, takes::operators, 1, 1>::operator();

    template <class Where = cpu, class In, class Out, class... Rest,
              class = std::enable_if_t<execution<Where> && sized_input<In> && sized_output<Out>>>
    auto operator()(Where&& where, In&& in, axis_extents extents, Out&& out, Rest&&... rest) const
        -> std::invoke_result_t<const Form&, Where&, iterator_of<In>, axis_extents,
                                iterator_of<Out>, Rest...> {
        detail::check_extents(extents, detail::size_of(in), detail::size_of(out));
        return Form{}(where, std::ranges::begin(in), extents, std::ranges::begin(out),
                      std::forward<Rest>(rest)...);
    }
};

// (With extents, `first` is taken by reference as it is. Otherwise an array, which is a range,
// would match as a pointer.)
template <class First>
concept start_of_axis = indexed_input<std::remove_cvref_t<First>>;

struct inclusive_scan_form : scan_algorithm<inclusive_scan_form> {
    using scan_algorithm<inclusive_scan_form>::operator();

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last, class Out,
              class Op = plus<>>
        requires scannable_alone<In, Out, Op>
    Out operator()(Where&& where, In first, Last last, Out out, Op op = {}) const {
        return detail::scan<false, scan_accumulator<In, Op>>(where, first, last, out,
                                                             no_initial_value{}, op);
    }

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last, class Out, class Op,
              class Init, class T = init_type_of<Init>>
        requires scannable_from<In, Out, T, Op>
    Out operator()(Where&& where, In first, Last last, Out out, Op op, Init init) const {
        return detail::scan<false, T>(where, first, last, out, init, op);
    }

    template <execution Where = cpu, start_of_axis First, class Out, class Op = plus<>>
        requires scannable_alone<std::remove_cvref_t<First>, Out, Op>
    Out operator()(Where&& where, First&& first, axis_extents extents, Out out, Op op = {}) const {
        return detail::scan<false, scan_accumulator<std::remove_cvref_t<First>, Op>>(
            where, first, extents, out, no_initial_value{}, op);
    }
    template <execution Where = cpu, start_of_axis First, class Out, class Op, class Init,
              class T = init_type_of<Init>>
        requires scannable_from<std::remove_cvref_t<First>, Out, T, Op>
    Out operator()(Where&& where, First&& first, axis_extents extents, Out out, Op op,
                   Init init) const {
        return detail::scan<false, T>(where, first, extents, out, init, op);
    }
};

struct exclusive_scan_form : scan_algorithm<exclusive_scan_form> {
    using scan_algorithm<exclusive_scan_form>::operator();

    template <execution Where = cpu, indexed_input In, end_of_input<In> Last, class Out,
              class Init = scan_accumulator<In, plus<>>, class Op = plus<>,
              class T = init_type_of<Init>>
        requires scannable_from<In, Out, T, Op>
    Out operator()(Where&& where, In first, Last last, Out out, Init init = Init{},
                   Op op = {}) const {
        return detail::scan<true, T>(where, first, last, out, init, op);
    }

    template <execution Where = cpu, start_of_axis First, class Out,
              class Init = scan_accumulator<std::remove_cvref_t<First>, plus<>>, class Op = plus<>,
              class T = init_type_of<Init>>
        requires scannable_from<std::remove_cvref_t<First>, Out, T, Op>
    Out operator()(Where&& where, First&& first, axis_extents extents, Out out, Init init = Init{},
                   Op op = {}) const {
        return detail::scan<true, T>(where, first, extents, out, init, op);
    }
};

}  // namespace detail

/// Inclusive scan of [first, last) to `out`, or of a range to the beginning of a range that is at
/// least as long. Returns the end of the output.
///
///     inclusive_scan(where, first, last, out, op = plus<>{})
///     inclusive_scan(where, first, last, out, op, init)    with a value before the first item
///     inclusive_scan(where, in, out, ...)                  ranges
inline constexpr detail::inclusive_scan_form inclusive_scan;

/// Exclusive scan from `init`, or from T{} without it. Returns the end of the output.
///
///     exclusive_scan(where, first, last, out, init = T{}, op = plus<>{})
///     exclusive_scan(where, in, out, ...)                  ranges
inline constexpr detail::exclusive_scan_form exclusive_scan;

}  // namespace lookback

#include "lookback/detail/cpu/scan.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/scan.hpp"
#endif
