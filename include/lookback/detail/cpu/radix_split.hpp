/// \file
/// Splits words by a digit, in order, by several threads: words with the same digit go to one
/// bucket, and the buckets lie in the order of the digits.
///
/// The keys are divided into shares, and each share is counted by itself. An exclusive scan over
/// the digits, and for each digit over the shares, gives the place of a share's keys of each digit;
/// then each share is written to its places. Arrays larger than the caches are written by lines:
/// each bucket collects its keys in cache lines of its own, which are written by non-temporal
/// stores when they are full ("software write combining"). Keys are read from memory twice and
/// written once.
///
/// Source: Merrill & Grimshaw 2011, section 3, for the scan; Wassenberg & Sanders 2011,
/// "Engineering a Multi-core Radix Sort", for the lines.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

/// Lines of each bucket on their way to an array: 32 items, in up to four cache lines. With fewer
/// items, the branch for full lines, which no core can predict, costs more.
template <class T>
struct bucket_lines {
    static constexpr std::size_t lines = std::clamp<std::size_t>(32 * sizeof(T) / 64, 1, 4);
    static constexpr std::size_t items = lines * 64 / sizeof(T);

    T* out;      ///< written as bytes: its memory may have another type
    T* buffers;  ///< `items` for each bucket
    std::size_t skew = reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T);
    bool whole = reinterpret_cast<std::uintptr_t>(out) % sizeof(T) == 0;
    void (*stream_line)(const void*, void*) = simd_compaction_kernels().stream_line;

    /// Puts an item to out[at], now or later. All items of its bucket from begins[bucket] up to
    /// `at` have been put before.
    void put(std::size_t bucket, std::size_t at, const T& item, const std::size_t* begins) const {
        T* const buffer = buffers + bucket * items;
        const std::size_t skewed = at + skew;  // lines begin `skew` items before `out`
        buffer[skewed % items] = item;
        if (skewed % items != items - 1) [[likely]]
            return;
        if (const std::size_t first = skewed - (items - 1);
            first >= begins[bucket] + skew && whole) {
            for (std::size_t i = 0; i < items; i += items / lines) {
                stream_line(buffer + i, out + (first - skew + i));
            }
        } else {
            write_rest(out, skew, buffer, begins[bucket], at + 1);
        }
    }

    /// Writes the remaining items of a bucket that ends before out[end].
    void put_rest(std::size_t bucket, std::size_t end, const std::size_t* begins) const {
        if (end > begins[bucket]) {
            write_rest(out, skew, buffers + bucket * items, begins[bucket], end);
        }
    }

 private:
    // Takes no reference to this object, so that a compiler can keep its members in registers.
    static void write_rest(T* out, std::size_t skew, const T* buffer, std::size_t begin,
                           std::size_t end) {
        const std::size_t first = (end - 1 + skew) / items * items;
        for (std::size_t i = std::max(first, begin + skew); i < end + skew; ++i) {
            std::memcpy(static_cast<void*>(out + (i - skew)), buffer + i % items, sizeof(T));
        }
    }
};
template <>
struct bucket_lines<no_array> {
    static constexpr std::size_t items = 0;
    no_array* out;
    no_array* buffers;
    void put(std::size_t, std::size_t, no_array, const std::size_t*) const {}
    void put_rest(std::size_t, std::size_t, const std::size_t*) const {}
};

/// A split of items [begin, end), which is done in three steps.
template <class Word, class Load, class Source>
class radix_split {
    using arrays = sort_arrays<Word, Load>;

 public:
    radix_split(const cpu& where, const Source& from, const word_order<Word>& order,
                std::size_t begin, std::size_t end)
        : where_(where), from_(from), order_(order), begin_(begin), end_(end) {
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t items = end - begin;
        const std::size_t shares =
            items / most_share +
            std::clamp<std::size_t>(items / least_share, 1, workers == 1 ? 1 : 4 * workers);
        share_ = (items + shares - 1) / shares;
        shares_ = (items + share_ - 1) / share_;
    }

    /// Step 1: counts the values of a digit, and surveys the words on the way. May be called again
    /// for another digit.
    word_survey<Word> count(word_digit digit) {
        digit_ = digit;
        counts_.assign(shares_ * digit.values(), 0);
        std::vector<word_survey<Word>> seen(shares_);
        for_each_share([&](std::size_t share, std::size_t begin, std::size_t end) {
            seen[share] = count_share(begin, end, counts_.data() + share * digit_.values());
        });
        for (std::size_t i = 1; i < shares_; ++i) seen[0].add(seen[i]);
        return seen[0];
    }

    /// Takes only the `bits` highest bits of the digit, if no bucket has more than `most` items
    /// then. Returns the digit.
    word_digit shorten(int bits, std::size_t most) {
        const int down = digit_.bits - bits;
        if (down <= 0) return digit_;
        const word_digit shorter{digit_.first + down, bits};
        std::vector<std::uint32_t> counts(shares_ * shorter.values());
        for (std::size_t i = 0; i < counts_.size(); ++i) counts[i >> down] += counts_[i];
        for (std::size_t value = 0; value < shorter.values(); ++value) {
            std::size_t items = 0;
            for (std::size_t i = value; i < counts.size(); i += shorter.values())
                items += counts[i];
            if (items > most) return digit_;
        }
        counts_ = std::move(counts);
        return digit_ = shorter;
    }

    /// Step 2: where each bucket begins and, as the last entry, where the last bucket ends.
    std::vector<std::size_t> place() {
        const std::size_t values = digit_.values();
        std::vector<std::size_t> buckets(values + 1);
        places_.resize(shares_ * values);
        std::size_t before = begin_;
        for (std::size_t value = 0; value < values; ++value) {
            buckets[value] = before;
            for (std::size_t share = 0; share < shares_; ++share) {
                places_[share * values + value] = before;
                before += counts_[share * values + value];
            }
        }
        buckets[values] = before;
        return buckets;
    }

    /// Step 3: writes the words and loads to their buckets.
    template <class To>
    void write(const To& to) {
        const bool by_lines =
            (end_ - begin_) * sorted_bytes<Word, Load> > detail::streaming_threshold();
        for_each_share([&](std::size_t share, std::size_t begin, std::size_t end) {
            std::size_t* const places = places_.data() + share * digit_.values();
            if (by_lines) {
                write_lines(to, begin, end, places);
            } else {
                write_items(to, begin, end, places);
            }
        });
    }

 private:
    static constexpr std::size_t least_share = std::size_t{1} << 14;
    static constexpr std::size_t most_share = std::size_t{1} << 31;  // counted in 32 bits

    template <class Body>
    void for_each_share(const Body& body) const {
        detail::for_shares(where_, end_ - begin_, share_, [&](std::size_t begin, std::size_t end) {
            body(begin / share_, begin_ + begin, begin_ + end);
        });
    }

    word_survey<Word> count_share(std::size_t begin, std::size_t end, std::uint32_t* counts) const {
        word_survey<Word> seen;
        const word_digit digit = digit_;
        const Word first = from_.word(begin_);
        // Neighbours are counted in two tables: of two equal neighbours, the second need not wait
        // for the counter of the first.
        std::vector<std::uint32_t> others(digit.values());
        for (std::size_t i = begin; i < end;) {
            const std::size_t block_end = std::min(end, i + word_survey<Word>::block);
            // A block begins with the last key of the block before.
            seen.look(from_, order_, first, i == begin_ ? i : i - 1, block_end);
            for (; i + 1 < block_end; i += 2) {
                ++counts[digit.of(from_.word(i))];
                ++others[digit.of(from_.word(i + 1))];
            }
            if (i < block_end) ++counts[digit.of(from_.word(i++))];
        }
        for (std::size_t value = 0; value < digit.values(); ++value) counts[value] += others[value];
        return seen;
    }

    template <class To>
    void write_items(To to, std::size_t begin, std::size_t end, std::size_t* places) const {
        const Source source = from_;
        const word_digit digit = digit_;
        for (std::size_t i = begin; i < end; ++i) {
            const Word word = source.word(i);
            to.put(places[digit.of(word)]++, word, source.load(i));
        }
    }

    void write_lines(const arrays& to, std::size_t begin, std::size_t end,
                     std::size_t* places) const {
        const scratch_array<Word> word_buffers(digit_.values() * bucket_lines<Word>::items);
        const scratch_array<Load> load_buffers(digit_.values() * bucket_lines<Load>::items);
        const bucket_lines<Word> words{reinterpret_cast<Word*>(to.words.at(0)),
                                       word_buffers.data()};
        const bucket_lines<Load> loads{to.loads, load_buffers.data()};
        write_by(
            begin, end, places,
            [=](std::size_t bucket, std::size_t at, Word word, const Load& load,
                const std::size_t* first) {
                words.put(bucket, at, word, first);
                loads.put(bucket, at, load, first);
            },
            [=](std::size_t bucket, std::size_t at, const std::size_t* first) {
                words.put_rest(bucket, at, first);
                loads.put_rest(bucket, at, first);
            });
    }
    void write_lines(const sort_couples<Word, Load>& to, std::size_t begin, std::size_t end,
                     std::size_t* places) const {
        using couple = typename sort_couples<Word, Load>::couple;
        const scratch_array<couple> buffers(digit_.values() * bucket_lines<couple>::items);
        const bucket_lines<couple> couples{to.items, buffers.data()};
        write_by(
            begin, end, places,
            [=](std::size_t bucket, std::size_t at, Word word, const Load& load,
                const std::size_t* first) {
                couples.put(bucket, at, {word, load}, first);
            },
            [=](std::size_t bucket, std::size_t at, const std::size_t* first) {
                couples.put_rest(bucket, at, first);
            });
    }
    template <class Put, class PutRest>
    void write_by(std::size_t begin, std::size_t end, std::size_t* places, const Put put,
                  const PutRest& put_rest) const {
        const Source source = from_;
        const word_digit digit = digit_;
        const std::vector<std::size_t> begins(places, places + digit.values());
        const std::size_t* const first = begins.data();
        for (std::size_t i = begin; i < end; ++i) {
            const Word word = source.word(i);
            const std::size_t bucket = digit.of(word);
            put(bucket, places[bucket]++, word, source.load(i), first);
        }
        for (std::size_t bucket = 0; bucket < digit.values(); ++bucket) {
            put_rest(bucket, places[bucket], first);
        }
        simd_compaction_kernels().flush();
    }

    const cpu where_;
    const Source& from_;
    const word_order<Word> order_;
    std::size_t begin_, end_;
    std::size_t share_, shares_;
    word_digit digit_{};
    std::vector<std::uint32_t> counts_;  // of each digit, share by share
    std::vector<std::size_t> places_;    // of the next item of each digit
};

}  // namespace lookback::detail
