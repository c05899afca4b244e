/// \file
/// Inclusive and exclusive scan of each row of an array in C order, on CUDA GPUs: along its last
/// axis, axis_extents{outer, length, 1}. The contract is that of lookback/axis_scan.hpp and, for
/// what may be passed, of lookback/cuda.hpp. Other axes are scanned on the CPU only.
///
/// One scan of segments that begin at every `length`-th item: the load is balanced however long
/// rows are, and the bits of float sums depend on a row's place too.
///
/// Bytes moved: each item read once, each result written once. One kernel launch.
///
/// Errors: std::invalid_argument for extents with `inner` other than 1, or whose product has no 64
/// bits, and as in lookback/cuda.hpp.
#pragma once

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include "lookback/axis_scan.hpp"
#include "lookback/cuda/segmented.hpp"

namespace lookback {
namespace detail::gpu {

template <bool exclusive, class T, class In, class Out, class Start, class Op>
Out scan_rows(cuda& gpu, const In& first, const axis_extents& extents, const Out& out,
              const Start& start, const Op& op) {
    const std::size_t items = checked_product(extents);
    gpu.check_device();
    if (extents.inner != 1) {
        throw std::invalid_argument("lookback: axis_extents.inner is " +
                                    std::to_string(extents.inner) +
                                    "; expected 1, the rows of an array: on a GPU, columns are not "
                                    "scanned; scan them on the CPU");
    }
    if (items == 0) return out;
    check_memory(first, out, items);
    return scan_segments<exclusive, T>(gpu, first, item_count{items}, heads_by_row{extents.length},
                                       out, start, op);
}

}  // namespace detail::gpu

/// Inclusive scan of each row. Returns the end of the output.
template <std::random_access_iterator In, class Out, class Op = plus<>>
    requires(!detail::gpu::hides_its_result<Op> &&
             detail::gpu::segment_scannable<In, Out, scan_accumulator<In, Op>, Op>)
Out inclusive_scan(cuda& gpu, In first, axis_extents extents, Out out, Op op = {}) {
    using T = scan_accumulator<In, Op>;
    return detail::gpu::scan_rows<false, T>(gpu, first, extents, out,
                                            detail::gpu::no_initial_value<T>{}, op);
}

/// Inclusive scan of each row with a value before its first item, on the host or a device_value.
template <std::random_access_iterator In, class Out, class Op, class Init,
          class T = typename detail::gpu::init_type<Init>::type>
    requires detail::gpu::segment_scannable<In, Out, T, Op> Out inclusive_scan(cuda& gpu, In first,
                                                                               axis_extents extents,
                                                                               Out out, Op op,
                                                                               Init init) {
        return detail::gpu::scan_rows<false, T>(gpu, first, extents, out,
                                                detail::gpu::init_type<Init>::make(init), op);
    }

/// Exclusive scan of each row, from a value on the host or a device_value.
template <std::random_access_iterator In, class Out, class Init, class Op = plus<>,
          class T = typename detail::gpu::init_type<Init>::type>
    requires detail::gpu::segment_scannable<In, Out, T, Op> Out exclusive_scan(cuda& gpu, In first,
                                                                               axis_extents extents,
                                                                               Out out, Init init,
                                                                               Op op = {}) {
        return detail::gpu::scan_rows<true, T>(gpu, first, extents, out,
                                               detail::gpu::init_type<Init>::make(init), op);
    }

}  // namespace lookback
