/// \file
/// Scans along an axis as templates. The types are divided among axis_*.cpp, to compile faster.
#pragma once

#include "lookback/axis_scan.hpp"
#include "table/numbers.hpp"

namespace lookback::table {

using axis_function = void (*)(const void* in, const axis_extents& extents, void* out, int threads);

/// `op` is not bitwise.
template <number T>
axis_function axis_of(operation op);

template <class T>
struct axis_of_type {
    template <class Op>
    static void scan(const void* in, const axis_extents& extents, void* out, int threads) {
        inclusive_scan(cpu{.threads = threads}, static_cast<const T*>(in), extents,
                       static_cast<T*>(out), Op{});
    }

    static axis_function ordered(operation op) {
        return op == operation::min ? scan<minimum<>> : scan<maximum<>>;
    }
    static axis_function any(operation op) {
        if (op == operation::min || op == operation::max) return ordered(op);
        return op == operation::sum ? scan<plus<>> : scan<multiplies<>>;
    }
};

}  // namespace lookback::table
