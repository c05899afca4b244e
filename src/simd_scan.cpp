// The tile kernels of the scan, for every vector width: see include/lookback/cpu/simd.hpp.
//
// A row of 64 bytes is 1, 2 or 4 vectors. Its scan is a tree that does not depend on the width:
//   1. within each block of 16 bytes, Kogge-Stone: combine with what is 1, 2, 4, 8 lanes before;
//   2. block 0 into block 1, block 2 into block 3, then block 1 into blocks 2 and 3 (Sklansky).
// (Merrill & Garland 2016, figure 1b and c.) The carry then walks from row to row, and a partial
// row at the end of a tile is folded item by item. Operators that regroup exactly start the carry
// with the prefix; a sum of floats adds the prefix on output instead, because the fold of a tile
// must have the same bits whether or not its prefix was known.
//
// What keeps a kernel at the speed of a copy:
// - while a tile is scanned from cache, the next one is reduced, row by row, as it arrives from
//   memory: reads and writes stay in flight together, and the reduction costs no time of its own;
// - prefetches run one page ahead: the hardware's own prefetcher stops at each page's end;
// - results leave by non-temporal stores of whole cache lines, which spares reading the lines
// first.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_scan.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lookback/cpu/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- rows

template <class T>
constexpr std::size_t row_items = row_bytes / sizeof(T);
template <class T>
constexpr std::size_t block_items = 16 / sizeof(T);
template <class T>
using tag = hn::CappedTag<T, row_items<T>>;
template <class T>
using vec = hn::Vec<tag<T>>;
constexpr std::size_t vector_bytes = HWY_MAX_BYTES < row_bytes ? HWY_MAX_BYTES : row_bytes;
constexpr std::size_t row_vectors = row_bytes / vector_bytes;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);

template <class T>
struct row {
    vec<T> v[row_vectors];
};

template <class T>
HWY_INLINE vec<T> reverse(vec<T> v) {
    if constexpr (sizeof(T) == 1) {
        const tag<std::uint8_t> d8;
        const tag<std::uint64_t> d64;
        alignas(16) constexpr std::uint8_t flip[16] = {7,  6,  5,  4,  3,  2,  1, 0,
                                                       15, 14, 13, 12, 11, 10, 9, 8};
        const auto words = hn::BitCast(d8, hn::Reverse(d64, hn::BitCast(d64, v)));
        return hn::BitCast(tag<T>(), hn::TableLookupBytes(words, hn::LoadDup128(d8, flip)));
    } else {
        return hn::Reverse(tag<T>(), v);
    }
}

// The row whose first item is at `in`, first item in the lowest lane.
template <bool backward, class T>
HWY_INLINE row<T> load(const T* in) {
    const tag<T> d;
    row<T> r;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            r.v[k] = reverse<T>(hn::LoadU(d, in - ((k + 1) * lanes<T> - 1)));
        } else {
            r.v[k] = hn::LoadU(d, in + k * lanes<T>);
        }
    }
    return r;
}

template <bool backward, class T>
HWY_INLINE void store(const row<T>& r, T* out) {
    const tag<T> d;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            hn::StoreU(reverse<T>(r.v[k]), d, out - ((k + 1) * lanes<T> - 1));
        } else {
            hn::StoreU(r.v[k], d, out + k * lanes<T>);
        }
    }
}

template <bool backward, class T>
HWY_INLINE void prefetch_page_ahead(const T* in) {
    constexpr std::ptrdiff_t page = 4096;
    hwy::Prefetch(reinterpret_cast<const char*>(in) + (backward ? -page : page));
}

// ---- operators: an identity, the same function on vectors and on items

struct plus_op {
    static constexpr bool regroups_floats = false;
    template <class T>
    static constexpr T identity = std::is_floating_point_v<T> ? T(-0.0) : T(0);  // -0.0 + x is x
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Add(a, b);
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return plus<>{}(a, b);
    }
};

// NaN wins: the hardware's minimum and maximum return b where either is NaN, or the NaN itself.
template <class V>
HWY_INLINE V keep_nan([[maybe_unused]] V a, V r) {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
        return hn::IfThenElse(hn::IsNaN(a), a, r);
    } else {
        return r;
    }
}

template <class T>
constexpr T infinity = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

struct minimum_op {
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = infinity<T>;
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return keep_nan(a, hn::Min(a, b));
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return minimum<>{}(a, b);
    }
};

struct maximum_op {
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = std::is_floating_point_v<T> ? -infinity<T>
                                                              : std::numeric_limits<T>::min();
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return keep_nan(a, hn::Max(a, b));
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return maximum<>{}(a, b);
    }
};

struct and_op {
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = static_cast<T>(~T{0});
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::And(a, b);
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return static_cast<T>(a & b);
    }
};

struct or_op {
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Or(a, b);
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return static_cast<T>(a | b);
    }
};

struct xor_op {
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Xor(a, b);
    }
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return static_cast<T>(a ^ b);
    }
};

template <class Op, class T>
constexpr bool regroups = !std::is_floating_point_v<T> || Op::regroups_floats;

template <class Op, class T>
HWY_INLINE vec<T> identity_vector() {
    return hn::Set(tag<T>(), Op::template identity<T>);
}

// ---- the scan of a row

template <int distance, class Op, class T>
HWY_INLINE vec<T> kogge_stone_in_blocks(vec<T> v) {
    if constexpr (distance < static_cast<int>(block_items<T>)) {
        const tag<T> d;
        const vec<T> before =
            hn::CombineShiftRightBytes<16 - distance * sizeof(T)>(d, v, identity_vector<Op, T>());
        return kogge_stone_in_blocks<2 * distance, Op, T>(Op{}(d, before, v));
    } else {
        return v;
    }
}

// Every lane of a block gets the block's last one.
template <class T>
HWY_INLINE vec<T> last_of_block(vec<T> v) {
    if constexpr (sizeof(T) >= 4) {
        const tag<uint_of_size<sizeof(T)>> bits;
        return hn::BitCast(tag<T>(), hn::Broadcast<block_items<T> - 1>(hn::BitCast(bits, v)));
    } else {
        const tag<std::uint8_t> bytes;
        alignas(16) std::uint8_t last[16];
        for (std::size_t i = 0; i < 16; ++i) {
            last[i] = static_cast<std::uint8_t>(16 - sizeof(T) + i % sizeof(T));
        }
        return hn::BitCast(
            tag<T>(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, last)));
    }
}

#if HWY_MAX_BYTES >= 64
// The blocks of v that `words` names, two 64-bit words a block.
template <class T>
HWY_INLINE vec<T> pick_blocks(vec<T> v, const std::uint64_t (&words)[8]) {
    const tag<std::uint64_t> d64;
    return hn::BitCast(tag<T>(),
                       hn::TableLookupLanes(hn::BitCast(d64, v), hn::SetTableIndices(d64, words)));
}
#endif

// Blocks into blocks, within one vector. On entry `total` holds each block's own total, in all of
// its lanes; on return the vector's total, in all lanes.
template <class Op, class T>
HWY_INLINE vec<T> sklansky_across_blocks(vec<T> v, [[maybe_unused]] vec<T>& total) {
    [[maybe_unused]] const tag<T> d;
    [[maybe_unused]] const Op op;
#if HWY_MAX_BYTES >= 64
    alignas(64) constexpr std::uint64_t block_0_and_2[8] = {0, 1, 0, 1, 4, 5, 4, 5};
    alignas(64) constexpr std::uint64_t block_1[8] = {2, 3, 2, 3, 2, 3, 2, 3};
    alignas(64) constexpr std::uint64_t block_3[8] = {6, 7, 6, 7, 6, 7, 6, 7};
    const auto first = hn::FirstN(d, block_items<T>);
    const auto low = hn::FirstN(d, 2 * block_items<T>);
    const auto odd = hn::Or(hn::AndNot(first, low), hn::Not(hn::FirstN(d, 3 * block_items<T>)));
    const auto high = hn::Not(low);
    vec<T> before = pick_blocks<T>(total, block_0_and_2);
    v = hn::IfThenElse(odd, op(d, before, v), v);
    total = hn::IfThenElse(odd, op(d, before, total), total);
    before = pick_blocks<T>(total, block_1);
    v = hn::IfThenElse(high, op(d, before, v), v);
    total = pick_blocks<T>(op(d, before, total), block_3);
#elif HWY_MAX_BYTES == 32
    const vec<T> before = hn::ConcatLowerLower(d, total, total);
    v = hn::IfThenElse(hn::FirstN(d, block_items<T>), v, op(d, before, v));
    total = op(d, before, hn::ConcatUpperUpper(d, total, total));
#endif
    return v;
}

// Scans a row in place; returns its total in every lane.
template <class Op, class T>
HWY_INLINE vec<T> scan_row(row<T>& r) {
    const tag<T> d;
    const Op op;
    vec<T> total[row_vectors];
    for (std::size_t k = 0; k < row_vectors; ++k) {
        const vec<T> v = kogge_stone_in_blocks<1, Op, T>(r.v[k]);
        total[k] = last_of_block<T>(v);
        r.v[k] = sklansky_across_blocks<Op, T>(v, total[k]);
    }
    for (std::size_t half = 1; half < row_vectors; half *= 2) {
        for (std::size_t k = 0; k < row_vectors; ++k) {
            if (k & half) {
                const std::size_t from = (k & ~(2 * half - 1)) + half - 1;
                r.v[k] = op(d, total[from], r.v[k]);
                total[k] = op(d, total[from], total[k]);
            }
        }
    }
    return total[row_vectors - 1];
}

// ---- the reduction of a tile, row by row

template <class Op, bool backward, class T>
class reduction {
 public:
    reduction(const T* in, std::size_t items) : in_(in), items_(items) {
        for (auto& a : acc_.v) a = identity_vector<Op, T>();
    }

    HWY_INLINE bool has_row() const { return items_ >= row_items<T>; }

    HWY_INLINE void fold_row() {
        const tag<T> d;
        const Op op;
        prefetch_page_ahead<backward>(in_);
        row<T> r = load<backward>(in_);
        if constexpr (regroups<Op, T>) {  // any grouping has the same bits: the cheapest
            for (std::size_t k = 0; k < row_vectors; ++k) acc_.v[k] = op(d, acc_.v[k], r.v[k]);
        } else {
            acc_.v[0] = op(d, acc_.v[0], scan_row<Op>(r));
        }
        in_ += step * static_cast<std::ptrdiff_t>(row_items<T>);
        items_ -= row_items<T>;
    }

    // What is left, and the result.
    T finish() {
        while (has_row()) fold_row();
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
            total = hn::GetLane(acc_.v[0]);
        }
        if (items_ == 0) return total;
        T tail = *in_;
        for (std::size_t i = 1; i < items_; ++i) {
            tail = op(tail, in_[step * static_cast<std::ptrdiff_t>(i)]);
        }
        return op(total, tail);
    }

 private:
    static constexpr std::ptrdiff_t step = backward ? -1 : 1;
    row<T> acc_;
    const T* in_;
    std::size_t items_;
};

template <class Op, bool backward, class T>
T reduce(const T* in, std::size_t items) {
    return reduction<Op, backward, T>(in, items).finish();
}

// ---- writing around the caches

// Non-temporal stores want whole, aligned cache lines, and rows lie anywhere. So rows pass through
// a ring, in address order; each leaves as the aligned line that begins in it, `depth` rows later,
// so that no load has to wait for the stores it overlaps.
template <bool backward, class T>
class line_writer {
 public:
    explicit line_writer(T* out)
        : end_(reinterpret_cast<char*>(out) + (backward ? sizeof(T) : 0)),
          skew_((backward ? 0 + address(end_) : 0 - address(end_)) % row_bytes),
          line_(backward ? end_ - skew_ : end_ + skew_) {}

    HWY_INLINE void put(const row<T>& r) {
        if (HWY_LIKELY(rows_ >= depth)) {
            leave(rows_ - depth);
        } else if (rows_ == 0) {
            put_in(slot(0), r);
            std::memcpy(backward ? end_ - skew_ : end_,
                        slot(0) + (backward ? row_bytes - skew_ : 0), skew_);
        }
        put_in(slot(rows_), r);
        // The line that begins in the ring's last row ends in its first.
        if (rows_ % depth == 0) put_in(backward ? ring_ : ring_ + depth * row_bytes, r);
        ++rows_;
    }

    // Empties the ring; everything written is visible to whoever synchronises with this thread
    // next.
    void finish() {
        const std::size_t lines = rows_ == 0 ? 0 : rows_ - (skew_ != 0);
        for (std::size_t r = rows_ > depth ? rows_ - depth : 0; r < lines; ++r) leave(r);
        if (lines < rows_) {
            const std::size_t rest = row_bytes - skew_;
            std::memcpy(backward ? line_ - rest : line_, slot(rows_ - 1) + (backward ? 0 : skew_),
                        rest);
        }
        hwy::FlushStream();
    }

 private:
    static constexpr std::size_t depth = 16;

    static std::uintptr_t address(const char* p) { return reinterpret_cast<std::uintptr_t>(p); }

    HWY_INLINE char* slot(std::size_t r) {
        return ring_ + (backward ? depth - r % depth : r % depth) * row_bytes;
    }

    HWY_INLINE static void put_in(char* slot, const row<T>& r) {
        T* at = reinterpret_cast<T*>(slot);
        store<backward>(r, backward ? at + (row_items<T> - 1) : at);
    }

    HWY_INLINE void leave(std::size_t r) {
        const tag<std::uint8_t> d;
        const char* from = backward ? slot(r) - skew_ : slot(r) + skew_;
        if constexpr (backward) line_ -= row_bytes;
        for (std::size_t k = 0; k < row_bytes; k += vector_bytes) {
            hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from) + k), d,
                       reinterpret_cast<std::uint8_t*>(line_) + k);
        }
        if constexpr (!backward) line_ += row_bytes;
    }

    alignas(row_bytes) char ring_[(depth + 1) * row_bytes];
    char* end_;         // where the first row begins (backward: ends)
    std::size_t skew_;  // bytes of the first row that come before the first whole line
    char* line_;        // the next line to leave begins (backward: ends) here
    std::size_t rows_ = 0;
};

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

    // An exclusive scan in place writes one item ahead of its reads, so what comes next is loaded
    // before anything is stored: a row, or the items of the partial row at the end.
    const T* in = tile.in;
    std::size_t left = tile.items;
    row<T> loaded;
    T tail[row_items<T>];
    const auto load_next = [&]() HWY_ATTR {
        if (left >= row_items<T>) {
            loaded = load<backward>(in);
        } else {
            for (std::size_t i = 0; i < left; ++i)
                tail[i] = in[step * static_cast<std::ptrdiff_t>(i)];
        }
    };
    load_next();
    if (tile.exclusive) *tile.out = before;

    while (left >= row_items<T>) {
        row<T> r = loaded;
        in += row_step;
        left -= row_items<T>;
        load_next();
        if (ahead.has_row()) {
            ahead.fold_row();
        } else {
            prefetch_page_ahead<backward>(in);
        }
        const vec<T> total = scan_row<Op>(r);
        for (auto& v : r.v) {
            v = op(d, carry, v);
            if constexpr (!regroups<Op, T>) v = op(d, prefix, v);
        }
        carry = op(d, carry, total);
        if (tile.exclusive && left == 0) {  // the row's last item is the next tile's first output
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
    for (std::size_t i = 0; i < left; ++i) {
        if (i > 0) tail[i] = op(tail[i - 1], tail[i]);
        inclusive = op(rows_total, tail[i]);
        if (tile.exclusive && i + 1 == left) break;
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
