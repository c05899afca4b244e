/// \file
/// Pixels of 1 to 4 interleaved channels: what images of RGB or RGBA consist of, and their sums.
///
///     std::vector<pixel<std::uint8_t, 3>> rgb;     // 3 bytes each, as PNG and OpenCV have them
///     std::vector<pixel<std::uint32_t, 3>> table;  // their sums, channel by channel
///
/// A pixel is an aggregate that holds nothing but its channels, and is trivially copyable where
/// they are. Integers wrap around, as in operators.hpp.
#pragma once

#include <type_traits>

#include "lookback/detail/portability.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// a - b. Integers wrap around.
template <class T>
LOOKBACK_HD constexpr T subtract(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
    } else {
        return static_cast<T>(a - b);
    }
}

}  // namespace detail

/// A pixel of `channels` channels of type T. Its operators work channel by channel.
template <class T, int channels>
struct pixel {
    static_assert(channels >= 1 && channels <= 4);

    T channel[channels];

    /// Converts each channel.
    template <class To>
    LOOKBACK_HD explicit constexpr operator pixel<To, channels>() const {
        pixel<To, channels> to{};
        for (int k = 0; k < channels; ++k) to.channel[k] = static_cast<To>(channel[k]);
        return to;
    }

    friend LOOKBACK_HD constexpr pixel operator+(const pixel& a, const pixel& b) {
        pixel sum{};
        for (int k = 0; k < channels; ++k) {
            sum.channel[k] = plus<T>{}(a.channel[k], b.channel[k]);
        }
        return sum;
    }
    friend LOOKBACK_HD constexpr pixel operator-(const pixel& a, const pixel& b) {
        pixel difference{};
        for (int k = 0; k < channels; ++k) {
            difference.channel[k] = detail::subtract(a.channel[k], b.channel[k]);
        }
        return difference;
    }
    friend LOOKBACK_HD constexpr pixel operator*(const pixel& a, const pixel& b) {
        pixel product{};
        for (int k = 0; k < channels; ++k) {
            product.channel[k] = multiplies<T>{}(a.channel[k], b.channel[k]);
        }
        return product;
    }
    friend LOOKBACK_HD constexpr bool operator==(const pixel& a, const pixel& b) {
        for (int k = 0; k < channels; ++k) {
            if (!(a.channel[k] == b.channel[k])) return false;
        }
        return true;
    }
};

namespace detail {

/// What an item consists of: `channels` values of type `type`. A number is its own single channel.
template <class Item>
struct channels_of {
    using type = Item;
    static constexpr int channels = 1;
    template <class To>
    using with = To;  ///< a pixel with the same number of channels, of another type
};
template <class T, int n>
struct channels_of<pixel<T, n>> {
    using type = T;
    static constexpr int channels = n;
    template <class To>
    using with = pixel<To, n>;
};
template <class Item>
using channel_type = typename channels_of<Item>::type;

template <class Item>
LOOKBACK_HD constexpr auto& channel_of(Item& item, [[maybe_unused]] int k) {
    if constexpr (requires { item.channel[k]; }) {
        return item.channel[k];
    } else {
        return item;
    }
}

}  // namespace detail
}  // namespace lookback
