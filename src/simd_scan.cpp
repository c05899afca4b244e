// The tile kernels of the scan, for every vector width: see include/lookback/cpu/simd.hpp.
//
// A tile is scanned in rows (simd_rows-inl.hpp), and the carry walks from row to row; a partial row
// at the end of a tile is folded item by item. Operators that regroup exactly start the carry with
// the prefix; a sum of floats adds the prefix on output instead, because the fold of a tile must
// have the same bits whether or not its prefix was known.
//
// What keeps a kernel at the speed of a copy:
// - while a tile is scanned from cache, the next one is reduced, row by row, as it arrives from
//   memory: reads and writes stay in flight together, and the reduction costs no time of its own;
// - prefetches run one page ahead: the hardware's own prefetcher stops at each page's end;
// - results leave by non-temporal stores of whole cache lines, which spares reading the lines
// first.

// Rows are arrays of vectors, which those of unknown size cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_scan.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "lookback/cpu/simd.hpp"
#include "simd_line_writer-inl.hpp"
#include "simd_operators-inl.hpp"
#include "simd_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- the reduction of a tile, row by row

// How many of a tile's items are folded in rows; the rest, at its end, item by item.
template <class T>
std::size_t items_in_rows(std::size_t items) {
    return items > short_tile_items ? items - items % row_items<T> : 0;
}

// The totals of 2^level adjacent items each, for as many groups as a vector has lanes: neighbours
// are combined pairwise, again and again. For a whole row that is the tree of scan_row's last lane,
// at half its cost.
template <int level, class Op, bool backward, class T>
HWY_INLINE vec<T> group_totals(const T* in) {
    const tag<T> d;
    constexpr std::ptrdiff_t step = backward ? -1 : 1;
    if constexpr (level == 0) {
        if constexpr (backward) return reverse<T>(hn::LoadU(d, in - (lanes<T> - 1)));
        return hn::LoadU(d, in);
    } else {
        constexpr std::ptrdiff_t half = step * static_cast<std::ptrdiff_t>(lanes<T> << (level - 1));
        const vec<T> low = group_totals<level - 1, Op, backward>(in);
        const vec<T> high = group_totals<level - 1, Op, backward>(in + half);
        return Op{}(d, hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
    }
}

// The fold of a tile, in steps of one row or, where the grouping matters, of as many rows as a
// vector has lanes, so that their totals can be worked out together.
template <class Op, bool backward, class T>
class reduction {
 public:
    static constexpr std::size_t rows_per_step = regroups<Op, T> ? 1 : lanes<T>;

    reduction(const T* in, std::size_t items)
        : in_(in), in_rows_(items_in_rows<T>(items)), rest_(items - in_rows_) {
        for (auto& a : acc_.v) a = identity_vector<Op, T>();
    }

    HWY_INLINE bool has_step() const { return in_rows_ >= rows_per_step * row_items<T>; }

    HWY_INLINE void fold_step() {
        const tag<T> d;
        const Op op;
        if constexpr (regroups<Op, T>) {  // any grouping has the same bits: the cheapest
            const row<T> r = load<backward>(in_);
            for (std::size_t k = 0; k < row_vectors; ++k) acc_.v[k] = op(d, acc_.v[k], r.v[k]);
        } else {
            constexpr int level = hwy::FloorLog2(static_cast<std::uint32_t>(row_items<T>));
            alignas(row_bytes) T totals[lanes<T>];
            hn::Store(group_totals<level, Op, backward>(in_), d, totals);
            for (const T& total : totals) carry_ = op(carry_, total);
        }
        for (std::size_t r = 0; r < rows_per_step; ++r) pass_row();
    }

    // What is left, and the result.
    T finish() {
        while (has_step()) fold_step();
        const tag<T> d;
        const Op op;
        T total;
        if constexpr (regroups<Op, T>) {
            for (std::size_t k = 1; k < row_vectors; ++k) acc_.v[0] = op(d, acc_.v[0], acc_.v[k]);
            alignas(row_bytes) T all[row_items<T>];
            hn::Store(acc_.v[0], d, all);
            total = all[0];
            for (std::size_t i = 1; i < lanes<T>; ++i) total = op(total, all[i]);
        } else {
            for (; in_rows_ > 0; pass_row()) {
                row<T> r = load<backward>(in_);
                carry_ = op(carry_, hn::GetLane(scan_row<Op>(r)));
            }
            total = carry_;
        }
        if (rest_ == 0) return total;
        T tail = *in_;
        for (std::size_t i = 1; i < rest_; ++i) {
            tail = op(tail, in_[step * static_cast<std::ptrdiff_t>(i)]);
        }
        return op(total, tail);
    }

 private:
    static constexpr std::ptrdiff_t step = backward ? -1 : 1;

    HWY_INLINE void pass_row() {
        prefetch_page_ahead<backward>(in_);
        in_ += step * static_cast<std::ptrdiff_t>(row_items<T>);
        in_rows_ -= row_items<T>;
    }

    row<T> acc_;                          // where any grouping will do
    T carry_ = Op::template identity<T>;  // where it will not
    const T* in_;
    std::size_t in_rows_;
    std::size_t rest_;
};

template <class Op, bool backward, class T>
T reduce(const T* in, std::size_t items) {
    return reduction<Op, backward, T>(in, items).finish();
}

// ---- the scan of a tile

template <class Op, bool backward, class T, class PutRow>
HWY_INLINE simd_result<T> scan_rows(const simd_tile<T>& tile, T* out, PutRow put_row) {
    constexpr std::ptrdiff_t step = backward ? -1 : 1;
    constexpr std::ptrdiff_t row_step = step * static_cast<std::ptrdiff_t>(row_items<T>);
    const tag<T> d;
    const Op op;
    const T before = tile.prefix ? *tile.prefix : Op::template identity<T>;
    const vec<T> prefix = hn::Set(d, before);
    vec<T> carry = regroups<Op, T> ? prefix : identity_vector<Op, T>();
    reduction<Op, backward, T> ahead(tile.next, tile.next_items);
    std::size_t rows_since_step = 0;

    // An exclusive scan in place writes one item ahead of its reads, so what comes next is loaded
    // before anything is stored: a row, or the rest of the tile.
    const T* in = tile.in;
    std::size_t in_rows = items_in_rows<T>(tile.items);
    const std::size_t rest = tile.items - in_rows;
    row<T> loaded;
    T tail[short_tile_items];
    static_assert(row_items<T> <= short_tile_items);
    const auto load_next = [&]() HWY_ATTR {
        if (in_rows > 0) {
            loaded = load<backward>(in);
        } else {
            for (std::size_t i = 0; i < rest; ++i) {
                tail[i] = in[step * static_cast<std::ptrdiff_t>(i)];
            }
        }
    };
    load_next();
    if (tile.exclusive) *tile.out = before;

    while (in_rows > 0) {
        row<T> r = loaded;
        in += row_step;
        in_rows -= row_items<T>;
        load_next();
        if (!ahead.has_step()) {
            prefetch_page_ahead<backward>(in);
        } else if (++rows_since_step == ahead.rows_per_step) {
            rows_since_step = 0;
            ahead.fold_step();
        }
        const vec<T> total = scan_row<Op>(r);
        for (auto& v : r.v) {
            v = op(d, carry, v);
            if constexpr (!regroups<Op, T>) v = op(d, prefix, v);
        }
        carry = op(d, carry, total);
        if (tile.exclusive &&
            in_rows + rest == 0) {  // the row's last item is the next tile's first output
            T all[row_items<T>];
            store<false>(r, all);
            for (std::size_t i = 0; i + 1 < row_items<T>; ++i) {
                out[step * static_cast<std::ptrdiff_t>(i)] = all[i];
            }
        } else {
            put_row(r, out);
        }
        out += row_step;
    }

    const T rows_total = hn::GetLane(carry);
    T inclusive = rows_total;
    for (std::size_t i = 0; i < rest; ++i) {
        if (i > 0) tail[i] = op(tail[i - 1], tail[i]);
        inclusive = op(rows_total, tail[i]);
        if (tile.exclusive && i + 1 == rest) break;
        out[step * static_cast<std::ptrdiff_t>(i)] =
            regroups<Op, T> ? inclusive : op(before, inclusive);
    }
    return {regroups<Op, T> ? inclusive : op(before, inclusive),
            tile.next_items > 0 ? ahead.finish() : T{}};
}

template <class Op, bool backward, class T>
simd_result<T> scan(const simd_tile<T>& tile) {
    T* out = tile.out + (tile.exclusive ? (backward ? -1 : 1) : 0);
    if (!tile.stream) {
        return scan_rows<Op, backward>(
            tile, out, [](const row<T>& r, T* at) HWY_ATTR { store<backward>(r, at); });
    }
    line_writer<backward, T> writer(out);
    const auto result =
        scan_rows<Op, backward>(tile, out, [&](const row<T>& r, T*) HWY_ATTR { writer.put(r); });
    writer.finish();
    return result;
}

// ---- the table

template <class Op, bool backward, class T>
constexpr simd_kernel<T> kernels = {&reduce<Op, backward, T>, &scan<Op, backward, T>};

template <bool backward, class T>
void fill(simd_integer_bits<T>& k) {
    k = {kernels<plus_op, backward, T>, kernels<and_op, backward, T>, kernels<or_op, backward, T>,
         kernels<xor_op, backward, T>};
}
template <bool backward, class T>
void fill(simd_integer_order<T>& k) {
    k = {kernels<minimum_op, backward, T>, kernels<maximum_op, backward, T>};
}
template <bool backward, class T>
void fill(simd_floats<T>& k) {
    k = {kernels<plus_op, backward, T>, kernels<minimum_op, backward, T>,
         kernels<maximum_op, backward, T>};
}

void fill_table(bool backward, simd_table& table) {
    std::apply([&](auto&... k) { backward ? (fill<true>(k), ...) : (fill<false>(k), ...); }, table);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

HWY_EXPORT(fill_table);

// The best instruction set of this machine, or the one that the environment asks for: a way to see
// what the others would do.
static std::int64_t choose_target() {
    if (const char* wanted = std::getenv("LOOKBACK_SIMD_TARGET")) {
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            if (std::strcmp(hwy::TargetName(target), wanted) == 0) {
                hwy::SetSupportedTargetsForTest(target);
            }
        }
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) return target;
    return HWY_STATIC_TARGET;
}

static std::int64_t chosen_target() {
    static const std::int64_t target = choose_target();
    return target;
}

const simd_table& simd_kernels(bool backward) {
    const auto make = [](bool direction) {
        chosen_target();
        simd_table table;
        HWY_DYNAMIC_DISPATCH(fill_table)(direction, table);
        return table;
    };
    static const simd_table forward_table = make(false);
    static const simd_table backward_table = make(true);
    return backward ? backward_table : forward_table;
}

const char* simd_target() { return hwy::TargetName(chosen_target()); }

}  // namespace lookback::detail
#endif
