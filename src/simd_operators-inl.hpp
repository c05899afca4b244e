// The operators of the SIMD kernels: an identity, and the same function on vectors and on items.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_OPERATORS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_OPERATORS_INL_
#undef LOOKBACK_SRC_SIMD_OPERATORS_INL_
#else
#define LOOKBACK_SRC_SIMD_OPERATORS_INL_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "lookback/operators.hpp"
#include "lookback/pixel.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operator on items is the library's own. That on vectors works on lanes that `encode` has made
// of items, and `decode` makes items of them again.
template <class Op>
struct on_items {
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return Op{}(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V encode(D, V items) {
        return items;
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V decode(D, V lanes) {
        return lanes;
    }
};

struct plus_op : on_items<plus<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = false;
    template <class T>
    static constexpr T identity = std::is_floating_point_v<T> ? T(-0.0) : T(0);  // -0.0 + x is x
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Add(a, b);
    }
};

struct multiplies_op : on_items<multiplies<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = false;
    template <class T>
    static constexpr T identity = T(1);
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
        if constexpr (sizeof(hn::TFromD<D>) == 1) {
            // Bytes at even places as the low halves of words, those at odd ones as the high.
            const hn::Repartition<std::uint16_t, D> words;
            const auto x = hn::BitCast(words, a), y = hn::BitCast(words, b);
            const auto high = hn::Set(words, std::uint16_t{0xff00});
            return hn::BitCast(d, hn::Or(hn::AndNot(high, hn::Mul(x, y)),
                                         hn::Mul(hn::ShiftRight<8>(x), hn::And(y, high))));
        } else {
            return hn::Mul(a, b);
        }
    }
};

// Floats are compared as integers where one instruction does that, instead of two or three that
// keep NaN and take longer: of 4 bytes everywhere, of 8 on AVX-512.
template <class T>
constexpr bool is_compared_as_integer =
    std::is_floating_point_v<T> && (sizeof(T) == 4 || HWY_TARGET <= HWY_AVX3);

// Such lanes are signed integers in the order of the floats: of a negative number all bits but the
// sign are flipped. Then those of NaN are the first and the last; there are as many at either end,
// so all of them come first if their number is added, and last if it is taken away.
template <class Op, int nan_at>
struct on_ordered : on_items<Op> {
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V encode(D d, V items) {
        if constexpr (is_compared_as_integer<hn::TFromD<D>>) {
            const hn::RebindToSigned<D> di;
            return hn::BitCast(d, hn::Add(flip_negative(di, hn::BitCast(di, items)), nans(di)));
        } else {
            return items;
        }
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V decode(D d, V lanes) {
        if constexpr (is_compared_as_integer<hn::TFromD<D>>) {
            const hn::RebindToSigned<D> di;
            return hn::BitCast(d, flip_negative(di, hn::Sub(hn::BitCast(di, lanes), nans(di))));
        } else {
            return lanes;
        }
    }

 private:
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V flip_negative(D d, V v) {
        const V all_but_the_sign = hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>());
        return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), all_but_the_sign));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V nans(D d) {
        using T = hn::TFromD<D>;
        constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;
        return hn::Set(d, static_cast<T>(nan_at * ((T{1} << mantissa_bits) - 1)));
    }
};

// `Select` on lanes: of integers, as such; of other floats, where NaN wins. The minimum and maximum
// of x86 return b where either is NaN; those of Arm the number.
template <class D, class V, class Select>
HWY_INLINE V select_ordered(D d, V a, V b, const Select& select) {
    using T = hn::TFromD<D>;
    if constexpr (is_compared_as_integer<T>) {
        const hn::RebindToSigned<D> di;
        return hn::BitCast(d, select(hn::BitCast(di, a), hn::BitCast(di, b)));
    } else if constexpr (hwy::IsFloat<T>()) {
        V r = select(a, b);
        if constexpr (HWY_ARCH_ARM) r = hn::IfThenElse(hn::IsNaN(b), b, r);
        return hn::IfThenElse(hn::IsNaN(a), a, r);
    } else {
        return select(a, b);
    }
}

template <class T>
constexpr T infinity = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

struct minimum_op : on_ordered<minimum<>, 1> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = infinity<T>;
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
        return select_ordered(d, a, b, [](auto x, auto y) HWY_ATTR { return hn::Min(x, y); });
    }
};

struct maximum_op : on_ordered<maximum<>, -1> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity =
        std::is_floating_point_v<T> ? -infinity<T> : std::numeric_limits<T>::min();
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
        return select_ordered(d, a, b, [](auto x, auto y) HWY_ATTR { return hn::Max(x, y); });
    }
};

struct and_op : on_items<bit_and<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = static_cast<T>(~T{0});
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::And(a, b);
    }
};

struct or_op : on_items<bit_or<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Or(a, b);
    }
};

struct xor_op : on_items<bit_xor<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Xor(a, b);
    }
};

// The identity as an item.
template <class Op, class T>
constexpr T identity_item() {
    T item{};
    for (int k = 0; k < channels_of<T>::channels; ++k) {
        channel_of(item, k) = Op::template identity<channel_type<T>>;
    }
    return item;
}

// Whether any grouping gives the same bits.
template <class Op, class T>
constexpr bool regroups = !std::is_floating_point_v<channel_type<T>> || Op::regroups_floats;

// Whether an operation on lanes takes several cycles.
template <class Op, class T>
constexpr bool takes_long = std::is_floating_point_v<channel_type<T>>
                                ? !(Op::regroups_floats && is_compared_as_integer<channel_type<T>>)
                                : std::is_same_v<Op, multiplies_op> && sizeof(T) == 8;

// Whether a scan one by one is faster: where a product of 8 bytes takes several instructions.
template <class Op, class T>
constexpr bool takes_longer_in_lanes = std::is_same_v<Op, multiplies_op> && std::is_integral_v<T> &&
                                       sizeof(T) == 8 && HWY_TARGET > HWY_AVX3;

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
