// The tile kernels of the scan of one type, LOOKBACK_KERNEL_ITEM, for every vector width: see
// include/lookback/detail/cpu/simd.hpp. Compiled once for each type.
//
// A tile is scanned in rows (simd_rows-inl.hpp), and the carry walks from row to row; a partial row
// at the end of a tile is folded item by item. Operators that regroup exactly start the carry with
// the prefix; a sum of floats adds the prefix on output instead, because the fold of a tile must
// have the same bits whether or not its prefix was known. Its carry begins anew at the tile's half.
//
// What keeps a kernel at the speed of a copy:
// - while a tile is scanned from cache, the next one is reduced (simd_reduction-inl.hpp), some rows
//   at a time, as it arrives from memory: reads and writes stay in flight together, and the
//   reduction costs no time of its own;
// - prefetches run one page ahead: the hardware's own prefetcher stops at each page's end;
// - results leave by non-temporal stores of whole cache lines, which spares reading the lines
//   first.

// Rows are arrays of vectors, which those of unknown size cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_scan.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "simd_line_writer-inl.hpp"
#include "simd_operators-inl.hpp"
#include "simd_reduction-inl.hpp"
#include "simd_rows-inl.hpp"
#include "simd_scan_problem.hpp"
#include "simd_table-inl.hpp"
#include "simd_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op, bool backward, class T>
T reduce(const T* in, std::size_t items) {
    return reduction<Op, backward, T>(in, items).finish();
}

// The scan of a tile, while the next one is reduced. `put_row(row, out)` writes a row.
template <class Op, bool backward, class T, class PutRow>
class tile_scan {
 public:
    HWY_INLINE tile_scan(const simd_tile<T>& tile, T* out, PutRow put_row)
        : tables_(make_row_tables<T>()),
          before_(tile.prefix ? *tile.prefix : Op::template identity<T>),
          prefix_(Op::encode(tag<T>(), hn::Set(tag<T>(), before_))),
          first_half_(identity_vector<Op, T>()),
          carry_(regroups<Op, T> ? prefix_ : first_half_),
          in_(tile.in),
          out_(out),
          put_row_(put_row) {}

    HWY_INLINE simd_result<T> run(const simd_tile<T>& tile) {
        reduction<Op, backward, T> ahead(tile.next, tile.next_items);
        const std::size_t rows = items_in_rows<Op, T>(tile.items) / row_items<T>;
        const std::size_t rest = tile.items - rows * row_items<T>;
        const bool is_exclusive = tile.exclusive;
        T inclusive = before_;
        if (rows > 0) {
            // An exclusive scan in place writes one item ahead of its reads, so what comes next is
            // always loaded before anything is stored.
            loaded_ = load<backward>(in_);
            if (is_exclusive) *tile.out = before_;
            scan_all_but_the_last(rows - 1, ahead);
            in_ += row_step;
        }
        T tail[short_tile_items];
        static_assert(row_items<T> <= short_tile_items);
        for (std::size_t i = 0; i < rest; ++i) tail[i] = in_[step * static_cast<std::ptrdiff_t>(i)];
        if (rows > 0) {
            inclusive = scan_last_row(is_exclusive && rest == 0);
            if (rows == half_rows) begin_second_half();
        } else if (is_exclusive) {
            *tile.out = before_;
        }
        [[maybe_unused]] const T rows_total = hn::GetLane(carry_);
        [[maybe_unused]] const T first_half_total = hn::GetLane(first_half_);
        [[maybe_unused]] T local = Op::template identity<T>;
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

    HWY_INLINE void scan_all_but_the_last(std::size_t rows, reduction<Op, backward, T>& ahead) {
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
    HWY_INLINE void scan_rows(std::size_t rows, reduction<Op, backward, T>& ahead) {
        while (rows > 0) {
            const bool reduces = ahead.has_step();
            if (reduces) ahead.fold_step();
            const std::size_t now = std::min(rows, ahead.rows_per_step);
            for (std::size_t k = 0; k < now; ++k) {
                in_ += row_step;
                row<T> r = scan_loaded<in_second_half>();
                loaded_ = load<backward>(in_);
                // One prefetch a row: in a burst they would hold up the stores.
                reduces ? ahead.prefetch(k) : prefetch_page_ahead<backward>(in_);
                put_row_(r, out_);
                out_ += row_step;
            }
            rows -= now;
        }
    }

    // Returns the inclusive prefix up to the row's end, which is the next tile's first output in an
    // exclusive scan.
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
        return hn::GetLane(last_item(r.v[row_vectors - 1], tables_));
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
        // Of these, one is less waiting where an operation takes long, the other less work.
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
    vec<T> first_half_;  // its total
    vec<T> carry_;       // what comes before the next row: in its half, or at all
    const T* in_;
    T* out_;
    row<T> loaded_;
    PutRow put_row_;
};

template <class Op, bool backward, class T>
simd_result<T> scan(const simd_tile<T>& tile) {
    T* out = tile.out + (tile.exclusive ? (backward ? -1 : 1) : 0);
    if (!tile.stream) {
        const auto put_row = [](const row<T>& r, T* at) HWY_ATTR { store<backward>(r, at); };
        return tile_scan<Op, backward, T, decltype(put_row)>(tile, out, put_row).run(tile);
    }
    line_ring ring;
    line_writer<backward, T> writer(out, ring);
    const auto put_row = [&](const row<T>& r, T*) HWY_ATTR { writer.put(r); };
    const auto result = tile_scan<Op, backward, T, decltype(put_row)>(tile, out, put_row).run(tile);
    writer.finish();
    return result;
}

template <bool backward>
struct make_scan_kernel {
    template <class Op, class T>
    static constexpr simd_kernel<T> of = {&reduce<Op, backward, T>, &scan<Op, backward, T>,
                                          &combine<Op, T>, regroups<Op, T>};
};

void fill_scans(bool backward, simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>& table) {
    backward ? fill_with<make_scan_kernel<true>>(table) : fill_with<make_scan_kernel<false>>(table);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

template <>
[[gnu::visibility("default")]] const simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>&
simd_kernels<LOOKBACK_KERNEL_ITEM>(bool backward) {
    using family = simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>;
    static const std::array<family, 2> tables = [] {
        std::array<family, 2> made;
        for (const bool direction : {false, true}) {
            LOOKBACK_SIMD_VERSION(fill_scans)(direction, made[direction]);
        }
        return made;
    }();
    return tables[backward];
}

template <>
[[gnu::visibility("default")]] void run_simd_scan(const cpu& where,
                                                  const simd_scan<LOOKBACK_KERNEL_ITEM>& scan) {
    detail::single_pass(where, simd_scan_problem<LOOKBACK_KERNEL_ITEM>(scan));
}

}  // namespace lookback::detail
#endif
