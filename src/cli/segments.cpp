#include "segments.hpp"

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>

#include "error.hpp"
#include "kept_kernels.hpp"
#include "whole_array.hpp"

namespace lookback::cli {

void check_inputs(const std::string& a, std::string_view name_a, const std::string& b,
                  std::string_view name_b) {
    if (a != "-" || b != "-") return;
    fail("{} and {}: both are standard input; expected a file for one of them", name_a, name_b);
}

void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path) {
    check_line(keys, keys_path);
    check_line(values, values_path);
    if (keys.items() == values.items()) return;
    fail("{}: {} keys for the {} numbers of {}; expected as many", keys_path, keys.items(),
         values.items(), values_path);
}

void find_heads_by_key(const array_input& keys, const std::string& keys_path,
                       const array_input& values, const std::string& values_path,
                       std::uint8_t* heads, int threads) {
    check_keys(keys, keys_path, values, values_path);
    with_type(keys.type(), [&]<class K>(std::type_identity<K>) {
        const whole_input<K> all(keys);
        kept_kernels<K>::find_heads(all.data(), all.items(), heads, threads);
    });
    keys.check_complete();
}

namespace {

// `offsets` begin at 0, do not decrease, and end at `items`.
template <std::integral T>
void check_offsets(const whole_input<T>& offsets, const std::string& path, std::size_t items,
                   const std::string& values_path) {
    const T* const at = offsets.data();
    const std::size_t entries = offsets.items();
    if (entries == 0) fail("{}: is empty; expected one offset more than there are segments", path);
    if (at[0] != 0) fail("{}: begins with {}; expected 0", path, at[0]);
    const T* const peak = std::is_sorted_until(at, at + entries) - 1;
    if (peak != at + entries - 1) {
        fail("{}: entry {} is {}, after {}; expected offsets that do not decrease", path,
             peak + 1 - at, peak[1], *peak);
    }
    if (!std::cmp_equal(*peak, items)) {
        fail("{}: ends with {}; expected {}, the number of items of {}", path, *peak, items,
             values_path);
    }
}

}  // namespace

void find_heads_by_offset(const array_input& offsets, const std::string& offsets_path,
                          const array_input& values, const std::string& values_path,
                          std::uint8_t* heads) {
    check_line(offsets, offsets_path);
    check_line(values, values_path);
    const std::size_t items = values.items();
    std::fill_n(heads, items, std::uint8_t{0});
    with_type(offsets.type(), [&]<class T>(std::type_identity<T>) {
        if constexpr (std::integral<T>) {
            const whole_input<T> all(offsets);
            check_offsets(all, offsets_path, items, values_path);
            for (const T offset : std::span(all.data(), all.items())) {
                if (std::cmp_less(offset, items)) heads[static_cast<std::size_t>(offset)] = 1;
            }
        } else {
            fail("{}: holds {}; expected offsets of an integer type", offsets_path,
                 name(offsets.type()));
        }
    });
    offsets.check_complete();
}

}  // namespace lookback::cli
