// Rows of 64 bytes in 1, 2 or 4 vectors. An item is a number, which is a lane, or a pixel of up to
// 16 bytes, which is several lanes side by side.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_ROWS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_ROWS_INL_
#undef LOOKBACK_SRC_SIMD_ROWS_INL_
#else
#define LOOKBACK_SRC_SIMD_ROWS_INL_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/half.hpp"
#include "lookback/pixel.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr std::size_t row_items = row_bytes / sizeof(T);
template <class T>
constexpr std::size_t block_items = 16 / sizeof(T);
template <class T>
using tag = hn::CappedTag<channel_type<T>, row_bytes / sizeof(channel_type<T>)>;
template <class T>
using vec = hn::Vec<tag<T>>;
constexpr std::size_t vector_bytes = HWY_MAX_BYTES < row_bytes ? HWY_MAX_BYTES : row_bytes;
constexpr std::size_t row_vectors = row_bytes / vector_bytes;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);  // items of a vector

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
    } else if constexpr (sizeof(T) == 16) {
        return hn::ReverseBlocks(tag<T>(), v);
    } else {
        const tag<unsigned_word<sizeof(T)>> d;
        return hn::BitCast(tag<T>(), hn::Reverse(d, hn::BitCast(d, v)));
    }
}

// An array of items as one of lanes.
template <class T>
HWY_INLINE auto lanes_at(T* items) {
    using lane = channel_type<std::remove_const_t<T>>;
    return reinterpret_cast<std::conditional_t<std::is_const_v<T>, const lane, lane>*>(items);
}

// A vector full of `item`.
template <class T>
HWY_INLINE vec<T> all_of(T item) {
    if constexpr (is_number<T>) {
        return hn::Set(tag<T>(), item);
    } else {
        alignas(16) T block[block_items<T>];
        for (T& each : block) each = item;
        return hn::LoadDup128(tag<T>(), lanes_at(block));
    }
}

template <class T>
HWY_INLINE T first_item(vec<T> v) {
    if constexpr (is_number<T>) {
        return hn::GetLane(v);
    } else {
        alignas(row_bytes) T items[lanes<T>];
        hn::Store(v, tag<T>(), lanes_at(items));
        return items[0];
    }
}

// The lanes from `in` on; items may be narrower than T.
template <class T, class In>
HWY_INLINE vec<T> load_lanes(const In* in) {
    const tag<T> d;
    if constexpr (std::is_same_v<In, T>) {
        return hn::LoadU(d, lanes_at(in));
    } else if constexpr (std::is_floating_point_v<T>) {
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<In, tag<T>>(), in));
    } else {
        using like_in = std::conditional_t<std::is_signed_v<In>, std::make_signed_t<T>, T>;
        const hn::Rebind<like_in, tag<T>> wide;
        const auto items = hn::LoadU(hn::Rebind<In, tag<T>>(), in);
        if constexpr (sizeof(T) > 4 * sizeof(In) || (sizeof(T) == 8 && sizeof(In) == 2)) {
            using half = std::conditional_t<std::is_signed_v<In>, std::int32_t, std::uint32_t>;
            const hn::Rebind<half, tag<T>> half_wide;
            return hn::BitCast(d, hn::PromoteTo(wide, hn::PromoteTo(half_wide, items)));
        } else {
            return hn::BitCast(d, hn::PromoteTo(wide, items));
        }
    }
}

// The row whose first item is at `in`; the first item goes to the lowest lane.
template <bool backward, class T, class In>
HWY_INLINE row<T> load_row(const In* in) {
    row<T> r;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            r.v[k] = reverse<T>(load_lanes<T>(in - ((k + 1) * lanes<T> - 1)));
        } else {
            r.v[k] = load_lanes<T>(in + k * lanes<T>);
        }
    }
    return r;
}
template <bool backward, class T>
HWY_INLINE row<T> load(const T* in) {
    return load_row<backward, T>(in);
}

template <bool backward, class T>
HWY_INLINE void store(const row<T>& r, T* out) {
    const tag<T> d;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            hn::StoreU(reverse<T>(r.v[k]), d, lanes_at(out - ((k + 1) * lanes<T> - 1)));
        } else {
            hn::StoreU(r.v[k], d, lanes_at(out + k * lanes<T>));
        }
    }
}

// Converts items to lanes for the operator, and back (simd_operators-inl.hpp).
template <class Op, class T>
HWY_INLINE void encode(row<T>& r) {
    for (auto& v : r.v) v = Op::encode(tag<T>(), v);
}
template <class Op, class T>
HWY_INLINE void decode(row<T>& r) {
    for (auto& v : r.v) v = Op::decode(tag<T>(), v);
}

template <class Op, class T>
HWY_INLINE vec<T> identity_vector() {
    return Op::encode(tag<T>(), hn::Set(tag<T>(), Op::template identity<channel_type<T>>));
}

template <bool backward, class T>
HWY_INLINE void prefetch_page_ahead(const T* in) {
    constexpr std::ptrdiff_t page = 4096;
    hwy::Prefetch(reinterpret_cast<const char*>(in) + (backward ? -page : page));
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
