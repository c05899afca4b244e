/// \file
/// Finds heads (detail/heads.hpp), 64 items at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>

#include "lookback/detail/cpu/class_mask.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/heads.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

using differ_member = differ_kernel simd_compaction::*;

/// The kernel that finds the heads of numbers; null if there is none for these keys.
template <class Keys, class Equal>
inline constexpr differ_member differ = [] {
    using key = std::iter_value_t<Keys>;
    if constexpr (std::contiguous_iterator<Keys> &&
                  (std::same_as<Equal, equal_to> || std::same_as<Equal, std::equal_to<>> ||
                   std::same_as<Equal, std::equal_to<key>>)) {
        if (std::same_as<key, float>) return &simd_compaction::differ_float;
        if (std::same_as<key, double>) return &simd_compaction::differ_double;
        if (std::integral<key>) {
            if (sizeof(key) == 1) return &simd_compaction::differ_one_byte;
            if (sizeof(key) == 2) return &simd_compaction::differ_two_bytes;
            if (sizeof(key) == 4) return &simd_compaction::differ_four_bytes;
            if (sizeof(key) == 8) return &simd_compaction::differ_eight_bytes;
        }
    }
    return static_cast<differ_kernel simd_compaction::*>(nullptr);
}();

/// Each key is compared once with the key before it.
template <class Keys, class Equal>
struct key_heads {
    const Keys& keys;
    const Equal& equal;
    const simd_compaction& kernels = simd_compaction_kernels();

    /// A mask with one bit for each of `count` items from `first` on, at most class_block; the bits
    /// of heads are set. The first `begin` items count as heads and are not compared.
    [[gnu::always_inline]] std::uint64_t operator()(std::size_t first, std::size_t count,
                                                    std::size_t begin) const {
        if constexpr (differ<Keys, Equal> != nullptr) {
            if (begin == 0 && count == class_block) {
                return (kernels.*differ<Keys, Equal>)(std::to_address(keys) + first);
            }
        }
        using word = class_word<std::iter_value_t<Keys>>;
        return class_masks<1, word>(begin, count, [&](std::size_t i) -> std::uint8_t {
            const auto k = first + i;
            return detail::is_head(equal, detail::item(keys, k - 1), detail::item(keys, k)) ? 0 : 1;
        })[0];
    }
};

}  // namespace lookback::detail
