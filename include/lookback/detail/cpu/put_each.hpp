/// \file
/// Writes results that are computed as they are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/items.hpp"

namespace lookback::detail {

/// Writes value(0), value(1), ... to out[at], out[at + 1], .... With `stream`, whole cache lines of
/// numbers in memory are written by non-temporal stores; the caller then has to call
/// simd_compaction_kernels().flush().
template <class Out, class Value>
void put_each(const Out& out, std::size_t at, std::size_t count, bool stream, const Value& value) {
    using T = written_item<Out>;
    std::size_t i = 0;
    if constexpr (std::contiguous_iterator<Out> && std::is_arithmetic_v<T>) {
        constexpr std::size_t room = 2048 / sizeof(T);
        T* const to = std::to_address(out) + at;
        while (stream && i < count) {
            T some[room];
            // Up to the end of a cache line.
            const std::size_t over = reinterpret_cast<std::uintptr_t>(to + i) % 64 / sizeof(T);
            const std::size_t n = std::min(room - over, count - i);
            for (std::size_t k = 0; k < n; ++k) some[k] = static_cast<T>(value(i + k));
            simd_compaction_kernels().stream(some, to + i, n * sizeof(T));
            i += n;
        }
    }
    for (; i < count; ++i) detail::put(out, at + i, value(i));
}

}  // namespace lookback::detail
