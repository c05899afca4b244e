/// \file
/// Arrays of few columns on the GPU: one block whose rows have 2, 4 or 8 bytes of accumulators, or
/// in long arrays two columns of 8 bytes, if they are wider than their items. A row is one item of
/// a plain scan, and its operator is applied to each column separately. So a scan of two columns of
/// floats takes the time of one scan of as many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/device/array_layout.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/scan_problem.hpp"

namespace lookback::detail::device {

template <class T, int columns>
struct row_of {
    T item[columns];

    template <class U>
    __device__ explicit operator row_of<U, columns>() const {
        row_of<U, columns> row;
#pragma unroll
        for (int c = 0; c < columns; ++c) row.item[c] = static_cast<U>(item[c]);
        return row;
    }
};
template <class T, class U, int columns>
inline constexpr bool moves_as<row_of<T, columns>, row_of<U, columns>> = moves_as<T, U>;
template <class T, class U, int columns>
inline constexpr bool put_by_cast<row_of<T, columns>, row_of<U, columns>> = put_by_cast<T, U>;

template <class Op>
struct by_columns {
    Op op;

    template <class T, int columns>
    __device__ row_of<T, columns> operator()(const row_of<T, columns>& a,
                                             const row_of<T, columns>& b) const {
        row_of<T, columns> row;
#pragma unroll
        for (int c = 0; c < columns; ++c) row.item[c] = static_cast<T>(op(a.item[c], b.item[c]));
        return row;
    }
};

template <class Start, class T, int columns>
struct start_of_columns {
    Start start;

    __device__ maybe<row_of<T, columns>> get() const {
        const maybe<T> one = start.get();
        row_of<T, columns> row;
#pragma unroll
        for (int c = 0; c < columns; ++c) row.item[c] = one.value;
        return {row, one.some};
    }
};

// Rows of arrays are read and written where they lie; volatile ones, and rows behind iterators,
// item by item.
template <class Array>
inline constexpr bool is_array_of_rows =
    std::is_pointer_v<Array> && !std::is_volatile_v<std::remove_pointer_t<Array>>;

template <class Array, class T, int columns>
struct rows_to_read {
    Array array;
    __device__ row_of<T, columns> operator[](std::int64_t i) const {
        row_of<T, columns> row;
#pragma unroll
        for (int c = 0; c < columns; ++c) row.item[c] = static_cast<T>(array[i * columns + c]);
        return row;
    }
};
template <class Array, int columns>
struct rows_to_write {
    Array array;

    struct place {
        const rows_to_write& to;
        std::int64_t i;
        template <class T>
        __device__ void operator=(const row_of<T, columns>& row) const {
#pragma unroll
            for (int c = 0; c < columns; ++c) store_at(to.array, i * columns + c, row.item[c]);
        }
    };
    __device__ place operator[](std::int64_t i) const { return {*this, i}; }
};
template <class T, int columns, class Array>
auto rows_in(const Array& in) {
    if constexpr (is_array_of_rows<Array>) {
        return reinterpret_cast<const row_of<item_of<Array>, columns>*>(in);
    } else {
        return rows_to_read<Array, T, columns>{in};
    }
}
template <class T, int columns, class Array>
auto rows_behind(const Array& out) {
    if constexpr (is_array_of_rows<Array> && put_by_cast<T, std::remove_pointer_t<Array>>) {
        return reinterpret_cast<row_of<item_of<Array>, columns>*>(out);
    } else {
        return rows_to_write<Array, columns>{out};
    }
}

/// Calls `scan` with the number of columns as a constant if rows are scanned as items. Returns
/// whether it did. That depends on the extents and the size of an accumulator only.
template <class T, int columns = 2, class Scan>
bool with_rows_as_items(const axis_extents& extents, const Scan& scan) {
    if constexpr (columns <= 4 && 8 % (columns * sizeof(T)) == 0) {
        if (extents.outer == 1 && extents.inner == columns) {
            scan(std::integral_constant<int, columns>{});
            return true;
        }
        return with_rows_as_items<T, 2 * columns>(extents, scan);
    }
    return false;
}

/// Whether the array has two columns of accumulators of 8 bytes, and is so long that only the
/// drivers for large arrays serve.
template <class T>
    requires(sizeof(T) == 8)
bool is_long_pair(const axis_extents& extents) {
    return extents.outer == 1 && extents.inner == 2 &&
           extents.length > std::rbegin(light<row_of<T, 2>>)->most_items;
}

template <bool exclusive, class T, int columns, class In, class Out, class Start, class Op>
void scan_rows_as_items(gpu& where, const In& in, std::uint64_t rows, const Out& out,
                        const Start& start, const Op& op) {
    auto from = rows_in<T, columns>(in);
    auto to = rows_behind<T, columns>(out);
    using row = row_of<T, columns>;
    using problem = scan_problem<exclusive, decltype(from), decltype(to), row, by_columns<Op>, 1,
                                 start_of_columns<Start, T, columns>>;
    bool in_place = true;  // it is not known what an iterator reads
    if constexpr (is_array_of_rows<In> && is_array_of_rows<Out>) {
        in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
    }
    const problem all{from,
                      to,
                      {op},
                      {start},
                      item_count{rows},
                      in_place,
                      problem::can_be_aligned && all_on_vector_boundaries(in, out)};
    if constexpr (sizeof(row) <= 8) {
        launch_scan(where, all);
    } else {
        constexpr large_shape shape = large<sizeof(row)>;
        launch_large<scan_agent, shape, problem::in_arrays>(where, all);
    }
}

}  // namespace lookback::detail::device
