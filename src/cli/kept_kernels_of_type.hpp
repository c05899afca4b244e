/// \file
/// What kept_kernels.hpp declares, as templates: kept_kernels_*.cpp share out the types, for the
/// compile time.
#pragma once

#include "kept_kernels.hpp"
#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/select.hpp"

namespace lookback::cli {

template <number T>
std::size_t kept_kernels<T>::select(const T* in, std::size_t items, T* out, const condition<T>& is,
                                    int threads) {
    return with_predicate(is, [&](auto predicate) {
        return select_if(cpu{.threads = threads}, in, in + items, out, predicate);
    });
}

template <number T>
std::size_t kept_kernels<T>::partition(const T* in, std::size_t items, T* out, T* rest,
                                       const condition<T>& is, int threads) {
    return with_predicate(is, [&](auto predicate) {
        return partition_if(cpu{.threads = threads}, in, in + items, out, rest, predicate);
    });
}

template <number T>
std::size_t kept_kernels<T>::unique(const T* in, std::size_t items, T* out, int threads) {
    return lookback::unique(cpu{.threads = threads}, in, in + items, out);
}

template <number T>
std::size_t kept_kernels<T>::run_length_encode(const T* in, std::size_t items, T* out,
                                               std::int64_t* lengths, int threads) {
    return lookback::run_length_encode(cpu{.threads = threads}, in, in + items, out, lengths);
}

}  // namespace lookback::cli
