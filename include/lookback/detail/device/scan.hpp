/// \file
/// Scans on a GPU: from the public function to a launch.
#pragma once

#include <iterator>
#include <type_traits>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/gpu.hpp"
#include "lookback/scan.hpp"

namespace lookback::detail {

template <>
struct scans_on<gpu> {
    template <bool exclusive, class A, class In, class Out, class Init, class Op>
    static void run(gpu& where, const In& first, const item_count& count, const Out& out,
                    const Init& init, const Op& op) {
        using namespace device;
        static_assert(device_accumulator<A>,
                      "accumulators on the GPU are trivially copyable and default-constructible, "
                      "and have at most 64 bytes");
        auto from = walk<In>::start(first);
        auto to = walk<Out>::start(out);
        constexpr int step = walk<In>::step;
        static_assert(step == walk<Out>::step, "scan both forward, or both by reverse iterators");
        using problem_type =
            device::scan_problem<exclusive, decltype(from), decltype(to), A, Op, step>;
        bool in_place = true;  // it is not known what an iterator reads
        bool aligned = false;
        if constexpr (std::is_pointer_v<decltype(from)> && std::is_pointer_v<decltype(to)>) {
            in_place = static_cast<const void*>(from) == static_cast<const void*>(to);
            aligned = problem_type::can_be_aligned && on_vector_boundary(from, step) &&
                      on_vector_boundary(to, step);
        }
        launch_scan(where,
                    problem_type{from, to, op, begin_with<A>(init), count, in_place, aligned});
    }
};

}  // namespace lookback::detail
