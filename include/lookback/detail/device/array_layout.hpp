/// \file
/// Where the arrays of a call lie: whether on boundaries of vectors, and whether over one another.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/device/arrays.hpp"

namespace lookback::detail::device {

template <class... Pointers>
bool all_on_vector_boundaries(const Pointers&... arrays) {
    const auto one = [](const auto& array) {
        using P = std::remove_cvref_t<decltype(array)>;
        if constexpr (std::is_pointer_v<P>) {
            return reinterpret_cast<std::uintptr_t>(array) % 16 == 0;
        } else {
            return is_absent<P>;
        }
    };
    return (one(arrays) && ...);
}

/// The memory of the first `items` items. Where that cannot be known, it is the whole address
/// space.
template <class It>
byte_range memory_of(const It& it, std::uint64_t items) {
    if (items == 0) return {};
    if constexpr (walk<It>::in_array) {
        return bytes_of(it, items);
    } else {
        return {0, UINTPTR_MAX};
    }
}
inline byte_range memory_of(no_array, std::uint64_t /*items*/) { return {}; }
template <class T>
byte_range memory_of(const downward<T*>& array, std::uint64_t items) {
    if (items == 0) return {};
    return memory_of(std::make_reverse_iterator(array.last + 1), items);
}
template <class Out>
byte_range memory_of(const every_second<Out>& to, std::uint64_t items) {
    return memory_of(to.out, items / 2);
}

/// Whether `holds(input, output)` is true for some output and one of the two inputs that it may
/// overlap.
template <class Holds, class In, class Paired, class... Outs>
bool any_overlay(const Holds& holds, std::uint64_t items, const In& in, const Paired& paired,
                 const Outs&... outs) {
    const auto over = [&](const byte_range& out) {
        const auto meets = [&](const byte_range& x) {
            return detail::meet(x, out) && holds(x, out);
        };
        return meets(memory_of(in, items)) || meets(memory_of(paired, items));
    };
    return (over(memory_of(outs, items)) || ...);
}

/// Whether some output may overlap one of the two inputs.
template <class... Arrays>
bool may_overlap(std::uint64_t items, const Arrays&... arrays) {
    return any_overlay([](const byte_range&, const byte_range&) { return true; }, items, arrays...);
}

/// Whether each output that overlaps an input has each item over the input's item of the same
/// number. (Outputs over an input that is walked in the other direction have been refused.)
template <class... Arrays>
bool item_over_item(std::uint64_t items, const Arrays&... arrays) {
    const auto elsewhere = [](const byte_range& x, const byte_range& out) {
        const bool is_known = x.end != UINTPTR_MAX;
        return !is_known || x.begin != out.begin || x.end != out.end;
    };
    return !any_overlay(elsewhere, items, arrays...);
}

}  // namespace lookback::detail::device
