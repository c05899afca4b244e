/// \file
/// The scan of contiguous numbers with a built-in operator as a problem: the SIMD kernels do a
/// tile. It does not depend on the operator, so there is one for each type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

template <class T, class In = T>
class simd_scan_problem {
 public:
    using value_type = T;
    using tile_memory = no_tile_memory;

    explicit simd_scan_problem(const simd_scan<T, In>& scan)
        : scan_(scan),
          tile_items_(fitting_tile(scan)),
          in_place_(static_cast<const void*>(scan.in) == scan.out),
          stream_(!in_place_ && scan.items > tile_items_ &&
                  scan.items * (sizeof(In) + sizeof(T)) > streaming_threshold()) {}

    std::size_t items() const { return scan_.items; }
    std::size_t tile_items() const { return tile_items_; }
    std::size_t items_for_a_thread() const { return 2 * scan_tile_items<T>; }
    const std::optional<T>& init() const { return scan_.init; }
    bool keeps_input() const { return !in_place_; }

    T combine(T a, T b) const { return scan_.kernel.combine(a, b); }

    T reduce(tile_range tile, tile_memory&) const {
        return scan_.kernel.reduce(at(scan_.in, tile.first), tile.items);
    }

    emitted<T> emit(tile_range tile, const std::optional<T>& prefix, tile_memory&,
                    std::optional<tile_range> next, tile_memory&) const {
        const simd_result<T> result = scan_.kernel.scan({
            .in = at(scan_.in, tile.first),
            .out = at(scan_.out, tile.first),
            .items = tile.items,
            .prefix = prefix ? &*prefix : nullptr,
            .next = next ? at(scan_.in, next->first) : nullptr,
            .next_items = next ? next->items : 0,
            .exclusive = scan_.exclusive,
            .stream = stream_,
        });
        emitted<T> done{result.inclusive_prefix, std::nullopt};
        if (next) done.next_aggregate = result.next_aggregate;
        return done;
    }

 private:
    static_assert(scan_tile_items<T> * sizeof(T) == 2 * half_tile_bytes);

    // Where tiles may be of any size, and there are few, more and smaller ones: so that no thread
    // is left without work at the end.
    static std::size_t fitting_tile(const simd_scan<T, In>& scan) {
        if (!scan.kernel.regroups) return scan_tile_items<T>;
        return std::clamp(scan.items / 8, small_tile_items<T>, scan_tile_items<T>);
    }

    template <class P>
    P* at(P* first, std::size_t i) const {
        return first + scan_.step * static_cast<std::ptrdiff_t>(i);
    }

    const simd_scan<T, In>& scan_;
    std::size_t tile_items_;
    bool in_place_;
    bool stream_;
};

}  // namespace lookback::detail
