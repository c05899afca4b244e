/// \file
/// The sort on the CPU: splits keys by their highest bits until each bucket fits in a core's
/// caches, and sorts it there.
///
/// A split (radix_split.hpp) reads keys from memory twice and writes them once; its buckets are
/// independent. The few large buckets are split again by all threads together. The other buckets
/// are claimed by the threads one by one; each is split again as often as necessary, and is then
/// sorted in the caches (radix_finish.hpp), which reads it once more and writes the results. So,
/// for n random keys for which one split is enough (up to 2^29 keys of 4 bytes), each key crosses
/// the memory bus seven times, and is moved three times in caches, whatever its width: it is read
/// to be counted, read to be split, its line is read and written, the bucket is read and written,
/// and the result is written. Sorting by all digits from the lowest on (LSD, as GPUs do) would read
/// and write the whole array for each digit.
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

/// The items that would fit in the gap behind each bucket of a sort of `items` items. All gaps
/// together have room for a sixteenth of the items at most.
inline std::size_t gap_for(std::size_t items) {
    constexpr std::size_t most = 264;  // 1,024 gaps of 4-byte items cross 256 pages
    return std::min(most, items >> (split_bits + 4));
}

template <class Word, class Load>
class radix_sort {
    using arrays = sort_arrays<Word, Load>;
    using between = between_arrays<Word, Load>;
    using finish = radix_finish<Word, Load>;

 public:
    /// The results go to `out`; `scratch` has room for as many items as are sorted and, with
    /// `gaps`, for room_for() of them. Keys that the caller does not want need not be in `out` at
    /// the end.
    radix_sort(const cpu& where, const sort_by& by, const word_order<Word>& order,
               const arrays& out, const between& scratch, bool gaps)
        : where_(where), order_(order), bits_(by), out_(out), scratch_(scratch), gaps_(gaps) {}

    static std::size_t room_for(std::size_t items) {
        if (fits(items)) return 0;
        return streams(items) ? items + (detail::gap_for(items) << split_bits) : items;
    }

    /// Sorts `items` items, which may lie in `out`.
    template <class Source>
    void run(const Source& from, std::size_t items) const {
        if (fits(items)) {
            finish(order_, items, false).sort(from, out_, items, bits_.last_bit);
        } else if (is_sorted(from, items)) {
            copy(where_, from, 0, 0, items);
        } else {
            const std::size_t gap = gaps_ && streams(items) ? detail::gap_for(items) : 0;
            split(where_, from, scratch_, {0, items, 0, bits_.last_bit}, gap, nullptr);
        }
    }

 private:
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

    // Items [begin, end) of the results, whose words are the same from bit `top` on: a bucket, or
    // neighbours that together have few items, because skewed keys make hundreds of buckets of a
    // few keys. In the scratch memory they begin at `in_scratch`.
    struct part {
        std::size_t begin, end, in_scratch;
        int top;
        std::size_t items() const { return end - begin; }
    };
    template <class Array>
    std::size_t start(const Array& array, const part& p) const {
        if constexpr (std::same_as<Array, between>) {
            if (array == scratch_) return p.in_scratch;
        }
        return p.begin;
    }

    // If a single thread sorts the part, `memory` is that thread's memory to finish; otherwise
    // `memory` is null.
    //
    // In the scratch memory, a gap of `gap` items follows each part. Without gaps, the places that
    // a split writes next are nearly the same distance apart, often a multiple of a large power of
    // two, and their pages compete for a few entries of the core's translation cache (TLB).
    template <class Source, class To>
    void split(const cpu& where, const Source& from, const To& to, const part& all, std::size_t gap,
               finish* memory) const {
        word_digit digit = below(all.top, all.items());
        if (digit.bits == 0) return copy(where, from, start(from, all), all.begin, all.items());
        radix_split<Word, Load, Source> by_digit(where, from, order_, start(from, all),
                                                 start(from, all) + all.items());
        const word_survey<Word> seen = by_digit.count(digit);
        if (seen.sorted) return copy(where, from, start(from, all), all.begin, all.items());
        if (const int highest = bits_of(seen.varying); highest <= digit.first + digit.bits / 2) {
            digit = below(highest, all.items());
            by_digit.count(digit);
        }
        // As many bits as make buckets of random keys half as large as what fits, and four buckets
        // for each thread, if that is enough for these keys.
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t times = all.items() / finish_items<Word, Load>;
        const int enough = std::max({4, bits_of(times) + 1, bits_of(4 * workers)});
        digit = by_digit.shorten(enough, finish_items<Word, Load>);
        const std::vector<std::size_t> buckets = by_digit.buckets();
        std::vector<std::size_t> starts(buckets.size());
        std::vector<part> parts;
        const std::size_t joined =
            std::min(finish_items<Word, Load> / 2, all.items() / (4 * workers));
        for (std::size_t b = 0, begin = all.begin; b < buckets.size(); begin += buckets[b++]) {
            if (buckets[b] == 0) continue;
            const std::size_t end = begin + buckets[b];
            if (!parts.empty() && end - parts.back().begin <= joined) {
                parts.back().end = end;
                parts.back().top = digit.first + digit.bits;
            } else {
                const std::size_t before = (begin - all.begin) + gap * parts.size();
                parts.push_back({begin, end, all.in_scratch + before, digit.first});
            }
            starts[b] = start(to, parts.back()) + (begin - parts.back().begin);
        }
        by_digit.place(starts);
        by_digit.write(to, streams(all.items()));
        sort_parts(where, to, parts, memory);
    }

    static bool streams(std::size_t items) {
        return items * sorted_bytes<Word, Load> > detail::streaming_threshold();
    }

    // The digit below bit `top` that `items` items are split by.
    word_digit below(int top, std::size_t items) const {
        const int first = std::max(bits_.first_bit, top - split_bits - (streams(items) ? 0 : 1));
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
        // (With hundreds of threads, buckets of random keys are not large either.)
        const std::size_t share = all / (4 * workers);
        const std::size_t large =
            std::max({2 * finish_items<Word, Load>, share, 2 * all >> split_bits});
        const std::size_t most =
            std::clamp(share, finish_items<Word, Load>, bucket_items<Word, Load>);
        const auto is_large = [&](const part& p) { return p.items() > large; };
        std::size_t longest = 0;
        for (const part& p : parts) {
            if (is_large(p)) {
                sort_part(where, from, p, nullptr);
            } else {
                longest = std::max(longest, p.items());
            }
        }
        std::atomic<std::size_t> taken{0};  // hands out parts; orders no memory
        run_workers(static_cast<int>(std::min(workers, parts.size())), [&] {
            finish own(order_, std::min(longest, most), streams(all));
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
        if (memory != nullptr && p.items() <= memory->room()) {
            memory->sort(from.from(start(from, p)), out_.from(p.begin), p.items(), p.top);
        } else {
            split(memory != nullptr ? cpu{1} : where, from, other_than(from), p, 0, memory);
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

    // Copies `items` items, from[first] on, to out_[to] on.
    template <class Source>
    void copy(const cpu& where, const Source& from, std::size_t first, std::size_t to,
              std::size_t items) const {
        if constexpr (requires { from.lies_in(out_); }) {
            if (from.lies_in(out_)) return;
        }
        const bool stream = streams(items);
        detail::for_shares(where, items, std::size_t{1} << 14,
                           [&](std::size_t begin, std::size_t end) {
                               const arrays share = out_.from(to + begin);
                               if (stream) {
                                   const key_stream<Word, Load> out;
                                   out.write(order_, from, first + begin, share, end - begin);
                                   out.flush();
                               } else {
                                   copy_share(from, first + begin, share, end - begin);
                               }
                           });
    }
    template <class Source>
    void copy_share(Source from, std::size_t first, const arrays to, std::size_t items) const {
        bool is_there = false;
        if constexpr (std::same_as<Source, arrays>) is_there = from == out_;
        if (!is_there) {
            for (std::size_t i = 0; i < items; ++i) {
                to.put(i, from.word(first + i), from.load(first + i));
            }
        }
        order_.to_keys(to.words, items);
    }

    const cpu where_;
    const word_order<Word> order_;
    const sort_by bits_;
    const arrays out_;
    const between scratch_;
    const bool gaps_;
};

}  // namespace lookback::detail
