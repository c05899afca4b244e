/// \file
/// The scan as a problem, for any operator and any iterators, one item after another.
///
/// Within a tile the fold runs item by item from the tile's first item, local[i] = op(local[i-1],
/// x[i]), and an output is op(prefix, local). These are two applications for each item, so that the
/// bits do not depend on whether the prefix was known when the tile was read. An operator that
/// regroups exactly carries the prefix along instead, with one application. Reducing a tile takes
/// one more, which for small values is made beside the emission of the tile before.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "lookback/cpu.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/tile_status.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail {

// The size of the smallest tiles: a thousand times that of a status word, if that is one cache
// line.
template <class T>
inline constexpr std::size_t small_tile_items =
    sizeof(tile_status<T>) <= 64 ? scan_tile_items<T> / 4 : scan_tile_items<T>;

template <class Loop>
[[gnu::noinline]] auto call_apart(const Loop& loop) {
    return loop();
}
// Calls loop(), a loop over the items of a tile. Loops that carry few bytes are functions of their
// own: the values that they carry live on across calls of the driver, so GCC would keep them in
// memory, and each item would wait for the store of the one before. (Integers can stay in registers
// that calls preserve.)
template <class T, class Loop>
T run_loop(const Loop& loop) {
    if constexpr (sizeof(T) <= 16 && !std::is_integral_v<T>) {
        return detail::call_apart(loop);
    } else {
        return loop();
    }
}

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
    bool keeps_input() const { return false; }  // an iterator may read what is written

    T combine(const T& a, const T& b) const { return static_cast<T>(op_(a, b)); }

    T reduce(tile_range tile, tile_memory&) const {
        if constexpr (exactly_associative<Op, T>) {
            if (tile.items >= 8) return reduce_quarters(tile);
        }
        T fold = load(tile.first);
        for (std::size_t i = 1; i < tile.items; ++i) fold = combine(fold, load(tile.first + i));
        return fold;
    }

    emitted<T> emit(tile_range tile, const std::optional<T>& prefix, tile_memory&,
                    std::optional<tile_range> next, tile_memory&) const {
        // The next tile is folded meanwhile. (Registers would not hold all that the loop carries if
        // values had more than two members. A tile right behind this one needs no fold: this
        // worker is about to know its prefix.)
        if constexpr (sizeof(T) <= 16 && sizeof(T) <= 2 * alignof(T)) {
            if (next && next->items == tile.items && next->first != tile.first + tile.items) {
                std::optional<T> aggregate;
                T inclusive = emit_beside(tile, prefix, ahead_fold(*this, next->first, aggregate));
                return {std::move(inclusive), std::move(aggregate)};
            }
        }
        return {emit_beside(tile, prefix, no_fold{}), std::nullopt};
    }

 private:
    T load(std::size_t i) const { return static_cast<T>(detail::item(in_, i)); }
    void store(std::size_t i, const T& value) const { detail::put(out_, i, value); }

    // Four folds side by side, so that none waits for another.
    T reduce_quarters(tile_range tile) const {
        const std::size_t n = tile.items / 4;
        const std::size_t second = tile.first + n, third = second + n, fourth = third + n;
        T a = load(tile.first), b = load(second);
        T c = load(third), d = load(fourth);
        for (std::size_t i = 1; i < n; ++i) {
            a = combine(a, load(tile.first + i));
            b = combine(b, load(second + i));
            c = combine(c, load(third + i));
            d = combine(d, load(fourth + i));
        }
        for (std::size_t i = 4 * n; i < tile.items; ++i) d = combine(d, load(tile.first + i));
        return combine(combine(a, b), combine(c, d));
    }

    // The fold of another tile, beside a loop over the items of this one: an operator waits for its
    // last result, and the two do not wait for each other.
    class ahead_fold {
     public:
        ahead_fold(const scan_problem& problem, std::size_t first, std::optional<T>& to)
            : problem_(problem), first_(first), to_(to), fold_(problem.load(first)) {}
        void add(std::size_t i) { fold_ = problem_.combine(fold_, problem_.load(first_ + i)); }
        void finish() { to_.emplace(std::move(fold_)); }

     private:
        const scan_problem& problem_;
        std::size_t first_;
        std::optional<T>& to_;
        T fold_;
    };
    struct no_fold {
        void add(std::size_t /*i*/) {}
        void finish() {}
    };

    template <class Ahead>
    T emit_beside(tile_range tile, const std::optional<T>& prefix, const Ahead& ahead) const {
        if (!prefix) return detail::run_loop<T>([&] { return emit_first(tile, ahead); });
        if constexpr (exactly_associative<Op, T>) {
            return detail::run_loop<T>([&] { return emit_carrying(tile, *prefix, ahead); });
        } else {
            return detail::run_loop<T>([&] { return emit_combining(tile, *prefix, ahead); });
        }
    }

    // Nothing comes before the tile: an inclusive scan without an initial value.
    template <class Ahead>
    T emit_first(tile_range tile, Ahead ahead) const {
        T local = load(tile.first);
        store(tile.first, local);
        for (std::size_t i = 1; i < tile.items; ++i) {
            ahead.add(i);
            local = combine(local, load(tile.first + i));
            store(tile.first + i, local);
        }
        ahead.finish();
        return local;
    }

    template <class Ahead>
    T emit_carrying(tile_range tile, T running, Ahead ahead) const {
        for (std::size_t i = 0; i < tile.items; ++i) {
            if (i > 0) ahead.add(i);
            T item = load(tile.first + i);  // before the store, which may be to the same place
            if constexpr (is_exclusive) store(tile.first + i, running);
            running = combine(running, item);
            if constexpr (!is_exclusive) store(tile.first + i, running);
        }
        ahead.finish();
        return running;
    }

    template <class Ahead>
    T emit_combining(tile_range tile, T prefix, Ahead ahead) const {
        T local = load(tile.first);
        T running = combine(prefix, local);
        if constexpr (is_exclusive) {
            store(tile.first, prefix);
        } else {
            store(tile.first, running);
        }
        for (std::size_t i = 1; i < tile.items; ++i) {
            ahead.add(i);
            T item = load(tile.first + i);
            if constexpr (is_exclusive) store(tile.first + i, running);
            local = combine(local, item);
            running = combine(prefix, local);
            if constexpr (!is_exclusive) store(tile.first + i, running);
        }
        ahead.finish();
        return running;
    }

    In in_;
    std::size_t items_;
    Out out_;
    std::optional<T> init_;
    const Op& op_;
};

}  // namespace lookback::detail
