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
/// Keys that are already sorted are recognised before anything else, and are only copied. Bits that
/// are the same in all keys are recognised when keys are counted, and skipped.
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
            finish(order_, items, false).sort(from, out_, items, bits_.last_bit);
        } else if (is_sorted(from, items)) {
            copy(where_, from, 0, items);
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
                return split(where_, from, out_, {0, items, bits_.last_bit}, nullptr);
            }
        }
        split(where_, from, scratch_, {0, items, bits_.last_bit}, nullptr);
    }

    static bool fits(std::size_t items) { return items <= finish_items<Word, Load>; }

    // All threads stop where one of them finds two words in the wrong order; if the first block has
    // some, no other thread is asked.
    template <class Source>
    bool is_sorted(const Source& from, std::size_t items) const {
        constexpr std::size_t block = word_survey<Word>::block;
        if (detail::words_fall(from, order_, 0, block)) return false;
        std::atomic<bool> falls{false};  // orders no memory
        detail::for_shares(where_, items, 64 * block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; i += block) {
                if (falls.load(std::memory_order_relaxed)) return;
                // A block begins with the last key of the block before.
                if (detail::words_fall(from, order_, i == 0 ? 0 : i - 1,
                                       std::min(end, i + block))) {
                    falls.store(true, std::memory_order_relaxed);
                }
            }
        });
        return !falls.load(std::memory_order_relaxed);
    }

    // Items [begin, end), whose words are the same from bit `top` on.
    struct part {
        std::size_t begin, end;
        int top;
    };

    // If a single thread sorts the part, `memory` is that thread's memory to finish; otherwise
    // `memory` is null.
    template <class Source, class To>
    void split(const cpu& where, const Source& from, const To& to, const part& all,
               finish* memory) const {
        word_digit digit = below(all.top);
        if (digit.bits == 0) return copy(where, from, all.begin, all.end);
        radix_split<Word, Load, Source> by_digit(where, from, order_, all.begin, all.end);
        const word_survey<Word> seen = by_digit.count(digit);
        if (seen.sorted) return copy(where, from, all.begin, all.end);
        if (const int highest = bits_of(seen.varying); highest <= digit.first + digit.bits / 2) {
            digit = below(highest);
            by_digit.count(digit);
        }
        // As many bits as make buckets of random keys half as large as what fits, if that is
        // enough for these keys.
        const std::size_t times = (all.end - all.begin) / finish_items<Word, Load>;
        digit = by_digit.shorten(std::max(4, bits_of(times) + 1), finish_items<Word, Load>);
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t joined =
            std::min(finish_items<Word, Load> / 2, (all.end - all.begin) / (4 * workers));
        const std::vector<part> parts = parts_of(by_digit.place(), digit, joined);
        by_digit.write(to);
        sort_parts(where, to, parts, memory);
    }

    // A part is a bucket, or neighbours that together have at most `joined` items: skewed keys make
    // hundreds of buckets of a few keys.
    static std::vector<part> parts_of(const std::vector<std::size_t>& buckets, word_digit digit,
                                      std::size_t joined) {
        std::vector<part> parts;
        for (std::size_t b = 0; b + 1 < buckets.size(); ++b) {
            const std::size_t begin = buckets[b], end = buckets[b + 1];
            if (begin == end) continue;
            if (!parts.empty() && end - parts.back().begin <= joined) {
                parts.back().end = end;
                parts.back().top = digit.first + digit.bits;
            } else {
                parts.push_back({begin, end, digit.first});
            }
        }
        return parts;
    }

    word_digit below(int top) const {
        const int first = std::max(bits_.first_bit, top - most_digit_bits);
        return {first, top - first};
    }

    template <class From>
    void sort_parts(const cpu& where, const From& from, const std::vector<part>& parts,
                    finish* memory) const {
        if (memory != nullptr) {
            for (const part& p : parts) sort_part(where, from, p, memory);
            return;
        }
        const std::size_t all = parts.back().end - parts.front().begin;
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t large = std::max(2 * finish_items<Word, Load>, all / (4 * workers));
        const auto is_large = [&](const part& p) { return p.end - p.begin > large; };
        for (const part& p : parts) {
            if (is_large(p)) sort_part(where, from, p, nullptr);
        }
        std::atomic<std::size_t> taken{0};  // hands out parts; orders no memory
        run_workers(static_cast<int>(std::min(workers, parts.size())), [&] {
            finish own(order_, finish_items<Word, Load>,
                       all * sorted_bytes<Word, Load> > detail::streaming_threshold());
            for (std::size_t p;
                 (p = taken.fetch_add(1, std::memory_order_relaxed)) < parts.size();) {
                if (!is_large(parts[p])) sort_part(where, from, parts[p], &own);
            }
            own.flush();
        });
    }

    // By the thread that owns `memory` alone, or by all threads if it is null.
    template <class From>
    void sort_part(const cpu& where, const From& from, const part& p, finish* memory) const {
        if (memory != nullptr && fits(p.end - p.begin)) {
            memory->sort(from.from(p.begin), out_.from(p.begin), p.end - p.begin, p.top);
        } else {
            split(memory != nullptr ? cpu{1} : where, from, other_than(from), p, memory);
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
        if constexpr (requires { from.lies_in(out_); }) {
            if (from.lies_in(out_)) return;
        }
        const bool stream =
            (end - begin) * sorted_bytes<Word, Load> > detail::streaming_threshold();
        detail::for_shares(where, end - begin, std::size_t{1} << 14,
                           [&](std::size_t first, std::size_t last) {
                               if (stream) {
                                   stream_share(from, begin + first, begin + last);
                               } else {
                                   copy_share(from, begin + first, begin + last);
                               }
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
    template <class Source>
    void stream_share(Source from, std::size_t begin, std::size_t end) const {
        constexpr std::size_t block = 1024;
        const scratch_array<Word> words(block);
        const scratch_array<Load> loads(block);
        const arrays near{word_array<Word>(words.data()), loads.data()};
        for (std::size_t i = begin; i < end; i += block) {
            const std::size_t items = std::min(block, end - i);
            for (std::size_t j = 0; j < items; ++j) {
                near.put(j, from.word(i + j), from.load(i + j));
            }
            finish::stream(order_, near, out_.from(i), items);
        }
        simd_compaction_kernels().flush();
    }

    const cpu where_;
    const word_order<Word> order_;
    const sort_by bits_;
    const arrays out_;
    const between scratch_;
};

}  // namespace lookback::detail
