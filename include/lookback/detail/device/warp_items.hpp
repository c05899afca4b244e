/// \file
/// A warp's share of a tile, in registers: rows of 32 vectors of 16 bytes, one a lane, as the light
/// driver reads, scans and writes them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

template <class A>
inline constexpr int vector_items =
    sizeof(A) < 16 && 16 % sizeof(A) == 0 ? static_cast<int>(16 / sizeof(A)) : 1;

/// A warp's share of a tile, in registers.
template <class Problem, int rows>
class warp_items {
    using A = typename Problem::value_type;
    static constexpr int width = vector_items<A>;
    static constexpr int row_items = warp_lanes * width;
    static constexpr bool backward = Problem::step < 0;

 public:
    static constexpr int items = rows * row_items;

    /// Reads the items from `first` on, of which `left` are left (perhaps none, perhaps more than
    /// its share), scans them in place, row by row; returns their fold.
    __device__ maybe<A> load_and_scan(const Problem& problem, std::uint64_t first, int left) {
        if (left >= items) {
            load_rows<true>(problem, first, items);
            return scan_rows<true>(problem, items);
        }
        load_rows<false>(problem, first, left);
        return scan_rows<false>(problem, left);
    }
    /// The same in two steps.
    __device__ void load(const Problem& problem, std::uint64_t first, int left) {
        left >= items ? load_rows<true>(problem, first, items)
                      : load_rows<false>(problem, first, left);
    }
    __device__ maybe<A> scan(const Problem& problem, int left) {
        return left >= items ? scan_rows<true>(problem, items) : scan_rows<false>(problem, left);
    }

    /// Writes the results of the same items, given the fold of everything before them.
    __device__ void emit(const Problem& problem, std::uint64_t first, int left,
                         const maybe<A>& prefix) {
        left >= items ? emit_rows<true>(problem, first, items, prefix)
                      : emit_rows<false>(problem, first, left, prefix);
    }

 private:
    // `full`: as many items as there is room for, and nothing to look out for.
    template <bool full>
    __device__ void load_rows(const Problem& problem, std::uint64_t first, int left) {
#pragma unroll
        for (int r = 0; r < rows; ++r) load_vector<full>(problem, r, first, left);
    }
    template <bool full>
    __device__ maybe<A> scan_rows(const Problem& problem, int left) {
        A inclusive[rows];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const int mine = left_at_vector<full>(r, left);
            A running = item_[r][0];
#pragma unroll
            for (int i = 1; i < width; ++i) {
                if (i < mine) {
                    running = static_cast<A>(problem.op(running, item_[r][i]));
                    item_[r][i] = running;
                }
            }
            inclusive[r] = scan_lanes(running, lanes_in_row<full>(r, left), problem.op);
        }
        maybe<A> fold{{}, false};
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const int lanes = lanes_in_row<full>(r, left);
            const bool below = lane() > 0 && left_at_vector<full>(r, left) > 0;
            before_[r] = combine(fold, {from_lane_below(inclusive[r], 1), below}, problem.op);
            if (full || left > r * row_items) {
                fold = combine(fold, {from_lane(inclusive[r], lanes - 1), true}, problem.op);
            }
        }
        return fold;
    }

    template <bool full>
    __device__ void emit_rows(const Problem& problem, std::uint64_t first, int left,
                              const maybe<A>& prefix) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const maybe<A> before = combine(prefix, before_[r], problem.op);
            const int mine = left_at_vector<full>(r, left);
            A result[width];
#pragma unroll
            for (int i = 0; i < width; ++i) {
                if (i < mine) {
                    if constexpr (Problem::is_exclusive) {
                        result[i] = i == 0
                                        ? before.value
                                        : static_cast<A>(problem.op(before.value, item_[r][i - 1]));
                    } else {
                        result[i] = before.some
                                        ? static_cast<A>(problem.op(before.value, item_[r][i]))
                                        : item_[r][i];
                    }
                }
            }
            store_vector<full>(problem, r, first, left, result);
        }
    }

    __device__ static int offset_in_warp(int r) { return r * row_items + lane() * width; }
    template <bool full>
    __device__ static int lanes_in_row(int r, int left) {
        return full ? warp_lanes : lanes_in_use(left - r * row_items, width);
    }
    template <bool full>
    __device__ static int left_at_vector(int r, int left) {
        return full ? width : left - offset_in_warp(r);
    }

    template <bool full>
    __device__ void load_vector(const Problem& problem, int r, std::uint64_t first, int left) {
        const std::uint64_t at = first + static_cast<std::uint64_t>(offset_in_warp(r));
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            if (problem.aligned && mine >= width) {
                using In = std::remove_cvref_t<decltype(*problem.in)>;
                const auto vector =
                    load_vector16<In>(backward ? problem.in - (at + width - 1) : problem.in + at);
#pragma unroll
                for (int i = 0; i < width; ++i) {
                    item_[r][i] = static_cast<A>(vector.item[backward ? width - 1 - i : i]);
                }
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) item_[r][i] = problem.load(at + static_cast<std::uint64_t>(i));
        }
    }

    template <bool full>
    __device__ void store_vector(const Problem& problem, int r, std::uint64_t first, int left,
                                 const A (&result)[width]) const {
        const std::uint64_t at = first + static_cast<std::uint64_t>(offset_in_warp(r));
        const int mine = left_at_vector<full>(r, left);
        if constexpr (Problem::can_be_aligned) {
            if (problem.aligned && mine >= width) {
                using Out = std::remove_cvref_t<decltype(*problem.out)>;
                vector16<Out> vector;
#pragma unroll
                for (int i = 0; i < width; ++i) {
                    vector.item[backward ? width - 1 - i : i] = static_cast<Out>(result[i]);
                }
                store_vector16(backward ? problem.out - (at + width - 1) : problem.out + at,
                               vector);
                return;
            }
        }
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (i < mine) problem.store(at + static_cast<std::uint64_t>(i), result[i]);
        }
    }

    A item_[rows][width];
    maybe<A> before_[rows];  // the fold of the warp's items before this lane's in the row
};

}  // namespace lookback::detail::device
