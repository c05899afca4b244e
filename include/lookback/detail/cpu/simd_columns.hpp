/// \file
/// A tile of the scan down columns, row by row, by the kernels that combine two rows of numbers.
///
/// Rows of folds are the worker's own, and leave from there, around the caches where arrays are
/// large: each item is read once, each result written once. The order is that of
/// detail/cpu/column_scan_problem.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

/// Rows of narrower tiles are not worth the calls.
inline constexpr std::size_t narrow_columns_bytes = 256;

/// Columns of an array, or a stretch of them; rows are `pitch` items apart.
template <class T>
struct column_piece {
    const T* in;
    T* out;
    std::size_t pitch, rows, columns;
    bool stream;  ///< write around the caches, then simd_compaction_kernels().flush()
};

template <bool is_exclusive, class T, class Op>
class simd_columns {
    static constexpr simd_op op = simd_op_of<Op, T>;
    using row = std::vector<T>;

 public:
    /// The fold of each column; `above`, where it is not empty, comes before the first row.
    static row reduce(const column_piece<T>& p, const row& above) {
        row folds(p.in, p.in + p.columns);
        for (std::size_t r = 1; r < p.rows; ++r) combine(folds, folds, read(p, r));
        if (!above.empty()) combine(folds, above, folds.data());
        return folds;
    }

    /// The fold up to the last row. `above` is empty where nothing comes before the first row.
    static row scan(const column_piece<T>& p, const row& above) {
        if (above.empty()) {  // inclusive
            row folds(p.in, p.in + p.columns);
            put(p, 0, folds);
            for (std::size_t r = 1; r < p.rows; ++r) {
                combine(folds, folds, read(p, r));
                put(p, r, folds);
            }
            return folds;
        }
        row running = above, local, next(p.columns);
        for (std::size_t r = 0; r < p.rows; ++r) {
            const T* const items = read(p, r);  // before a store, which may be to the same place
            if constexpr (exactly_associative<Op, T>) {
                combine(next, running, items);
            } else {
                if (r == 0) {
                    local.assign(items, items + p.columns);
                } else {
                    combine(local, local, items);
                }
                combine(next, above, local.data());
            }
            put(p, r, is_exclusive ? running : next);
            running.swap(next);
        }
        return running;
    }

 private:
    static void combine(row& to, const row& a, const T* b) {
        using K = simd_type<op, T>;  // same bits, and a kernel
        kernel_in<op>(simd_row_kernels<K>())(reinterpret_cast<const K*>(a.data()),
                                             reinterpret_cast<const K*>(b),
                                             reinterpret_cast<K*>(to.data()), to.size());
    }

    // Asks for a later row: the hardware's own prefetcher stops at each row's end.
    static const T* read(const column_piece<T>& p, std::size_t r) {
        const T* const items = p.in + r * p.pitch;
#if defined(__GNUC__)
        const std::size_t ahead = 1 + 4096 / (p.columns * sizeof(T));
        if (r + ahead < p.rows) {
            const auto* const later = reinterpret_cast<const char*>(items + ahead * p.pitch);
            for (std::size_t byte = 0; byte < p.columns * sizeof(T); byte += 64) {
                __builtin_prefetch(later + byte);
            }
        }
#endif
        return items;
    }

    static void put(const column_piece<T>& p, std::size_t r, const row& results) {
        T* const to = p.out + r * p.pitch;
        if (p.stream) {
            simd_compaction_kernels().stream(results.data(), to, p.columns * sizeof(T));
        } else {
            std::copy_n(results.data(), p.columns, to);
        }
    }
};

}  // namespace lookback::detail
