/// \file
/// What kept_kernels.hpp declares, as templates: kept_kernels_*.cpp share out the types, for the
/// compile time.
#pragma once

#include "kept_kernels.hpp"
#include "lookback/select.hpp"

namespace lookback::cli {

template <number T>
std::size_t kept_kernels<T>::select(const T* in, std::size_t items, T* out, const condition<T>& is,
                                    int threads) {
    return with_predicate(is, [&](auto predicate) {
        return select_if(cpu{.threads = threads}, in, in + items, out, predicate);
    });
}

}  // namespace lookback::cli
