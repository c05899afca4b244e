/// \file
/// The scan of contiguous numbers with a built-in operator as a problem: the SIMD kernels do a
/// tile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

template <bool is_exclusive, class T, class Op>
class simd_scan_problem {
    static constexpr simd_op op = simd_op_of<Op, T>;
    using K = simd_type<op, T>;  // same bits, and a kernel

 public:
    using value_type = T;
    using tile_memory = no_tile_memory;

    /// `in` and `out` point to the first item in the order of the scan; step is 1 or -1.
    simd_scan_problem(const T* in, std::size_t items, T* out, std::ptrdiff_t step,
                      std::optional<T> init)
        : kernel_(simd_kernel_of<op, K>(step < 0)),
          in_(reinterpret_cast<const K*>(in)),
          items_(items),
          tile_items_(fitting_tile(items)),
          out_(reinterpret_cast<K*>(out)),
          step_(step),
          init_(init),
          in_place_(in == out),
          stream_(!in_place_ && items > tile_items_ &&
                  2 * items * sizeof(T) > streaming_threshold()) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return tile_items_; }
    std::size_t items_for_a_thread() const { return 2 * scan_tile_items<T>; }
    const std::optional<T>& init() const { return init_; }
    bool keeps_input() const { return !in_place_; }

    T combine(T a, T b) const { return Op{}(a, b); }

    T reduce(tile_range tile, tile_memory&) const {
        return static_cast<T>(kernel_.reduce(at(in_, tile.first), tile.items));
    }

    emitted<T> emit(tile_range tile, const std::optional<T>& prefix, tile_memory&,
                    std::optional<tile_range> next, tile_memory&) const {
        const K before = prefix ? static_cast<K>(*prefix) : K{};
        const simd_result<K> result = kernel_.scan({
            .in = at(in_, tile.first),
            .out = at(out_, tile.first),
            .items = tile.items,
            .prefix = prefix ? &before : nullptr,
            .next = next ? at(in_, next->first) : nullptr,
            .next_items = next ? next->items : 0,
            .exclusive = is_exclusive,
            .stream = stream_,
        });
        emitted<T> done{static_cast<T>(result.inclusive_prefix), std::nullopt};
        if (next) done.next_aggregate = static_cast<T>(result.next_aggregate);
        return done;
    }

 private:
    static_assert(scan_tile_items<T> * sizeof(T) == 2 * half_tile_bytes);

    // Where tiles may be of any size, and there are few, more and smaller ones: so that no thread
    // is left without work at the end.
    static std::size_t fitting_tile(std::size_t items) {
        if constexpr (exactly_associative<Op, T>) {
            return std::clamp(items / 8, small_tile_items<T>, scan_tile_items<T>);
        } else {
            return scan_tile_items<T>;
        }
    }

    template <class P>
    P* at(P* first, std::size_t i) const {
        return first + step_ * static_cast<std::ptrdiff_t>(i);
    }

    const simd_kernel<K>& kernel_;
    const K* in_;
    std::size_t items_;
    std::size_t tile_items_;
    K* out_;
    std::ptrdiff_t step_;
    std::optional<T> init_;
    bool in_place_;
    bool stream_;
};

}  // namespace lookback::detail
