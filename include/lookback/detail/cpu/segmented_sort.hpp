/// \file
/// Sorting segments on the CPU.
///
/// Threads claim shares of the items, and sort the segments that begin there, each in the core's
/// cache (radix_finish.hpp) where it fits. Segments that are more than some thread's share are
/// sorted before, by all threads together, one after another (radix_sort.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <type_traits>
#include <vector>

#include "lookback/detail/cpu/segment_offsets.hpp"
#include "lookback/detail/cpu/sort.hpp"
#include "lookback/segmented_sort.hpp"

namespace lookback::detail {

/// What is read from item `begin` on.
template <class Source>
struct items_from {
    const Source& all;
    std::size_t begin;

    auto word(std::size_t i) const { return all.word(begin + i); }
    auto load(std::size_t i) const { return all.load(begin + i); }
};

/// Each segment for itself: sorts as array_sort (detail/cpu/sort.hpp) asks.
template <class Offsets>
class in_segments {
 public:
    explicit in_segments(const segment_offsets<Offsets>& segments)
        : offsets_(segments.first),
          segments_(static_cast<std::size_t>(segments.last - segments.first) - 1) {}

    template <class Word, class Load, class Source>
    void sort(const cpu& where, const sort_by& by, const word_order<Word>& order,
              const Source& from, const sort_arrays<Word, Load>& to, std::size_t items) const {
        constexpr std::size_t fits = finish_items<Word, Load>;
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t large = std::max(2 * fits, items / (4 * workers));
        const lengths seen = look(where, large);
        const std::size_t room = seen.longest <= fits ? 0 : radix_sort<Word, Load>::room_for(items);
        const between_memory<Word, Load> memory(room);
        const between_arrays<Word, Load> between = memory.get();
        const auto sort_alone = [&](const cpu& on, std::size_t s,
                                    const between_arrays<Word, Load>& scratch, bool gaps) {
            radix_sort<Word, Load>(on, by, order, to.from(begin(s)), scratch, gaps)
                .run(items_from<Source>{from, begin(s)}, length(s));
        };
        for (const std::size_t s : seen.large_ones) sort_alone(where, s, between, true);

        std::atomic<std::size_t> taken{0};  // hands out shares, and orders nothing
        const auto work = [&] {
            radix_finish<Word, Load> own(order, std::min(seen.longest, fits), false);
            for (std::size_t i; (i = taken.fetch_add(share, std::memory_order_relaxed)) < items;) {
                const std::size_t end = std::min(items, i + share);
                for (std::size_t s = first_from(i); s < segments_ && begin(s) < end; ++s) {
                    const std::size_t n = length(s);
                    if (n > large || n == 0) continue;
                    if (n > fits) {
                        sort_alone(cpu{1}, s, between.from(begin(s)), false);
                    } else {
                        own.sort(items_from<Source>{from, begin(s)}, to.from(begin(s)), n,
                                 by.last_bit);
                    }
                }
            }
        };
        const std::size_t most = std::min(workers, items / (2 * share));
        if (most < 2) return work();
        run_workers(static_cast<int>(most), work);
    }

 private:
    static constexpr std::size_t share = std::size_t{1} << 14;

    std::size_t begin(std::size_t s) const {
        return static_cast<std::size_t>(detail::item(offsets_, s));
    }
    std::size_t length(std::size_t s) const { return begin(s + 1) - begin(s); }

    // The first segment that begins at an item or behind.
    std::size_t first_from(std::size_t i) const {
        const auto end = offsets_ + static_cast<std::iter_difference_t<Offsets>>(segments_);
        return static_cast<std::size_t>(
            std::partition_point(
                offsets_, end,
                [&](const auto& offset) { return static_cast<std::size_t>(offset) < i; }) -
            offsets_);
    }

    struct lengths {
        std::size_t longest = 0;
        std::vector<std::size_t> large_ones;
    };
    lengths look(const cpu& where, std::size_t large) const {
        lengths seen;
        std::mutex telling;
        detail::for_shares(where, segments_, share, [&](std::size_t first, std::size_t last) {
            lengths here;
            for (std::size_t s = first; s < last; ++s) {
                const std::size_t n = length(s);
                here.longest = std::max(here.longest, n);
                if (n > large) here.large_ones.push_back(s);
            }
            const std::lock_guard<std::mutex> alone(telling);
            seen.longest = std::max(seen.longest, here.longest);
            seen.large_ones.insert(seen.large_ones.end(), here.large_ones.begin(),
                                   here.large_ones.end());
        });
        return seen;
    }

    const Offsets offsets_;
    const std::size_t segments_;
};

template <>
struct segmented_sorts_on<cpu> {
    template <class Offsets>
    static void check(const cpu& where, const segment_offsets<Offsets>& segments,
                      const item_count& count) {
        detail::check_offsets(where, segments, count.get());
    }

    template <class Key, class Offsets, class In, class KeysOut, class Values, class ValuesOut>
    static void run(const cpu& where, const item_count& count,
                    const segment_offsets<Offsets>& segments, const In& keys,
                    const KeysOut& keys_out, const Values& values, const ValuesOut& values_out,
                    const sort_by& by) {
        const std::size_t items = count.get();
        if (items == 0) return;
        const in_segments<Offsets> together(segments);
        array_sort<in_segments<Offsets>>(where, items, by, together)
            .template run<Key>(keys, keys_out, values, values_out);
    }

    template <class Key, class Value>
    static std::size_t scratch_bytes(const cpu& where, std::size_t items, bool keys_too) {
        return sorts_on<cpu>::scratch_bytes<Key, Value>(where, items, keys_too);
    }
};

}  // namespace lookback::detail
