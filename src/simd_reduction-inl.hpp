// The fold of a tile, a few rows at a time, so that it can run alongside the scan of another tile.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_REDUCTION_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_REDUCTION_INL_
#undef LOOKBACK_SRC_SIMD_REDUCTION_INL_
#else
#define LOOKBACK_SRC_SIMD_REDUCTION_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "simd_operators-inl.hpp"
#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The number of a tile's items that are folded in rows. The rest, at its end, is folded item by
// item.
template <class Op, class T>
std::size_t items_in_rows(std::size_t items) {
    return regroups<Op, T> || items > short_tile_items ? items - items % row_items<T> : 0;
}

// Folds rows lane by lane, for operators for which any grouping has the same bits.
template <class Op, bool backward, class T, class In>
class regrouping_fold {
 public:
    static constexpr std::size_t rows_per_step = 4;

    HWY_INLINE regrouping_fold() {
        for (auto& v : acc_.v) v = identity_vector<Op, T>();
    }

    HWY_INLINE void add_row(const In* in) {
        row<T> r = load_row<backward, T>(in);
        encode<Op>(r);
        for (std::size_t k = 0; k < row_vectors; ++k) acc_.v[k] = Op{}(tag<T>(), acc_.v[k], r.v[k]);
    }

    HWY_INLINE void add_step(const In* in) {
        constexpr std::ptrdiff_t step = backward ? -1 : 1;
        for (std::size_t k = 0; k < rows_per_step; ++k) {
            add_row(in + step * static_cast<std::ptrdiff_t>(k * row_items<T>));
        }
    }

    T total() const {
        row<T> items = acc_;
        decode<Op>(items);
        alignas(row_bytes) T all[row_items<T>];
        store<false>(items, all);
        T fold = all[0];
        for (std::size_t i = 1; i < row_items<T>; ++i) fold = Op{}(fold, all[i]);
        return fold;
    }

 private:
    row<T> acc_;
};

// The totals of 2^level adjacent items each, for as many groups as a vector has lanes. Neighbours
// are combined pairwise, level by level. For a whole row, this is the tree of scan_row's last lane,
// at half its cost.
template <int level, class Op, bool backward, class T, class In>
HWY_INLINE vec<T> group_totals(const In* in) {
    const tag<T> d;
    constexpr std::ptrdiff_t step = backward ? -1 : 1;
    if constexpr (level == 0) {
        if constexpr (backward) return reverse<T>(load_lanes<T>(in - (lanes<T> - 1)));
        return load_lanes<T>(in);
    } else {
        constexpr std::ptrdiff_t half = step * static_cast<std::ptrdiff_t>(lanes<T> << (level - 1));
        const vec<T> low = group_totals<level - 1, Op, backward, T>(in);
        const vec<T> high = group_totals<level - 1, Op, backward, T>(in + half);
        return Op{}(d, hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
    }
}

// Folds rows for operators for which the grouping matters. As in a scan, each row's total is folded
// into a carry. A step is as many rows as a vector has lanes, so that their totals are computed
// together. The totals wait in memory for the next step, because taking a vector apart costs more
// than loading its items.
template <class Op, bool backward, class T, class In>
class ordered_fold {
 public:
    static constexpr std::size_t rows_per_step = lanes<T>;

    HWY_INLINE ordered_fold() { hn::Store(identity_vector<Op, T>(), tag<T>(), totals_); }

    HWY_INLINE void add_step(const In* in) {
        constexpr int level = hwy::FloorLog2(static_cast<std::uint32_t>(row_items<T>));
        carry_ = total();
        hn::Store(group_totals<level, Op, backward, T>(in), tag<T>(), totals_);
    }

    void add_row(const In* in) {
        row<T> r = load_row<backward, T>(in);
        const auto tables = make_row_tables<T>();
        scan_row<Op>(r, tables);
        carry_ = Op{}(total(), hn::GetLane(last_item(r.v[row_vectors - 1], tables)));
        hn::Store(identity_vector<Op, T>(), tag<T>(), totals_);
    }

    HWY_INLINE T total() const {
        T fold = carry_;
        for (const T& total_of_row : totals_) fold = Op{}(fold, total_of_row);
        return fold;
    }

 private:
    T carry_ = Op::template identity<T>;
    alignas(row_bytes) T totals_[lanes<T>];  // of the rows of the last step
};

// The same fold of pixels. Each pixel is a vector of its own.
template <class Op, bool backward, class T>
class pixel_fold {
    using pixel_tag = hn::CappedTag<channel_type<T>, sizeof(T) / sizeof(channel_type<T>)>;
    using pixel_vec = hn::Vec<pixel_tag>;

 public:
    static constexpr std::size_t rows_per_step = 1;

    HWY_INLINE pixel_fold()
        : carry_(hn::Set(pixel_tag(), Op::template identity<channel_type<T>>)) {}

    HWY_INLINE void add_row(const T* in) {
        carry_ = Op{}(pixel_tag(), carry_, total_of<row_items<T>>(in));
    }
    HWY_INLINE void add_step(const T* in) { add_row(in); }

    HWY_INLINE T total() const {
        T fold;
        hn::StoreU(carry_, pixel_tag(), lanes_at(&fold));
        return fold;
    }

 private:
    template <std::size_t items>
    static HWY_INLINE pixel_vec total_of(const T* in) {
        if constexpr (items == 1) {
            return hn::LoadU(pixel_tag(), lanes_at(in));
        } else {
            constexpr std::ptrdiff_t half = static_cast<std::ptrdiff_t>(items / 2);
            return Op{}(pixel_tag(), total_of<items / 2>(in),
                        total_of<items / 2>(in + (backward ? -half : half)));
        }
    }

    pixel_vec carry_;
};

template <class Op, bool backward, class T, class In = T>
using fold_of_rows =
    std::conditional_t<regroups<Op, T>, regrouping_fold<Op, backward, T, In>,
                       std::conditional_t<is_number<T>, ordered_fold<Op, backward, T, In>,
                                          pixel_fold<Op, backward, T>>>;

// The fold of a tile. Both halves are read at the same time, which keeps two pages of memory open.
template <class Op, bool backward, class T, class In>
class reduction {
    using fold = fold_of_rows<Op, backward, T, In>;

 public:
    // A step's rows, half of them from either half of the tile.
    static constexpr std::size_t rows_per_step = 2 * fold::rows_per_step;

    HWY_INLINE reduction(const In* in, std::size_t items)
        : first_(in, std::min(items_in_rows<Op, T>(items), half_items) / row_items<T>),
          second_(in + (items > half_items ? step * static_cast<std::ptrdiff_t>(half_items) : 0),
                  items_in_rows<Op, T>(items) / row_items<T> - first_.rows),
          rest_(items - items_in_rows<Op, T>(items)),
          has_second_(items > half_items) {}

    // The first half never has fewer rows left than the second.
    HWY_INLINE bool has_step() const { return first_.has_step(); }

    HWY_INLINE void fold_step() {
        first_.fold_step();
        if (second_.has_step()) second_.fold_step();
    }

    // Prefetches row `k` of the next step one page ahead, alternating between the halves.
    HWY_INLINE void prefetch(std::size_t k) const {
        const In* from = k % 2 == 0 ? first_.in : second_.in;
        prefetch_page_ahead<backward>(from +
                                      step * static_cast<std::ptrdiff_t>(k / 2 * row_items<T>));
    }

    // Folds what is left, and returns the result.
    T finish() {
        while (has_step()) {
            for (std::size_t k = 0; k < rows_per_step; ++k) prefetch(k);
            fold_step();
        }
        const T total = first_.finish(has_second_ ? 0 : rest_);
        return has_second_ ? Op{}(total, second_.finish(rest_)) : total;
    }

 private:
    static constexpr std::ptrdiff_t step = backward ? -1 : 1;
    static constexpr std::size_t half_items = half_tile_bytes / sizeof(T);

    struct half {
        const In* in;
        std::size_t rows;
        fold folded;

        HWY_INLINE half(const In* first_row, std::size_t count) : in(first_row), rows(count) {}
        HWY_INLINE bool has_step() const { return rows >= fold::rows_per_step; }
        HWY_INLINE void fold_step() {
            folded.add_step(in);
            pass_rows(fold::rows_per_step);
        }
        HWY_INLINE void pass_rows(std::size_t n) {
            in += step * static_cast<std::ptrdiff_t>(n * row_items<T>);
            rows -= n;
        }
        // `rest` items follow the last row.
        T finish(std::size_t rest) {
            for (; rows > 0; pass_rows(1)) folded.add_row(in);
            if (rest == 0) return folded.total();
            T tail = static_cast<T>(*in);
            for (std::size_t i = 1; i < rest; ++i) {
                tail = Op{}(tail, static_cast<T>(in[step * static_cast<std::ptrdiff_t>(i)]));
            }
            return Op{}(folded.total(), tail);
        }
    };

    half first_;
    half second_;
    std::size_t rest_;
    bool has_second_;
};

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
