/// \file
/// Scans along an axis on a GPU. Rows are scanned as segments, and columns in strips
/// (column_shape.hpp); an array of few columns is one plain scan (column_rows.hpp). (Source:
/// Merrill & Garland 2016, with a row of aggregates for each tile of columns.)
#pragma once

#include <cstddef>

#include "lookback/axis_scan.hpp"
#include "lookback/detail/device/column_agent.hpp"
#include "lookback/detail/device/column_rows.hpp"
#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/segmented.hpp"
#include "lookback/gpu.hpp"

namespace lookback {
namespace detail {
namespace device {

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
    launch_tiles<column_agent, column_pipeline>(
        where,
        problem{in, to, op, start, shape, item_count{shape.tiles()}, moves,
                moves != column_moves::items},
        shape.tiles(), shape.words());
}

}  // namespace device

template <>
struct axis_scans_on<gpu> {
    template <bool exclusive, class T, class In, class Out, class Init, class Op>
    static void run(gpu& where, const In& first, const axis_extents& extents, const Out& out,
                    const Init& init, const Op& op) {
        using namespace device;
        const auto start = begin_segments_with<T>(init);
        if (extents.inner == 1) {
            const item_count items{extents.outer * extents.length};
            scan_segments<exclusive, T>(where, first, items, heads_by_row{divisor(extents.length)},
                                        out, start, op);
        } else {
            scan_columns<exclusive, T>(where, first, extents, out, start, op);
        }
    }
};

}  // namespace detail

/// Makes the workspace large enough for scans of these extents, with accumulators of type A.
/// Errors: those of gpu::reserve, and std::invalid_argument for extents that a scan refuses.
template <class A>
void reserve(gpu& where, axis_extents extents) {
    using namespace detail::device;
    const auto whole = access::begin_call(where);
    if (detail::checked_product(extents) == 0) return;
    if (extents.inner == 1) {
        access::region<segment_value<A>>(
            where,
            tiles_for(extents.outer * extents.length, segmented_tile_items<detail::no_array, A>));
        return;
    }
    const auto as_items = [&](auto columns) { where.reserve<row_of<A, columns>>(extents.length); };
    if (with_rows_as_items<A>(extents, as_items)) return;
    access::region<A>(where, shape_of_columns<A>(extents).words());
}

}  // namespace lookback
