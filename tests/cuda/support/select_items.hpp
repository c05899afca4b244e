// Items of all widths. Their keys say which of them are selected.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/operators.hpp"

namespace lookback::test {

/// `words` words; the first one is compared.
template <int words, int alignment = 4>
struct alignas(alignment) wide_item {
    std::uint32_t key;
    std::uint32_t others[words - 1];
    friend LOOKBACK_HD bool operator==(const wide_item& x, const wide_item& y) {
        return x.key == y.key;
    }
};

template <class T>
T item_of(std::uint32_t key, std::uint64_t i) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(key);
    } else {
        T item;
        item.key = key;
        for (auto& word : item.others) word = static_cast<std::uint32_t>(i++) ^ ~key;
        return item;
    }
}

struct key_of {
    template <int words, int alignment>
    LOOKBACK_HD std::uint32_t operator()(const wide_item<words, alignment>& x) const {
        return x.key;
    }
    template <class T>
    LOOKBACK_HD std::uint32_t operator()(const T& x) const {
        return static_cast<std::uint32_t>(x);
    }
};
/// True for keys below `limit`: of keys scattered over 0 to 99, that is `limit` percent.
struct below {
    std::uint32_t limit;
    template <class T>
    LOOKBACK_HD bool operator()(const T& x) const {
        return key_of{}(x) < limit;
    }
};

}  // namespace lookback::test
