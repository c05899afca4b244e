/// \file
/// Splits keys by a digit, in order, and by several threads: those of one value of the digit come
/// to lie together, as buckets in the order of the values.
///
/// Shares of the keys are counted, each by itself; an exclusive scan over the values, and within
/// each over the shares, says where a share's keys of a value go; then each share is written there.
/// What is larger than the caches is written by lines: each value has a cache line of its own,
/// which is written around the caches when it is full ("software write combining"). Keys are read
/// from memory twice and written once.
///
/// Source: Merrill & Grimshaw 2011, section 3, for the scan; Wassenberg & Sanders 2011,
/// "Engineering a Multi-core Radix Sort", for the lines.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

/// A line for each bucket on its way to an array.
template <class T>
class bucket_lines {
    static constexpr std::size_t line_items = 64 / sizeof(T);

 public:
    bucket_lines(T* out, std::size_t buckets)
        : out_(out),
          skew_(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T)),
          whole_(reinterpret_cast<std::uintptr_t>(out) % sizeof(T) == 0),
          lines_(buckets * line_items) {}

    /// Puts an item to out[at], sooner or later. Of its bucket, everything from begins[bucket] on
    /// was put before.
    void put(std::size_t bucket, std::size_t at, const T& item, const std::size_t* begins) {
        T* const line = lines_.data() + bucket * line_items;
        const std::size_t skewed = at + skew_;
        line[skewed % line_items] = item;
        if (skewed % line_items != line_items - 1) return;
        if (const std::size_t first = skewed - (line_items - 1);
            first >= begins[bucket] + skew_ && whole_) {
            stream_line_(line, out_ + (first - skew_));
        } else {
            put_rest(bucket, at + 1, begins);
        }
    }

    /// What is left of a bucket that ends before out[end].
    void put_rest(std::size_t bucket, std::size_t end, const std::size_t* begins) const {
        const T* const line = lines_.data() + bucket * line_items;
        if (end == begins[bucket]) return;
        const std::size_t first = (end - 1 + skew_) / line_items * line_items;
        for (std::size_t i = std::max(first, begins[bucket] + skew_); i < end + skew_; ++i) {
            out_[i - skew_] = line[i % line_items];
        }
    }

 private:
    T* out_;
    std::size_t skew_;  // lines begin so many items before where the array does
    bool whole_;        // a line holds whole items
    scratch_array<T> lines_;
    void (*stream_line_)(const void*, void*) = simd_compaction_kernels().stream_line;
};
template <>
class bucket_lines<no_array> {
 public:
    bucket_lines(no_array*, std::size_t) {}
    void put(std::size_t, std::size_t, no_array, const std::size_t*) {}
    void put_rest(std::size_t, std::size_t, const std::size_t*) const {}
};

/// A split of items [begin, end), which is done in three steps.
template <class Key, class Load, class Source>
class radix_split {
    using arrays = sort_arrays<Key, Load>;
    using word = key_word<Key>;

 public:
    radix_split(const cpu& where, const Source& from, const key_order<Key>& order,
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

    /// First: counts a digit's values, and sees what there is to see on the way. May be called
    /// again for another digit.
    key_survey<Key> count(word_digit digit) {
        digit_ = digit;
        counts_.assign(shares_ * digit.values(), 0);
        std::vector<key_survey<Key>> seen(shares_);
        for_each_share([&](std::size_t share, std::size_t begin, std::size_t end) {
            seen[share] = count_share(begin, end, counts_.data() + share * digit_.values());
        });
        for (std::size_t i = 1; i < shares_; ++i) seen[0].add(seen[i]);
        return seen[0];
    }

    /// Second: where each bucket begins, and, behind the last, where it ends.
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

    /// Third.
    void write(const arrays& to) {
        const bool by_lines =
            (end_ - begin_) * sorted_bytes<Key, Load> > detail::streaming_threshold();
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
    static constexpr std::size_t most_share = std::size_t{1} << 31;  // what is counted in 32 bits

    template <class Body>
    void for_each_share(const Body& body) const {
        detail::for_shares(where_, end_ - begin_, share_, [&](std::size_t begin, std::size_t end) {
            body(begin / share_, begin_ + begin, begin_ + end);
        });
    }

    key_survey<Key> count_share(std::size_t begin, std::size_t end, std::uint32_t* counts) const {
        key_survey<Key> seen;
        const key_order<Key> order = order_;
        const word_digit digit = digit_;
        const word first = order(from_.key(begin_));
        // Neighbours are counted in two tables, so that the second of two equal ones need not wait.
        std::vector<std::uint32_t> others(digit.values());
        for (std::size_t i = begin; i < end;) {
            const std::size_t block_end = std::min(end, i + key_survey<Key>::block);
            // A block begins with the last key of the one before.
            seen.look(from_, order, first, i == begin_ ? i : i - 1, block_end);
            for (; i + 1 < block_end; i += 2) {
                ++counts[order.digit(from_.key(i), digit)];
                ++others[order.digit(from_.key(i + 1), digit)];
            }
            if (i < block_end) ++counts[order.digit(from_.key(i++), digit)];
        }
        for (std::size_t value = 0; value < digit.values(); ++value) counts[value] += others[value];
        return seen;
    }

    void write_items(const arrays& to, std::size_t begin, std::size_t end,
                     std::size_t* places) const {
        const key_order<Key> order = order_;
        const word_digit digit = digit_;
        for (std::size_t i = begin; i < end; ++i) {
            const Key key = from_.key(i);
            to.put(places[order.digit(key, digit)]++, key, from_.load(i));
        }
    }

    void write_lines(const arrays& to, std::size_t begin, std::size_t end,
                     std::size_t* places) const {
        const key_order<Key> order = order_;
        const word_digit digit = digit_;
        const std::vector<std::size_t> begins(places, places + digit.values());
        bucket_lines<Key> keys(to.keys, digit.values());
        bucket_lines<Load> loads(to.loads, digit.values());
        for (std::size_t i = begin; i < end; ++i) {
            const Key key = from_.key(i);
            const std::size_t bucket = order.digit(key, digit);
            const std::size_t at = places[bucket]++;
            keys.put(bucket, at, key, begins.data());
            loads.put(bucket, at, from_.load(i), begins.data());
        }
        for (std::size_t bucket = 0; bucket < digit.values(); ++bucket) {
            keys.put_rest(bucket, places[bucket], begins.data());
            loads.put_rest(bucket, places[bucket], begins.data());
        }
        simd_compaction_kernels().flush();
    }

    const cpu where_;
    const Source& from_;
    const key_order<Key> order_;
    std::size_t begin_, end_;
    std::size_t share_, shares_;
    word_digit digit_{};
    std::vector<std::uint32_t> counts_;  // of each value, share by share
    std::vector<std::size_t> places_;    // of the next item of each value
};

}  // namespace lookback::detail
