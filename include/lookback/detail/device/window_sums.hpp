/// \file
/// Sums of an item's channels over windows, in words of 32 bits as the kernels of box filters keep
/// them in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/box_window.hpp"
#include "lookback/operators.hpp"
#include "lookback/pixel.hpp"

namespace lookback::detail::device {

/// Channels whose windows' sums have 32 bits.
template <class Item>
inline constexpr bool has_window_sums =
    std::is_integral_v<channel_type<Item>> && sizeof(channel_type<Item>) <= 2;
template <class Item>
using channel_sums = typename channels_of<Item>::template with<
    std::conditional_t<std::is_signed_v<channel_type<Item>>, std::int32_t, std::uint32_t>>;

/// A word for each channel; but three channels of unsigned bytes share two words, 21 bits each, for
/// windows of at most `most_items` items. A difference of sums is right if it fits, even if the
/// sums do not fit: 64 bits are one number, to which each channel contributes its multiple of 2^21.
template <class Item>
struct window_sums {
    static constexpr int channels = channels_of<Item>::channels;
    static constexpr bool packed =
        channels >= 3 && std::is_same_v<channel_type<Item>, std::uint8_t>;
    static constexpr int words = packed ? channels - 1 : channels;
    static constexpr int field = 21;
    static constexpr std::int64_t most_items = std::int64_t{1}
                                               << (packed ? field : 32) - item_bits<Item>;
    std::uint32_t word[words];

    window_sums() = default;
    __device__ explicit window_sums(const Item& item) {
        const auto channel = [&](int k) { return static_cast<std::uint32_t>(channel_of(item, k)); };
        if constexpr (packed) {
            word[0] = channel(0) | channel(1) << field;
            word[1] = channel(2) << (2 * field - 32);
            if constexpr (channels == 4) word[2] = channel(3);
        } else {
#pragma unroll
            for (int k = 0; k < channels; ++k) word[k] = channel(k);
        }
    }

    __device__ friend window_sums operator+(const window_sums& a, const window_sums& b) {
        return combined(a, b, [](auto x, auto y) { return x + y; });
    }
    __device__ friend window_sums operator-(const window_sums& a, const window_sums& b) {
        return combined(a, b, [](auto x, auto y) { return x - y; });
    }

    /// The sums of the channels.
    __device__ channel_sums<Item> unpacked() const {
        channel_sums<Item> sums;
        for (int k = 0; k < channels; ++k) {
            auto& sum = channel_of(sums, k);
            using channel = std::remove_reference_t<decltype(sum)>;
            if (!packed) {
                sum = static_cast<channel>(word[k]);
            } else if (k < 3) {
                sum = static_cast<channel>(first_words() >> k * field) & ((1U << field) - 1);
            } else {
                sum = static_cast<channel>(word[words - 1]);
            }
        }
        return sums;
    }

 private:
    __device__ std::uint64_t first_words() const {
        return std::uint64_t{word[words > 1 ? 1 : 0]} << 32 | word[0];
    }
    template <class Op>
    __device__ static window_sums combined(const window_sums& a, const window_sums& b,
                                           const Op& op) {
        window_sums sum;
        if constexpr (packed) {
            const std::uint64_t both = op(a.first_words(), b.first_words());
            sum.word[0] = static_cast<std::uint32_t>(both);
            sum.word[1] = static_cast<std::uint32_t>(both >> 32);
        }
#pragma unroll
        for (int k = packed ? 2 : 0; k < words; ++k) sum.word[k] = op(a.word[k], b.word[k]);
        return sum;
    }
};

}  // namespace lookback::detail::device
