/// \file
/// Sorts what lies in a core's own cache: stable, on one thread.
///
/// Digit by digit, from the lowest to the highest (LSD), each pass straight from one array to the
/// other: in the cache that costs half of what lines for each digit do (radix_split.hpp). Bits that
/// are the same in all keys are left out. Of n random keys, some log2(n) + 4 of the highest bits
/// tell nearly all apart, so only those are sorted, and an insertion sort puts the rest right; keys
/// on which that takes long are sorted by all of their bits then. A handful of keys is sorted by
/// insertion alone. Insertion never moves a key past an equal one, so each of these is stable, and
/// one after another, too.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"

namespace lookback::detail {

inline constexpr int most_digit_bits = 11;

/// Keys and loads that are sorted in a core's own cache have so many bytes at most; there are two
/// copies, three with the results.
inline constexpr std::size_t finish_bytes = std::size_t{256} << 10;
template <class Key, class Load>
inline constexpr std::size_t finish_items = finish_bytes / sorted_bytes<Key, Load>;

template <class Key, class Load>
class radix_finish {
    using arrays = sort_arrays<Key, Load>;
    using word = key_word<Key>;
    using counts = std::array<std::uint32_t, std::size_t{1} << most_digit_bits>;

 public:
    /// With room for `items` items, at most finish_items. With `stream`, results are written around
    /// the caches: the last pass, to places far apart, would wait for each of them. Keys are left
    /// out then, if they are not wanted.
    radix_finish(const key_order<Key>& order, std::size_t items, bool stream, bool keys_too)
        : order_(order),
          keys_(items),
          last_keys_(stream ? items : 0),
          loads_(items),
          last_loads_(stream ? items : 0),
          stream_(stream),
          keys_too_(keys_too) {}

    /// Sorts `items` items to `to`, which may be where they are read.
    template <class Source>
    void sort(const Source& from, const arrays& to, std::size_t items) {
        if (items <= few) {
            copy(from, to, items);
            if (items > 1) insert(to, items, few * few);
            return;
        }
        const key_survey<Key> seen = look(from, items);
        if (seen.sorted) return copy(from, to, items);
        if (!stream_) return sort_by_digits(from, to, items, seen);
        const arrays last{last_keys_.data(), last_loads_.data()};
        sort_by_digits(from, last, items, seen);
        const simd_compaction& kernels = simd_compaction_kernels();
        if (keys_too_) kernels.stream(last.keys, to.keys, items * sizeof(Key));
        if constexpr (!std::same_as<Load, no_array>) {
            kernels.stream(last.loads, to.loads, items * sizeof(Load));
        }
    }

    /// Behind the last of them.
    void flush() const { simd_compaction_kernels().flush(); }

 private:
    template <class Source>
    void sort_by_digits(const Source& from, const arrays& to, std::size_t items,
                        const key_survey<Key>& seen) {
        const int top = bits_of(seen.varying), all = top - lowest_bit(seen.varying);
        const int telling = static_cast<int>(std::bit_width(items)) + 4;
        if (telling < all) {
            const plan partly = plan_for(items, telling);
            if (partly.cost + items / 2 < plan_for(items, all).cost) {
                run_passes(from, to, items, top, std::min(all, partly.passes * partly.width),
                           partly);
                if (insert(to, items, most_moves * items)) return;
                return run_passes(to, to, items, top, all, plan_for(items, all));
            }
        }
        run_passes(from, to, items, top, all, plan_for(items, all));
    }

    static constexpr std::size_t few = 32;
    static constexpr std::size_t most_moves = 4;  // for each item

    // As many passes by digits as wide: `cost` is in nanoseconds, some 1 for an item and pass, and
    // half of one for each value of a digit, as measured on Zen 5.
    struct plan {
        int passes, width;
        std::size_t cost;
    };
    static plan plan_for(std::size_t items, int bits) {
        plan best{0, 0, ~std::size_t{0}};
        for (int passes = (bits + most_digit_bits - 1) / most_digit_bits; passes <= bits;
             ++passes) {
            const int width = (bits + passes - 1) / passes;
            const std::size_t cost =
                static_cast<std::size_t>(passes) * (items + (std::size_t{1} << width) / 2);
            if (cost >= best.cost) break;
            best = {passes, width, cost};
        }
        return best;
    }

    template <class Source>
    key_survey<Key> look(const Source& from, std::size_t items) const {
        key_survey<Key> seen;
        const word first = order_(from.key(0));
        for (std::size_t i = 0; i < items; i += key_survey<Key>::block) {
            // A block begins with the last key of the one before.
            seen.look(from, order_, first, i == 0 ? 0 : i - 1,
                      std::min(items, i + key_survey<Key>::block));
            if (!seen.sorted && seen.varying == order_.mask()) break;
        }
        return seen;
    }

    template <class Source>
    static void copy(const Source& from, const arrays& to, std::size_t items) {
        for (std::size_t i = 0; i < items; ++i) to.put(i, from.key(i), from.load(i));
    }

    // Sorts by the `bits` bits below `top`, in as many passes as planned: by turns to the own
    // arrays and to `to`, which is the last.
    template <class Source>
    void run_passes(const Source& from, const arrays& to, std::size_t items, int top, int bits,
                    const plan& planned) {
        const arrays own{keys_.data(), loads_.data()};
        const auto digit = [&](int pass) {
            const int first = top - bits + pass * planned.width;
            return word_digit{first, std::min(planned.width, top - first)};
        };
        auto* now = &counts_;
        auto* next = &counts_of_next_;
        count(from, items, digit(0), *now);
        // The first pass writes where the last one does: not where it reads.
        bool to_own = planned.passes % 2 == 0;
        if (!to_own && may_be(from, to)) {
            copy(from, own, items);
            pass(own, to, items, digit(0), *now, digit(1), planned.passes > 1 ? next : nullptr);
        } else {
            pass(from, to_own ? own : to, items, digit(0), *now, digit(1),
                 planned.passes > 1 ? next : nullptr);
        }
        for (int k = 1; k < planned.passes; ++k) {
            std::swap(now, next);
            pass(to_own ? own : to, to_own ? to : own, items, digit(k), *now, digit(k + 1),
                 k + 1 < planned.passes ? next : nullptr);
            to_own = !to_own;
        }
    }

    template <class Source>
    static bool may_be(const Source& from, const arrays& to) {
        if constexpr (std::same_as<Source, arrays>) {
            return from == to;
        } else {
            return true;  // the caller's iterators
        }
    }

    template <class Source>
    void count(const Source& from, std::size_t items, word_digit digit, counts& of) const {
        const key_order<Key> order = order_;
        std::fill_n(of.begin(), digit.values(), 0U);
        for (std::size_t i = 0; i < items; ++i) ++of[order.digit(from.key(i), digit)];
    }

    // Counts the next pass's digits on the way, where there is one.
    template <class Source>
    void pass(const Source& from, const arrays& to, std::size_t items, word_digit digit,
              counts& places, word_digit next_digit, counts* next) const {
        const key_order<Key> order = order_;
        std::uint32_t before = 0;
        for (std::size_t value = 0; value < digit.values(); ++value) {
            const std::uint32_t these = places[value];
            places[value] = before;
            before += these;
        }
        if (next == nullptr) {
            for (std::size_t i = 0; i < items; ++i) {
                const Key key = from.key(i);
                to.put(places[order.digit(key, digit)]++, key, from.load(i));
            }
        } else {
            std::fill_n(next->begin(), next_digit.values(), 0U);
            for (std::size_t i = 0; i < items; ++i) {
                const Key key = from.key(i);
                ++(*next)[order.digit(key, next_digit)];
                to.put(places[order.digit(key, digit)]++, key, from.load(i));
            }
        }
    }

    // Sorts by insertion; whether it was done with so many moves.
    bool insert(const arrays& in, std::size_t items, std::size_t moves) const {
        const key_order<Key> order = order_;
        word before = order(in.key(0));
        for (std::size_t i = 1; i < items; ++i) {
            const Key key = in.key(i);
            const word here = order(key);
            if (here >= before) [[likely]] {
                before = here;
                continue;
            }
            const Load load = in.load(i);
            std::size_t at = i;
            for (; at > 0 && here < order(in.key(at - 1)); --at) {
                in.put(at, in.key(at - 1), in.load(at - 1));
            }
            in.put(at, key, load);
            if (i - at > moves) return false;
            moves -= i - at;
        }
        return true;
    }

    const key_order<Key> order_;
    scratch_array<Key> keys_, last_keys_;
    scratch_array<Load> loads_, last_loads_;
    const bool stream_, keys_too_;
    counts counts_, counts_of_next_;
};

}  // namespace lookback::detail
