// The scan of a tile, for the kernels of one type and of narrower items (simd_scan.cpp,
// simd_widening_scan.cpp).
//
// A tile is scanned in rows (simd_row_scan-inl.hpp), and a carry is passed from row to row. A
// partial row at the end of a tile is folded item by item. For operators that regroup exactly, the
// carry begins with the prefix. For a sum of floats the prefix is added on output instead, because
// the fold of a tile must have the same bits whether or not its prefix was known. The carry of such
// a sum begins anew at the tile's half.
//
// What keeps a kernel at the speed of a copy:
//
// - While a tile is scanned from cache, the next tile is reduced (simd_reduction-inl.hpp), some
//   rows at a time, as it arrives from memory. So reads and writes stay in flight together, and the
//   reduction takes no time of its own.
// - Prefetches run one page ahead, because the hardware's own prefetcher stops at the end of each
//   page.
// - Results are written by non-temporal stores of whole cache lines, so that the lines need not be
//   read first.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_TILE_SCAN_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_TILE_SCAN_INL_
#undef LOOKBACK_SRC_SIMD_TILE_SCAN_INL_
#else
#define LOOKBACK_SRC_SIMD_TILE_SCAN_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "lookback/detail/cpu/simd.hpp"
#include "simd_line_writer-inl.hpp"
#include "simd_operators-inl.hpp"
#include "simd_reduction-inl.hpp"
#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"
#include "simd_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op, bool backward, class T, class In>
T reduce(const In* in, std::size_t items) {
    return reduction<Op, backward, T, In>(in, items).finish();
}

// Scans a tile while it reduces the next one. `put_row(row, out)` writes a row.
template <class Op, bool backward, class T, class In, class PutRow>
class tile_scan {
 public:
    HWY_INLINE tile_scan(const simd_tile<T, In>& tile, T* out, PutRow put_row)
        : tables_(make_row_tables<T>()),
          before_(tile.prefix ? *tile.prefix : identity_item<Op, T>()),
          prefix_(Op::encode(tag<T>(), all_of(before_))),
          first_half_(identity_vector<Op, T>()),
          carry_(regroups<Op, T> ? prefix_ : first_half_),
          in_(tile.in),
          out_(out),
          put_row_(put_row) {}

    HWY_INLINE simd_result<T> run(const simd_tile<T, In>& tile) {
        reduction<Op, backward, T, In> ahead(tile.next, tile.next_items);
        const std::size_t rows = items_in_rows<Op, T>(tile.items) / row_items<T>;
        const std::size_t rest = tile.items - rows * row_items<T>;
        const bool is_exclusive = tile.exclusive;
        T inclusive = before_;
        if (rows > 0) {
            // An exclusive scan in place writes one item ahead of its reads, so the next items are
            // always loaded before anything is stored.
            loaded_ = load_row<backward, T>(in_);
            if (is_exclusive) *tile.out = before_;
            scan_all_but_the_last(rows - 1, ahead);
            in_ += row_step;
        }
        T tail[short_tile_items];
        static_assert(row_items<T> <= short_tile_items);
        for (std::size_t i = 0; i < rest; ++i) {
            tail[i] = static_cast<T>(in_[step * static_cast<std::ptrdiff_t>(i)]);
        }
        if (rows > 0) {
            inclusive = scan_last_row(is_exclusive && rest == 0);
            if (rows == half_rows) begin_second_half();
        } else if (is_exclusive) {
            *tile.out = before_;
        }
        [[maybe_unused]] const T rows_total = first_item<T>(carry_);
        [[maybe_unused]] const T first_half_total = first_item<T>(first_half_);
        [[maybe_unused]] T local = identity_item<Op, T>();
        for (std::size_t i = 0; i < rest; ++i) {
            if constexpr (regroups<Op, T>) {
                inclusive = Op{}(inclusive, tail[i]);
            } else {
                local = Op{}(local, tail[i]);
                inclusive = Op{}(before_, Op{}(first_half_total, Op{}(rows_total, local)));
            }
            if (is_exclusive && i + 1 == rest) break;
            out_[step * static_cast<std::ptrdiff_t>(i)] = inclusive;
        }
        return {inclusive, tile.next_items > 0 ? ahead.finish() : T{}};
    }

 private:
    static constexpr std::ptrdiff_t step = backward ? -1 : 1;
    static constexpr std::ptrdiff_t row_step = step * static_cast<std::ptrdiff_t>(row_items<T>);
    static constexpr std::size_t half_rows = half_tile_bytes / row_bytes;

    HWY_INLINE void scan_all_but_the_last(std::size_t rows, reduction<Op, backward, T, In>& ahead) {
        if constexpr (regroups<Op, T>) {
            scan_rows<false>(rows, ahead);
        } else {
            const std::size_t in_first = std::min(rows, half_rows);
            scan_rows<false>(in_first, ahead);
            if (in_first < half_rows) return;
            begin_second_half();
            scan_rows<true>(rows - in_first, ahead);
        }
    }

    template <bool in_second_half>
    HWY_INLINE void scan_rows(std::size_t rows, reduction<Op, backward, T, In>& ahead) {
        while (rows > 0) {
            const bool reduces = ahead.has_step();
            if (reduces) ahead.fold_step();
            const std::size_t now = std::min(rows, ahead.rows_per_step);
            for (std::size_t k = 0; k < now; ++k) {
                in_ += row_step;
                row<T> r = scan_loaded<in_second_half>();
                loaded_ = load_row<backward, T>(in_);
                // One prefetch for each row: in a burst they would hold up the stores.
                reduces ? ahead.prefetch(k) : prefetch_page_ahead<backward>(in_);
                put_row_(r, out_);
                out_ += row_step;
            }
            rows -= now;
        }
    }

    // Returns the inclusive prefix up to the row's end. In an exclusive scan it is the next tile's
    // first output.
    HWY_INLINE T scan_last_row(bool without_last_item) {
        const row<T> r = scan_loaded<true>();
        if (without_last_item) {
            alignas(row_bytes) T all[row_items<T>];
            store<false>(r, all);
            for (std::size_t i = 0; i + 1 < row_items<T>; ++i) {
                out_[step * static_cast<std::ptrdiff_t>(i)] = all[i];
            }
        } else {
            put_row_(r, out_);
        }
        out_ += row_step;
        return first_item<T>(last_item(r.v[row_vectors - 1], tables_));
    }

    // In the first half, the total of the first half is the identity.
    template <bool in_second_half>
    HWY_INLINE row<T> scan_loaded() {
        const tag<T> d;
        const Op op;
        row<T> r = loaded_;
        encode<Op>(r);
        scan_row<Op>(r, tables_);
        const vec<T> total = last_item(r.v[row_vectors - 1], tables_);
        for (auto& v : r.v) v = op(d, carry_, v);
        // Two ways to the same carry: the first waits less if the operation takes long, the second
        // does less work.
        carry_ =
            takes_long<Op, T> ? op(d, carry_, total) : last_item(r.v[row_vectors - 1], tables_);
        if constexpr (!regroups<Op, T>) {
            for (auto& v : r.v) {
                if constexpr (in_second_half) v = op(d, first_half_, v);
                v = op(d, prefix_, v);
            }
        }
        decode<Op>(r);
        return r;
    }

    HWY_INLINE void begin_second_half() {
        if constexpr (!regroups<Op, T>) {
            first_half_ = carry_;
            carry_ = identity_vector<Op, T>();
        }
    }

    const row_tables<T> tables_;
    const T before_;
    const vec<T> prefix_;
    vec<T> first_half_;  // the total of the first half
    vec<T> carry_;       // the fold before the next row: of its half, or of everything
    const In* in_;
    T* out_;
    row<T> loaded_;
    PutRow put_row_;
};

template <class Op, bool backward, class T, class In>
simd_result<T> scan(const simd_tile<T, In>& tile) {
    T* out = tile.out + (tile.exclusive ? (backward ? -1 : 1) : 0);
    if (!tile.stream) {
        const auto put_row = [](const row<T>& r, T* at) HWY_ATTR { store<backward>(r, at); };
        return tile_scan<Op, backward, T, In, decltype(put_row)>(tile, out, put_row).run(tile);
    }
    line_ring ring;
    line_writer<backward, T> writer(out, ring);
    const auto put_row = [&](const row<T>& r, T*) HWY_ATTR { writer.put(r); };
    const auto result =
        tile_scan<Op, backward, T, In, decltype(put_row)>(tile, out, put_row).run(tile);
    writer.finish();
    return result;
}

// The kernel for items of type In, folded as T.
template <class Op, bool backward, class T, class In>
constexpr scan_kernel<T, In> kernel_of = {&reduce<Op, backward, T, In>, &scan<Op, backward, T, In>,
                                          &combine<Op, T>, regroups<Op, T>};

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
