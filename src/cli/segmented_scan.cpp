#include "segmented_scan.hpp"

#include <algorithm>

#include "whole_array.hpp"

namespace lookback::cli {

void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    std::uint8_t* heads, array_output& out) {
    with_type(accumulator, [&]<class T>(std::type_identity<T>) {
        const whole_input<T> all(in);
        const std::size_t items = all.items();
        const auto results = room_for<T>(items);
        T* const to = results.get();
        const T* from = all.data();
        if (plan.is_backward && items > 0) {
            std::reverse_copy(from, from + items, to);
            from = to;
            // An item begins a segment, seen from the end, if the next one did.
            std::reverse(heads + 1, heads + items);
        }
        kernels_of<T>(plan.op).scan_segments(from, items, heads, to, seed_of<T>(plan),
                                             plan.is_exclusive, plan.threads);
        if (plan.is_backward) std::reverse(to, to + items);
        write_whole<T>(out, {{to, items}});
    });
}

}  // namespace lookback::cli
