/// \file
/// The sort on the CPU: splits keys by their highest bits until each bucket fits in a core's own
/// cache, and sorts it there.
///
/// A split (radix_split.hpp) reads keys from memory twice and writes them once; its buckets are
/// independent. The few large buckets are split again by all threads together. The other buckets
/// are claimed by the threads one by one; each is split again as often as necessary, and is then
/// sorted in the cache (radix_finish.hpp), which reads it once more and writes the results. So, for
/// n random keys for which one split is enough (up to 2^26 keys of 4 bytes), each key crosses the
/// memory bus five times, and is moved three times in caches, whatever its width. Sorting by all
/// digits from the lowest on (LSD, as GPUs do) would read and write the whole array for each digit.
///
/// Keys that are already sorted are recognised when they are first counted, and are only copied.
/// Bits that are the same in all keys are recognised and skipped there, too.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <vector>

#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/radix_finish.hpp"
#include "lookback/detail/cpu/radix_split.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

template <class Word, class Load>
class radix_sort {
    using arrays = sort_arrays<Word, Load>;
    using between = between_arrays<Word, Load>;
    using finish = radix_finish<Word, Load>;

 public:
    /// The results go to `out`; `scratch` has as much room. Keys that the caller does not want need
    /// not be in `out` at the end.
    radix_sort(const cpu& where, const sort_by& by, const word_order<Word>& order,
               const arrays& out, const between& scratch)
        : where_(where), order_(order), bits_(by), out_(out), scratch_(scratch) {}

    /// Sorts `items` items, which may lie in `out`.
    template <class Source>
    void run(const Source& from, std::size_t items) const {
        if (fits(items)) {
            finish(order_, items, false).sort(from, out_, items);
        } else {
            split_all(from, items);
        }
    }

 private:
    // A large array goes straight to where its results will be, if there is nothing to overwrite:
    // its buckets are sorted in place then, and new scratch memory, which takes a system time to
    // find and clear, is only touched by those that have to be split again.
    template <class Source>
    void split_all(const Source& from, std::size_t items) const {
        if constexpr (std::same_as<arrays, between>) {
            if (from.apart && items * sorted_bytes<Word, Load> > detail::streaming_threshold()) {
                return split(where_, from, out_, 0, items, bits_.last_bit, nullptr);
            }
        }
        split(where_, from, scratch_, 0, items, bits_.last_bit, nullptr);
    }

    static bool fits(std::size_t items) { return items <= finish_items<Word, Load>; }

    // Sorts items [begin, end), whose words are the same from bit `top` on. If a single thread does
    // it, `memory` is that thread's memory to finish; otherwise `memory` is null.
    template <class Source, class To>
    void split(const cpu& where, const Source& from, const To& to, std::size_t begin,
               std::size_t end, int top, finish* memory) const {
        const int bits = bits_for(end - begin);
        word_digit digit = below(top, bits);
        if (digit.bits == 0) return copy(where, from, begin, end);
        radix_split<Word, Load, Source> by_digit(where, from, order_, begin, end);
        const word_survey<Word> seen = by_digit.count(digit);
        if (seen.sorted) return copy(where, from, begin, end);
        if (const int highest = bits_of(seen.varying); highest <= digit.first + digit.bits / 2) {
            digit = below(highest, bits);
            by_digit.count(digit);
        }
        const std::vector<std::size_t> buckets = by_digit.place();
        by_digit.write(to);
        sort_buckets(where, to, buckets, digit.first, memory);
    }

    word_digit below(int top, int bits) const {
        const int first = std::max(bits_.first_bit, top - bits);
        return {first, top - first};
    }

    // The bits of a digit: as many as make buckets of random keys half as large as what fits, if
    // possible.
    static int bits_for(std::size_t items) {
        const int wanted = bits_of(items / finish_items<Word, Load>) + 1;
        return std::clamp(wanted, 4, most_digit_bits);
    }

    template <class From>
    void sort_buckets(const cpu& where, const From& from, const std::vector<std::size_t>& buckets,
                      int top, finish* memory) const {
        const std::size_t values = buckets.size() - 1;
        const auto sort_one = [&](std::size_t b, finish* own) {
            sort_bucket(where, from, buckets[b], buckets[b + 1], top, own);
        };
        if (memory != nullptr) {
            for (std::size_t b = 0; b < values; ++b) sort_one(b, memory);
            return;
        }
        const std::size_t all = buckets[values] - buckets[0];
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t large = std::max(2 * finish_items<Word, Load>, all / (4 * workers));
        const auto is_large = [&](std::size_t b) { return buckets[b + 1] - buckets[b] > large; };
        for (std::size_t b = 0; b < values; ++b) {
            if (is_large(b)) sort_one(b, nullptr);
        }
        std::atomic<std::size_t> taken{0};  // hands out buckets; orders no memory
        run_workers(static_cast<int>(std::min(workers, values)), [&] {
            finish own(order_, finish_items<Word, Load>,
                       all * sorted_bytes<Word, Load> > detail::streaming_threshold());
            for (std::size_t b; (b = taken.fetch_add(1, std::memory_order_relaxed)) < values;) {
                if (!is_large(b)) sort_one(b, &own);
            }
            own.flush();
        });
    }

    // By the thread that owns `memory` alone, or by all threads if it is null.
    template <class From>
    void sort_bucket(const cpu& where, const From& from, std::size_t begin, std::size_t end,
                     int top, finish* memory) const {
        if (begin == end) return;
        if (memory != nullptr && fits(end - begin)) {
            memory->sort(from.from(begin), out_.from(begin), end - begin);
        } else {
            split(memory != nullptr ? cpu{1} : where, from, other_than(from), begin, end, top,
                  memory);
        }
    }
    template <class From>
    auto other_than([[maybe_unused]] const From& from) const {
        if constexpr (std::same_as<arrays, between>) {
            return from == out_ ? scratch_ : out_;
        } else if constexpr (std::same_as<From, arrays>) {
            return scratch_;
        } else {
            return out_;
        }
    }

    template <class Source>
    void copy(const cpu& where, const Source& from, std::size_t begin, std::size_t end) const {
        detail::for_shares(where, end - begin, std::size_t{1} << 14,
                           [&](std::size_t first, std::size_t last) {
                               copy_share(from, begin + first, begin + last);
                           });
    }
    template <class Source>
    void copy_share(Source from, std::size_t begin, std::size_t end) const {
        const arrays out = out_;
        bool is_there = false;
        if constexpr (std::same_as<Source, arrays>) is_there = from == out;
        if (!is_there) {
            for (std::size_t i = begin; i < end; ++i) out.put(i, from.word(i), from.load(i));
        }
        order_.to_keys(out.from(begin).words, end - begin);
    }

    const cpu where_;
    const word_order<Word> order_;
    const sort_by bits_;
    const arrays out_;
    const between scratch_;
};

}  // namespace lookback::detail
