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

#include "lookback/core/items.hpp"
#include "lookback/core/problem.hpp"
#include "lookback/core/tile_status.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// The association tree of a scan is built from tiles of at most this many accumulators, 256 KiB,
/// or a fraction of it: an array that is scanned in pieces of a multiple of this many items, each
/// seeded with the last inclusive output of the piece before it, gives the same bits as one scan of
/// the whole.
template <class Accumulator>
inline constexpr std::size_t scan_tile_items =
    4 * (sizeof(Accumulator) <= 64 ? (std::size_t{64} << 10) / sizeof(Accumulator) : 1024);

namespace detail {

// The smallest tile: a thousand times its status word, where that is one cache line.
template <class T>
inline constexpr std::size_t small_tile_items = sizeof(tile_status<T>) <= 64
                                                    ? scan_tile_items<T> / 4
                                                    : scan_tile_items<T>;

/// Operators whose exclusive outputs are not all folds of what came before: `before(fold, item)`
/// says what is put out in front of an item.
template <class Op>
inline constexpr bool begins_anew = false;

template <bool is_exclusive, class In, class Out, class T, class Op>
class scan_problem {
 public:
    using value_type = T;
    using tile_memory = no_tile_memory;

    scan_problem(In in, std::size_t items, Out out, std::optional<T> init, const Op& op)
        : in_(std::move(in)),
          items_(items),
          out_(std::move(out)),
          init_(std::move(init)),
          op_(op) {}

    std::size_t items() const { return items_; }
    std::size_t tile_items() const { return small_tile_items<T>; }
    std::size_t items_for_a_thread() const { return 2 * small_tile_items<T>; }
    const std::optional<T>& init() const { return init_; }
    bool keeps_input() const { return false; }  // nobody knows what an iterator reads

    T combine(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }

    T reduce(tile_range tile, tile_memory&) const {
        if constexpr (exactly_associative<Op, T>) {
            if (tile.items >= 8) return reduce_quarters(tile);
        }
        auto in = in_order(in_, tile.first);
        T fold = load(in, tile.first);
        for (std::size_t i = 1; i < tile.items; ++i) fold = combine(fold, load(in, tile.first + i));
        return fold;
    }

    emitted<T> emit(tile_range tile, const std::optional<T>& prefix, tile_memory&,
                    std::optional<tile_range> /*next*/, tile_memory&) const {
        if (!prefix) return {emit_first(tile), std::nullopt};
        if constexpr (exactly_associative<Op, T>) {
            return {emit_carrying(tile, *prefix), std::nullopt};
        } else {
            return {emit_combining(tile, *prefix), std::nullopt};
        }
    }

 private:
    template <class Reader>
    T load(Reader& in, std::size_t i) const {
        return static_cast<T>(in(i));
    }
    void store(std::size_t i, const T& value) const { put(out_, i, value); }

    // What an exclusive output holds: the fold before the item, or what the operator begins anew
    // with there.
    decltype(auto) before(const T& running, [[maybe_unused]] const T& item) const {
        if constexpr (begins_anew<Op>) {
            return op_.before(running, item);
        } else {
            return (running);
        }
    }

    // Four folds side by side: none waits for another.
    T reduce_quarters(tile_range tile) const {
        const std::size_t n = tile.items / 4;
        const std::size_t second = tile.first + n, third = second + n, fourth = third + n;
        auto in_a = in_order(in_, tile.first), in_b = in_order(in_, second);
        auto in_c = in_order(in_, third), in_d = in_order(in_, fourth);
        T a = load(in_a, tile.first), b = load(in_b, second);
        T c = load(in_c, third), d = load(in_d, fourth);
        for (std::size_t i = 1; i < n; ++i) {
            a = combine(a, load(in_a, tile.first + i));
            b = combine(b, load(in_b, second + i));
            c = combine(c, load(in_c, third + i));
            d = combine(d, load(in_d, fourth + i));
        }
        for (std::size_t i = 4 * n; i < tile.items; ++i) d = combine(d, load(in_d, tile.first + i));
        return combine(combine(a, b), combine(c, d));
    }

    // Nothing comes before: an inclusive scan without an initial value.
    T emit_first(tile_range tile) const {
        auto in = in_order(in_, tile.first);
        T local = load(in, tile.first);
        store(tile.first, local);
        for (std::size_t i = 1; i < tile.items; ++i) {
            local = combine(local, load(in, tile.first + i));
            store(tile.first + i, local);
        }
        return local;
    }

    T emit_carrying(tile_range tile, T running) const {
        auto in = in_order(in_, tile.first);
        for (std::size_t i = 0; i < tile.items; ++i) {
            T item = load(in, tile.first + i);  // before the store, which may be to the same place
            if constexpr (is_exclusive) store(tile.first + i, before(running, item));
            running = combine(running, item);
            if constexpr (!is_exclusive) store(tile.first + i, running);
        }
        return running;
    }

    T emit_combining(tile_range tile, const T& prefix) const {
        auto in = in_order(in_, tile.first);
        T local = load(in, tile.first);
        T running = combine(prefix, local);
        if constexpr (is_exclusive) {
            store(tile.first, before(prefix, local));
        } else {
            store(tile.first, running);
        }
        for (std::size_t i = 1; i < tile.items; ++i) {
            T item = load(in, tile.first + i);
            if constexpr (is_exclusive) store(tile.first + i, before(running, item));
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
