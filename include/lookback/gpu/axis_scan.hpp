/// \file
/// Inclusive and exclusive scan along one axis of an array in C order, on CUDA GPUs. The contract
/// is that of lookback/axis_scan.hpp and, for what may be passed, of lookback/gpu/scan.hpp;
/// accumulators of rows have, with a flag, at most 64 bytes.
///
/// Rows, axis_extents{outer, length, 1}, are one scan of segments that begin at every `length`-th
/// item; columns are scanned in strips (detail/device/column_shape.hpp), but two or four of one block whose
/// rows have 2, 4 or 8 bytes as one plain scan (detail/device/column_rows.hpp). Either way the load is
/// balanced from N x 2 to 2 x N. The bits of float sums are the same in every run; they depend on
/// the extents and, for rows, on a row's place too.
///
/// `reserve<A>(gpu, extents)` makes room in the workspace, as gpu::reserve does for plain scans:
/// for long columns at most 10 % of the accumulators' memory, 14 % where those have 13 to 16 bytes.
///
/// Bytes moved: each item read once, each result written once. Arrays of accumulators on boundaries
/// of 4 bytes are moved by words where rows are whole words of 4 bytes, or blocks fit in a tile, or
/// one block has up to 128 columns; arrays that are scanned as rows, where they are on boundaries
/// of 16 bytes; all others item by item, which is slower. One kernel launch.
///
/// Errors: std::invalid_argument for extents whose product has no 63 bits or that make more than
/// 2^31 tiles, and as in lookback/gpu/scan.hpp.
///
/// Source: Merrill & Garland 2016, with a row of aggregates for each tile of columns.
#pragma once

#include <cstddef>
#include <iterator>

#include "lookback/axis_scan.hpp"
#include "lookback/detail/device/column_rows.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/column_steps.hpp"
#include "lookback/gpu/segmented.hpp"

namespace lookback {
namespace detail::device {

template <bool exclusive, class T, class In, class Out, class Start, class Op>
void scan_columns(gpu& where, const In& first, const axis_extents& extents, const Out& out,
                  const Start& start, const Op& op) {
    static_assert(device_accumulator<T>,
                  "accumulators on the GPU are trivially copyable and default-constructible, and "
                  "have at most 64 bytes");
    const auto in = indexed(first);
    const auto to = indexed(out);
    const auto as_items = [&](auto columns) {
        scan_rows_as_items<exclusive, T, columns>(where, in, extents.length, to, start, op);
    };
    if (with_rows_as_items<T>(extents, as_items)) return;
    using problem =
        column_problem<exclusive, T, decltype(indexed(first)), decltype(indexed(out)), Op, Start>;
    const column_shape shape = shape_of_columns<T>(extents);
    auto moves = column_moves::items;
    if constexpr (problem::can_be_aligned) moves = moves_of_columns(shape, sizeof(T), in, to);
    launch_tiles<column_steps, column_pipeline>(
        where,
        problem{in, to, op, start, shape, item_count{shape.tiles()}, moves,
                moves != column_moves::items},
        shape.tiles(), shape.words());
}

template <bool exclusive, class T, class In, class Out, class Start, class Op>
Out scan_axis(gpu& where, const In& first, const axis_extents& extents, const Out& out,
              const Start& start, const Op& op) {
    const std::size_t items = checked_product(extents);
    const auto whole = access::begin_call(where);
    if (items == 0) return out;
    check_memory(first, out, items);
    if (extents.inner == 1) {
        scan_segments<exclusive, T>(where, first, item_count{items}, heads_by_row{extents.length},
                                    out, start, op);
    } else {
        scan_columns<exclusive, T>(where, first, extents, out, start, op);
    }
    return out + static_cast<std::iter_difference_t<Out>>(items);
}

}  // namespace detail::device

/// Makes the workspace large enough for scans of these extents, with accumulators of type A.
/// Errors: those of gpu::reserve, and std::invalid_argument for extents as above.
template <class A>
void reserve(gpu& where, axis_extents extents) {
    using namespace detail::device;
    const auto whole = access::begin_call(where);
    if (detail::checked_product(extents) == 0) return;
    if (extents.inner == 1) {
        access::region<segment_value<A>>(
            where, tiles_for(extents.outer * extents.length, segmented_tile_items<nowhere, A>));
        return;
    }
    const auto as_items = [&](auto columns) { where.reserve<row_of<A, columns>>(extents.length); };
    if (with_rows_as_items<A>(extents, as_items)) return;
    access::region<A>(where, shape_of_columns<A>(extents).words());
}

/// Inclusive scan along an axis. Returns the end of the output.
template <std::random_access_iterator In, class Out, class Op = plus<>>
    requires(!detail::device::hides_its_result<Op> &&
             detail::device::segment_scannable<In, Out, scan_accumulator<In, Op>, Op>)
Out inclusive_scan(gpu& where, In first, axis_extents extents, Out out, Op op = {}) {
    using T = scan_accumulator<In, Op>;
    return detail::device::scan_axis<false, T>(where, first, extents, out,
                                            detail::device::no_initial_value<T>{}, op);
}

/// Inclusive scan along an axis with a value before the first item of each row or column, on the
/// host or a device_value.
template <std::random_access_iterator In, class Out, class Op, class Init,
          class T = typename detail::device::init_type<Init>::type>
    requires detail::device::segment_scannable<In, Out, T, Op> Out inclusive_scan(gpu& where, In first,
                                                                               axis_extents extents,
                                                                               Out out, Op op,
                                                                               Init init) {
        return detail::device::scan_axis<false, T>(where, first, extents, out,
                                                detail::device::begin_with<In>(init), op);
    }

/// Exclusive scan along an axis, from a value on the host or a device_value, or else from zero.
template <std::random_access_iterator In, class Out, class Init = scan_accumulator<In, plus<>>,
          class Op = plus<>, class T = typename detail::device::init_type<Init>::type>
    requires detail::device::segment_scannable<In, Out, T, Op> Out exclusive_scan(
        gpu& where, In first, axis_extents extents, Out out, Init init = Init{}, Op op = {}) {
        return detail::device::scan_axis<true, T>(where, first, extents, out,
                                               detail::device::begin_with<In>(init), op);
    }

}  // namespace lookback
