/// \file
/// Sorts what fits in a core's caches, stably, on one thread.
///
/// It sorts digit by digit, from the lowest to the highest (LSD). Each pass goes straight from one
/// array to the other. Bits that are the same in all words are skipped. Of n random words,
/// about log2(n) + 4 of the highest varying bits tell nearly all words apart. Words that crowd
/// together, such as floats by their exponents, need more bits; how many more is estimated from a
/// few words. Only these bits are sorted by digits, and an insertion sort completes the order. If
/// the insertion sort takes too long, the words are sorted by all of their bits. A handful of words
/// is sorted by insertion alone. Insertion never moves a word past an equal one, so each of these
/// steps is stable, and so is their sequence.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "lookback/detail/cpu/key_stream.hpp"
#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/scratch.hpp"

namespace lookback::detail {

inline constexpr int most_digit_bits = 11;

/// The most items that are sorted in a core's own cache, which then holds two copies, or three with
/// the results.
template <class Word, class Load>
inline constexpr std::size_t finish_items = (std::size_t{320} << 10) / sorted_bytes<Word, Load>;

/// The most items of a bucket that is not split again. Sorting it in a core's own cache and its
/// share of the last one is faster than splitting it.
template <class Word, class Load>
inline constexpr std::size_t bucket_items = (std::size_t{5} << 19) / sorted_bytes<Word, Load>;

template <class Word, class Load>
class radix_finish {
    using arrays = sort_arrays<Word, Load>;
    using counts = std::array<std::uint32_t, std::size_t{1} << most_digit_bits>;

 public:
    /// Has room for `items` items. With `stream`, buckets in scratch memory are sorted where they
    /// lie, and the results are written by non-temporal stores: the last pass, which writes to
    /// places far apart, would otherwise wait for memory. In that case keys are not written if the
    /// caller does not want them.
    radix_finish(const word_order<Word>& order, std::size_t items, bool stream)
        : order_(order), room_(items), own_(items > few ? items : 0) {
        if (stream) out_.emplace();
    }

    std::size_t room() const { return room_; }

    /// Sorts `items` items, whose words are the same from bit `top` on, to `to`, as keys. `to` may
    /// be where they are read from.
    template <class Source>
    void sort(const Source& from, const arrays& to, std::size_t items, int top) {
        if constexpr (std::same_as<Source, between_arrays<Word, Load>>) {
            if (out_ && !is(from, to)) {
                sort_words(from, from, items, top);
                return out_->write(order_, from, 0, to, items);
            }
        }
        sort_words(from, to, items, top);
        order_.to_keys(to.words, items);
    }

    /// To be called after the last sort: orders the non-temporal stores.
    void flush() const {
        if (out_) out_->flush();
    }

 private:
    template <class Source, class To>
    void sort_words(const Source& from, const To& to, std::size_t items, int top) {
        if (items <= few) {
            if (!is(from, to)) copy(from, to, items);
            if (items > 1) insert(to, items, few * few);
        } else if (const word_survey<Word> seen = look(from, items, top); !seen.sorted) {
            sort_by_digits(from, to, items, seen);
        } else if (!is(from, to)) {
            copy(from, to, items);
        }
    }

    template <class Source, class To>
    void sort_by_digits(const Source& from, const To& to, std::size_t items,
                        const word_survey<Word>& seen) {
        const int top = bits_of(seen.varying), all = top - lowest_bit(seen.varying);
        const int telling = bits_of(items) + 4 + crowded_bits(from, items, top);
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

    // How many more bits near words have in common than near random words do (floats crowd by their
    // exponents). A few words are taken, and each is compared with the nearest word that is not
    // equal to it, because equal words are not moved.
    template <class Source>
    int crowded_bits(const Source& from, std::size_t items, int top) const {
        constexpr std::size_t taken = 8;
        constexpr int of_random = 26;  // bits that 8 random words together have in common
        std::array<Word, taken> word;
        for (std::size_t i = 0; i < taken; ++i) word[i] = order_(from.word(items / taken * i));
        int common = 0;
        for (const Word one : word) {
            constexpr Word none = static_cast<Word>(~Word{0});
            Word nearest = none;  // minus one, so that a difference of 0 becomes the largest value
            for (const Word other : word) {
                nearest = std::min(nearest, static_cast<Word>((one ^ other) - 1));
            }
            if (nearest != none) common += top - bits_of(static_cast<Word>(nearest + 1));
        }
        return std::max(0, (common - of_random) / static_cast<int>(taken));
    }

    static constexpr std::size_t few = 20;
    static constexpr std::size_t most_moves = 4;  // of the insertion sort, for each item

    // A number of passes by digits of a width. `cost` is in nanoseconds: about 1 for each item and
    // pass, and half of one for each value of a digit, as measured on Zen 5.
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
    word_survey<Word> look(const Source& from, std::size_t items, int top) const {
        const Word may_vary = order_.below(top);
        word_survey<Word> seen;
        const Word first = from.word(0);
        for (std::size_t i = 0; i < items; i += word_survey<Word>::block) {
            // A block begins with the last key of the block before.
            seen.look(from, order_, first, i == 0 ? 0 : i - 1,
                      std::min(items, i + word_survey<Word>::block));
            if (!seen.sorted && seen.varying == may_vary) break;
        }
        return seen;
    }

    // (From here on, arrays are passed by value, so that a compiler can keep their addresses in
    // registers: stores of bytes could change arrays that are passed by reference.)
    template <class Source, class To>
    static void copy(Source from, To to, std::size_t items) {
        for (std::size_t i = 0; i < items; ++i) to.put(i, from.word(i), from.load(i));
    }

    // Sorts by the `bits` bits below `top`, in the planned passes, which write alternately to the
    // own arrays and to `to`. The last pass writes to `to`.
    template <class Source, class To>
    void run_passes(const Source& from, const To& to, std::size_t items, int top, int bits,
                    const plan& planned) {
        const between_arrays<Word, Load> own = own_.get();
        const auto digit = [&](int pass) {
            const int first = top - bits + pass * planned.width;
            return word_digit{first, std::min(planned.width, top - first)};
        };
        auto* now = &counts_;
        auto* next = &counts_of_next_;
        count(from, items, digit(0), *now);
        // The number of passes decides where the first pass writes. It must not write where it
        // reads.
        bool to_own = planned.passes % 2 == 0;
        auto* const then = planned.passes > 1 ? next : nullptr;
        if (to_own) {
            pass(from, own, items, digit(0), *now, digit(1), then);
        } else if (may_be(from, to)) {
            copy(from, own, items);
            pass(own, to, items, digit(0), *now, digit(1), then);
        } else {
            pass(from, to, items, digit(0), *now, digit(1), then);
        }
        for (int k = 1; k < planned.passes; ++k) {
            std::swap(now, next);
            auto* const after = k + 1 < planned.passes ? next : nullptr;
            if (to_own) {
                pass(own, to, items, digit(k), *now, digit(k + 1), after);
            } else {
                pass(to, own, items, digit(k), *now, digit(k + 1), after);
            }
            to_own = !to_own;
        }
    }

    // Whether two arrays are known to be the same, or may be.
    template <class Source, class To>
    static bool is(const Source& from, const To& to) {
        if constexpr (std::same_as<Source, To>) {
            return from == to;
        } else {
            return false;
        }
    }
    template <class Source, class To>
    static bool may_be(const Source& from, const To& to) {
        constexpr bool between_passes =
            std::same_as<Source, arrays> || std::same_as<Source, between_arrays<Word, Load>>;
        return is(from, to) || !between_passes;  // else the caller's iterators
    }

    template <class Source>
    static void count(Source from, std::size_t items, word_digit digit, counts& of) {
        std::fill_n(of.begin(), digit.values(), 0U);
        for (std::size_t i = 0; i < items; ++i) ++of[digit.of(from.word(i))];
    }

    // One pass by `digit`. If `next` is not null, it also counts the digits of the next pass.
    template <class Source, class To>
    static void pass(Source from, To to, std::size_t items, word_digit digit, counts& places,
                     word_digit next_digit, counts* next) {
        std::uint32_t before = 0;
        for (std::size_t value = 0; value < digit.values(); ++value) {
            const std::uint32_t these = places[value];
            places[value] = before;
            before += these;
        }
        if (next == nullptr) {
            for (std::size_t i = 0; i < items; ++i) {
                const Word word = from.word(i);
                to.put(places[digit.of(word)]++, word, from.load(i));
            }
        } else {
            std::fill_n(next->begin(), next_digit.values(), 0U);
            for (std::size_t i = 0; i < items; ++i) {
                const Word word = from.word(i);
                ++(*next)[next_digit.of(word)];
                to.put(places[digit.of(word)]++, word, from.load(i));
            }
        }
    }

    // Sorts by insertion; returns whether it was completed within `moves` moves.
    template <class To>
    bool insert(To in, std::size_t items, std::size_t moves) const {
        const word_order<Word> order = order_;
        Word before = order(in.word(0));
        for (std::size_t i = 1; i < items; ++i) {
            const Word word = in.word(i);
            const Word here = order(word);
            if (here >= before) [[likely]] {
                before = here;
                continue;
            }
            const Load load = in.load(i);
            std::size_t at = i;
            for (; at > 0 && here < order(in.word(at - 1)); --at) {
                in.put(at, in.word(at - 1), in.load(at - 1));
            }
            in.put(at, word, load);
            if (i - at > moves) return false;
            moves -= i - at;
        }
        return true;
    }

    const word_order<Word> order_;
    const std::size_t room_;
    between_memory<Word, Load> own_;
    std::optional<key_stream<Word, Load>> out_;
    counts counts_, counts_of_next_;
};

}  // namespace lookback::detail
