// The kernels of scans of segments of one type, LOOKBACK_KERNEL_ITEM, for every vector width: see
// include/lookback/detail/cpu/simd_segments.hpp. Compiled once for each type.
//
// A tile is scanned in rows (simd_row_scan-inl.hpp), as in a plain scan. In a row with heads each
// step of the row's tree leaves the lanes as they are that a head separates from what they would be
// combined with: no branch depends on where in a row segments begin. Which lanes those are is
// worked out for 64 items at a time, from the bits of the heads. The carry goes to the lanes before
// a row's first head, what is fresh to the others.
//
// The values of the next tile, and what says where its segments begin, are asked for on the way:
// reads and writes stay in flight together. They are reduced from cache afterwards, from their last
// head on.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_segments.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/cpu/simd_segments.hpp"
#include "simd_line_writer-inl.hpp"
#include "simd_operators-inl.hpp"
#include "simd_reduction-inl.hpp"
#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"
#include "simd_segment_rows-inl.hpp"
#include "simd_table-inl.hpp"
#include "simd_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes that hold no item of the segment are the identity, which changes no bit of a fold.
template <class Op, class T>
T fold(const T* in, std::size_t begin, std::size_t items) {
    fold_of_rows<Op, false, T> folded;
    constexpr std::size_t step = folded.rows_per_step * row_items<T>;
    for (; items > 0; begin = 0) {
        const std::size_t now = std::min(step, items);
        T padded[step];
        const T* from = in;
        if (begin > 0 || now < step) {
            std::fill_n(padded, step, Op::template identity<T>);
            std::copy(in + begin, in + now, padded + begin);
            from = padded;
        }
        folded.add_step(from);
        in += now;
        items -= now;
    }
    return folded.total();
}

template <class Op, class T, class PutRow>
class segments_scan {
 public:
    HWY_INLINE segments_scan(const segments_tile<T>& tile, PutRow put_row)
        : tables_(make_segment_tables<T>()),
          init_(tile.init ? *tile.init : Op::template identity<T>),
          before_(tile.prefix ? *tile.prefix : Op::template identity<T>),
          init_lanes_(lanes_of(init_)),
          fresh_(regroups<Op, T> ? init_lanes_ : identity_vector<Op, T>()),
          prefix_(lanes_of(before_)),
          carry_(tile.carry        ? lanes_of(*tile.carry)
                 : regroups<Op, T> ? prefix_
                                   : fresh_),
          last_(hn::Set(tag<T>(), before_)),
          exclusive_(tile.exclusive),
          next_in_(reinterpret_cast<const char*>(tile.next_in)),
          next_heads_(static_cast<const char*>(tile.next_heads.at)),
          next_heads_in_row_(next_heads_ ? tile.next_heads.item_bytes * row_items<T> : 0),
          put_row_(put_row) {}

    HWY_INLINE T run(const segments_tile<T>& tile) {
        const std::size_t blocks = tile.items / class_block;
        const T* in = tile.in;
        T* out = tile.out;
        for (std::size_t b = 0; b < blocks; ++b, in += class_block, out += class_block) {
            scan_block(in, tile.heads[b], out, put_row_);
        }
        if (const std::size_t rest = tile.items % class_block; rest > 0) {
            T padded[class_block];
            std::fill_n(padded, class_block, Op::template identity<T>);
            std::copy_n(in, rest, padded);
            scan_block(padded, tile.heads[blocks], padded,
                       [](const row<T>& r, T* at) HWY_ATTR { store<false>(r, at); });
            std::copy_n(padded, rest, out);
        }
        const tag<T> d;
        if constexpr (regroups<Op, T>) return hn::GetLane(Op::decode(d, carry_));
        return Op{}(hn::GetLane(prefix_), hn::GetLane(carry_));
    }

 private:
    static HWY_INLINE vec<T> lanes_of(T item) {
        return Op::encode(tag<T>(), hn::Set(tag<T>(), item));
    }

    template <class Put>
    HWY_INLINE void scan_block(const T* in, std::uint64_t heads, T* out, const Put& put) {
        if (heads == 0) {
            scan_rows<false>(in, heads, out, put);
        } else {
            scan_rows<true>(in, heads, out, put);
        }
    }

    template <bool has_heads, class Put>
    HWY_INLINE void scan_rows(const T* in, [[maybe_unused]] std::uint64_t heads, T* out,
                              const Put& put) {
        [[maybe_unused]] segment_bits<T> bits;
        if constexpr (has_heads) bits = segment_bits<T>(heads);
        for (std::size_t i = 0; i < class_block; i += row_items<T>) {
            row<T> r = load<false>(in + i);
            encode<Op>(r);
            if constexpr (has_heads) {
                scan_row_of_segments<Op>(r, bits, i, tables_.rows);
                put_before(r, bits.open, i);
            } else {
                scan_row<Op>(r, tables_.rows);
                put_before(r);
            }
            decode<Op>(r);
            if (exclusive_) make_exclusive(r, has_heads ? heads : 0, i);
            prefetch_next();
            put(r, out + i);
        }
    }

    // What comes before a row's lanes, of no head.
    HWY_INLINE void put_before(row<T>& r) {
        const tag<T> d;
        const Op op;
        const vec<T> total = last_item(r.v[row_vectors - 1], tables_.rows);
        for (auto& v : r.v) v = op(d, carry_, v);
        carry_ = takes_long<Op, T> ? op(d, carry_, total)
                                   : last_item(r.v[row_vectors - 1], tables_.rows);
        if constexpr (!regroups<Op, T>) {
            for (auto& v : r.v) v = op(d, prefix_, v);
        }
    }

    // The same, where `open` are the lanes before the row's first head.
    HWY_INLINE void put_before(row<T>& r, std::uint64_t open, std::size_t first) {
        const tag<T> d;
        const Op op;
        const std::uint64_t whole = 0 - (open >> (first + row_items<T> - 1) & 1);
        const auto is_whole = mask_of<T>(whole, 0);
        const vec<T> total = last_item(r.v[row_vectors - 1], tables_.rows);
        for (std::size_t k = 0; k < row_vectors; ++k) {
            const auto is_open = mask_of<T>(open, first + k * lanes<T>);
            r.v[k] = op(d, hn::IfThenElse(is_open, carry_, fresh_), r.v[k]);
            if constexpr (!regroups<Op, T>) {
                r.v[k] = op(d, hn::IfThenElse(is_open, prefix_, init_lanes_), r.v[k]);
            }
        }
        carry_ = takes_long<Op, T> ? op(d, hn::IfThenElse(is_whole, carry_, fresh_), total)
                                   : last_item(r.v[row_vectors - 1], tables_.rows);
        if constexpr (!regroups<Op, T>) prefix_ = hn::IfThenElse(is_whole, prefix_, init_lanes_);
    }

    // Every result moves to the item after it; a head has the initial value.
    HWY_INLINE void make_exclusive(row<T>& r, std::uint64_t heads, std::size_t first) {
        const tag<T> d;
        const vec<T> init = hn::Set(d, init_);
        for (std::size_t k = 0; k < row_vectors; ++k) {
            const vec<T> moved = moved_up(r.v[k], last_, tables_);
            last_ = last_item(r.v[k], tables_.rows);
            r.v[k] = hn::IfThenElse(mask_of<T>(heads, first + k * lanes<T>), init, moved);
        }
    }

    // A row's, at each row: in a burst they would hold up the stores.
    HWY_INLINE void prefetch_next() {
        hwy::Prefetch(next_in_);
        next_in_ += row_bytes;
        for (std::size_t byte = 0; byte < next_heads_in_row_; byte += 64) {
            hwy::Prefetch(next_heads_ + byte);
        }
        next_heads_ += next_heads_in_row_;
    }

    const segment_tables<T> tables_;
    const T init_;
    const T before_;
    const vec<T> init_lanes_;
    const vec<T> fresh_;  // what the first lanes of a segment are combined with in place of a carry
    vec<T> prefix_;       // what comes before the open segment's part in this tile
    vec<T> carry_;        // the fold of that part: with the prefix where that regroups
    vec<T> last_;         // the last inclusive result
    const bool exclusive_;
    const char* next_in_;
    const char* next_heads_;
    const std::size_t next_heads_in_row_;  // bytes
    PutRow put_row_;
};

template <class Op, class T>
T scan(const segments_tile<T>& tile) {
    if (!tile.stream) {
        const auto put_row = [](const row<T>& r, T* at) HWY_ATTR { store<false>(r, at); };
        return segments_scan<Op, T, decltype(put_row)>(tile, put_row).run(tile);
    }
    line_ring ring;
    line_writer<false, T> writer(tile.out, ring);
    const auto put_row = [&](const row<T>& r, T*) HWY_ATTR { writer.put(r); };
    const T result = segments_scan<Op, T, decltype(put_row)>(tile, put_row).run(tile);
    writer.finish();
    return result;
}

struct make_segments_kernel {
    static constexpr bool lanes_wait = true;
    template <class Op, class T>
    static constexpr segments_kernel<T> of = {&fold<Op, T>, &scan<Op, T>, &combine<Op, T>};
};

void fill_segments(simd_family<segments_kernel, LOOKBACK_KERNEL_ITEM>& table) {
    fill_with<make_segments_kernel>(table);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

template <>
[[gnu::visibility("default")]] const simd_family<segments_kernel, LOOKBACK_KERNEL_ITEM>&
segments_kernels<LOOKBACK_KERNEL_ITEM>() {
    using family = simd_family<segments_kernel, LOOKBACK_KERNEL_ITEM>;
    static const family table = [] {
        family made{};
        LOOKBACK_SIMD_VERSION(fill_segments)(made);
        return made;
    }();
    return table;
}

}  // namespace lookback::detail
#endif
