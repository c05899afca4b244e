/// \file
/// Splits words by a digit, in order, by several threads: words with the same digit go to one
/// bucket, and the buckets lie in the order of the digits.
///
/// The keys are divided into shares, and each share is counted by itself. An exclusive scan over
/// the digits, and for each digit over the shares, gives the place of a share's keys of each digit;
/// then each share is written to its places, by plain stores: they read each cache line before they
/// write it, but non-temporal stores, by lines that each bucket collects for itself ("software
/// write combining", Wassenberg & Sanders 2011), take half as long again (docs/tuning_log.md). So
/// keys are read from memory twice and written once, and the lines that are written are read once.
///
/// Source: Merrill & Grimshaw 2011, section 3, for the scan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

/// The widest digit of a split. With more buckets than that, a split in memory takes more than
/// twice as long; a split in the caches may have twice as many.
inline constexpr int split_bits = 10;

/// A split of items [begin, end), which is done in three steps.
template <class Word, class Load, class Source>
class radix_split {
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
        const word_digit longer = std::exchange(digit_, shorter);
        counts_.swap(counts);
        for (const std::size_t items : buckets()) {
            if (items > most) {
                counts_.swap(counts);
                return digit_ = longer;
            }
        }
        return digit_;
    }

    /// The number of items in each bucket.
    std::vector<std::size_t> buckets() const {
        std::vector<std::size_t> items(digit_.values());
        for (std::size_t share = 0; share < counts_.size(); share += items.size()) {
            for (std::size_t value = 0; value < items.size(); ++value) {
                items[value] += counts_[share + value];
            }
        }
        return items;
    }

    /// Step 2: bucket b is to begin at starts[b].
    void place(const std::vector<std::size_t>& starts) {
        places_.resize(counts_.size());
        for (std::size_t value = 0; value < starts.size(); ++value) {
            std::size_t before = starts[value];
            for (std::size_t i = value; i < counts_.size(); i += starts.size()) {
                places_[i] = before;
                before += counts_[i];
            }
        }
    }

    /// Step 3: writes the words and loads to their buckets. With `fetch`, the next line of a bucket
    /// is fetched while items are written to the line before.
    template <class To>
    void write(const To& to, bool fetch) {
        for_each_share([&](std::size_t share, std::size_t begin, std::size_t end) {
            std::size_t* const places = places_.data() + share * digit_.values();
            if (fetch) {
                write_share<true>(to, begin, end, places);
            } else {
                write_share<false>(to, begin, end, places);
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

    // (`to` is passed by value, so that a compiler can keep its members in registers: stores of
    // bytes could change what is passed by reference.)
    template <bool Fetch, class To>
    void write_share(To to, std::size_t begin, std::size_t end, std::size_t* places) const {
        const Source source = from_;
        const word_digit digit = digit_;
        for (std::size_t i = begin; i < end; ++i) {
            const Word word = source.word(i);
            const std::size_t at = places[digit.of(word)]++;
            if constexpr (Fetch) to.prefetch_after(at);
            to.put(at, word, source.load(i));
        }
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
