/// \file
/// What kept_kernels.hpp declares, as templates: kept_kernels_*.cpp share out the types, for the
/// compile time.
#pragma once

#include "gpu_numbers.hpp"
#include "kept_kernels.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/select.hpp"

namespace lookback::cli {

// As the GPU's kernels know it.
template <number T>
on_gpu::wanted_numbers<bits_of<T>> on_gpu_condition(const condition<T>& is) {
    static_assert(sizeof(interval<T>) == 2 * sizeof(T));
    return {reinterpret_cast<const bits_of<T>*>(is.intervals.data()), is.intervals.size(),
            is.has_nan, kind_of<T>};
}

template <number T>
std::size_t kept_kernels<T>::select(const T* in, std::size_t items, T* out, const condition<T>& is,
                                    const workplace& where) {
    if (where.memory) {
        return on_gpu::kept_window<bits_of<T>>::select(*where.memory, array_of<bits_of<T>>(in),
                                                       items, array_of<bits_of<T>>(out),
                                                       on_gpu_condition(is));
    }
    return with_predicate(is, [&](auto predicate) {
        return select_if(cpu{.threads = where.threads}, in, in + items, out, predicate);
    });
}

template <number T>
std::size_t kept_kernels<T>::partition(const T* in, std::size_t items, T* out, T* rest,
                                       const condition<T>& is, const workplace& where) {
    if (where.memory) {
        return on_gpu::kept_window<bits_of<T>>::partition(
            *where.memory, array_of<bits_of<T>>(in), items, array_of<bits_of<T>>(out),
            array_of<bits_of<T>>(rest), on_gpu_condition(is));
    }
    return with_predicate(is, [&](auto predicate) {
        return partition_if(cpu{.threads = where.threads}, in, in + items, out, rest, predicate);
    });
}

template <number T>
std::size_t kept_kernels<T>::unique(const T* in, std::size_t items, T* out,
                                    const workplace& where) {
    if (where.memory) {
        return on_gpu::kept_window<bits_of<T>>::unique(
            *where.memory, array_of<bits_of<T>>(in), items, array_of<bits_of<T>>(out), kind_of<T>);
    }
    if constexpr (std::signed_integral<T>) {
        return kept_kernels<bits_of<T>>::unique(array_of<bits_of<T>>(in), items,
                                                array_of<bits_of<T>>(out), where);
    } else {
        return lookback::unique(cpu{.threads = where.threads}, in, in + items, out);
    }
}

template <number T>
std::size_t kept_kernels<T>::run_length_encode(const T* in, std::size_t items, T* out,
                                               std::int64_t* lengths, const workplace& where) {
    if (where.memory) {
        return on_gpu::kept_window<bits_of<T>>::run_length_encode(
            *where.memory, array_of<bits_of<T>>(in), items, array_of<bits_of<T>>(out), lengths,
            kind_of<T>);
    }
    if constexpr (std::signed_integral<T>) {
        return kept_kernels<bits_of<T>>::run_length_encode(
            array_of<bits_of<T>>(in), items, array_of<bits_of<T>>(out), lengths, where);
    } else {
        return lookback::run_length_encode(cpu{.threads = where.threads}, in, in + items, out,
                                           lengths);
    }
}

template <number T>
void kept_kernels<T>::find_heads(const T* in, std::size_t items, const std::optional<T>& before,
                                 std::uint8_t* heads, int threads) {
    constexpr std::size_t share = 1 << 14;
    detail::for_shares(cpu{.threads = threads}, items, share,
                       [&](std::size_t begin, std::size_t end) {
                           if (begin == 0) heads[begin++] = before == in[0] ? 0 : 1;
                           for (std::size_t i = begin; i < end; ++i) {
                               heads[i] = in[i - 1] == in[i] ? 0 : 1;
                           }
                       });
}

}  // namespace lookback::cli
