/// \file
/// The scan as a problem: any operator, any iterators, one item after the other.
///
/// Within a tile the fold runs item by item from the tile's first: local[i] = op(local[i-1], x[i]),
/// and an output is op(prefix, local). Two applications an item, so that the bits do not depend on
/// whether the prefix was known when the tile was read. An operator that regroups exactly carries
/// the prefix along instead: one application.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "lookback/core/problem.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// Accumulators in a tile of a scan, 256 KiB. The association tree of a scan is built from tiles,
/// so an array that is scanned in pieces of a multiple of this many items, each seeded with the
/// last inclusive output of the piece before it, gives the same bits as one scan of the whole.
template <class Accumulator>
inline constexpr std::size_t scan_tile_items = sizeof(Accumulator) <= 64
                                                   ? (std::size_t{256} << 10) / sizeof(Accumulator)
                                                   : 4096;

namespace detail {

template <bool is_exclusive, class In, class Out, class T, class Op>
class scan_problem {
 public:
    using value_type = T;

    scan_problem(In in, std::size_t items, Out out, std::optional<T> init, const Op& op)
        : in_(std::move(in)),
          items_(items),
          out_(std::move(out)),
          init_(std::move(init)),
          op_(op) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return scan_tile_items<T>; }
    const std::optional<T>& init() const { return init_; }
    bool keeps_input() const { return false; }  // nobody knows what an iterator reads

    T combine(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }

    T reduce(tile_range tile) const {
        T fold = load(tile.first);
        for (std::size_t i = 1; i < tile.items; ++i) fold = combine(fold, load(tile.first + i));
        return fold;
    }

    emitted<T> emit(tile_range tile, const std::optional<T>& prefix,
                    std::optional<tile_range> /*next*/) const {
        if (!prefix) return {emit_first(tile), std::nullopt};
        if constexpr (exactly_associative<Op, T>) {
            return {emit_carrying(tile, *prefix), std::nullopt};
        } else {
            return {emit_combining(tile, *prefix), std::nullopt};
        }
    }

 private:
    T load(std::size_t i) const {
        return static_cast<T>(in_[static_cast<std::iter_difference_t<In>>(i)]);
    }

    void store(std::size_t i, const T& value) const {
        if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<std::iter_value_t<Out>>) {
            out_[static_cast<std::iter_difference_t<Out>>(i)] =
                static_cast<std::iter_value_t<Out>>(value);
        } else {
            out_[static_cast<std::iter_difference_t<Out>>(i)] = value;
        }
    }

    // Nothing comes before: an inclusive scan without an initial value.
    T emit_first(tile_range tile) const {
        T local = load(tile.first);
        store(tile.first, local);
        for (std::size_t i = 1; i < tile.items; ++i) {
            local = combine(local, load(tile.first + i));
            store(tile.first + i, local);
        }
        return local;
    }

    T emit_carrying(tile_range tile, T running) const {
        for (std::size_t i = 0; i < tile.items; ++i) {
            T item = load(tile.first + i);  // before the store, which may be to the same place
            if constexpr (is_exclusive) store(tile.first + i, running);
            running = combine(running, item);
            if constexpr (!is_exclusive) store(tile.first + i, running);
        }
        return running;
    }

    T emit_combining(tile_range tile, const T& prefix) const {
        T local = load(tile.first);
        T running = combine(prefix, local);
        store(tile.first, is_exclusive ? prefix : running);
        for (std::size_t i = 1; i < tile.items; ++i) {
            T item = load(tile.first + i);
            if constexpr (is_exclusive) store(tile.first + i, running);
            local = combine(local, item);
            running = combine(prefix, local);
            if constexpr (!is_exclusive) store(tile.first + i, running);
        }
        return running;
    }

    In in_;
    std::size_t items_;
    Out out_;
    std::optional<T> init_;
    const Op& op_;
};

}  // namespace detail
}  // namespace lookback
