#include "windowed_sort.hpp"

#include <cstdint>
#include <limits>
#include <memory>

#include "number_words.hpp"
#include "progress.hpp"
#include "sorted_runs.hpp"

namespace lookback::cli {
namespace {

// What is read from a run at once, so that a disk is busy reading and not looking for places.
constexpr std::size_t least_bytes_of_run = std::size_t{256} << 10;

std::size_t groups_of(std::size_t runs, std::size_t most) { return (runs + most - 1) / most; }

// How many times each item is written.
std::size_t times_written(std::size_t runs, std::size_t most) {
    std::size_t times = 1;
    for (; runs > most; runs = groups_of(runs, most)) ++times;
    return runs > 1 ? times + 1 : times;
}

template <class Word, class Load>
class sort_by_windows {
    static constexpr std::size_t item_bytes = sizeof(Word) + load_bytes<Load>;

 public:
    explicit sort_by_windows(const sort_plan& plan)
        : plan_(plan),
          items_(plan.keys.items()),
          window_(window_items(plan.where.large_window_bytes(), item_bytes)),
          windows_(groups_of(items_, window_)),
          most_runs_(std::max<std::size_t>(window_ * item_bytes / least_bytes_of_run, 2)),
          room_(std::min(items_, std::max(window_, most_runs_))),
          bar_(items_ * item_bytes * (1 + times_written(windows_, most_runs_))) {}

    std::size_t run() {
        if (windows_ <= 1) {
            sort_window(0, items_);
            put(room_.words.data(), room_.loads.data(), items_);
            return windows_;
        }
        auto sorted = std::make_unique<runs>(plan_.temporary_place, items_);
        for (std::size_t first = 0; first < items_; first += window_) {
            const std::size_t items = std::min(window_, items_ - first);
            sort_window(first, items);
            append(*sorted, room_.words.data(), room_.loads.data(), items);
            sorted->end_run();
        }
        while (sorted->runs() > most_runs_) sorted = with_fewer_runs(*sorted);
        sorted->merge(0, sorted->runs(), room_, plan_.where,
                      [&](const Word* words, const Load* loads, std::size_t items) {
                          put(words, loads, items);
                      });
        return windows_;
    }

 private:
    using runs = sorted_runs<Word, Load>;

    word_kind kind_of_keys() const {
        return plan_.is_descending ? word_kind::descending : word_kind::ascending;
    }

    // Items [first, first + items) of the input, sorted.
    void sort_window(std::size_t first, std::size_t items) {
        const int threads = plan_.where.threads;
        read_words(plan_.keys, first, items, kind_of_keys(), room_.words.data(), threads);
        if constexpr (load_bytes<Load> > 0) {
            if (plan_.values != nullptr) {
                read_words(*plan_.values, first, items, word_kind::bits, room_.loads.data(),
                           threads);
            } else {
                count_up(static_cast<Load>(first), items, room_.loads.data(), threads);
            }
        }
        if (items > 0) sort_words(room_.words.data(), room_.loads.data(), items, plan_.where);
        bar_.advance(items * item_bytes);
    }

    // Groups of runs become one each.
    std::unique_ptr<runs> with_fewer_runs(const runs& sorted) {
        const std::size_t groups = groups_of(sorted.runs(), most_runs_);
        auto fewer = std::make_unique<runs>(plan_.temporary_place, items_);
        for (std::size_t g = 0; g < groups; ++g) {
            sorted.merge(g * sorted.runs() / groups, (g + 1) * sorted.runs() / groups, room_,
                         plan_.where, [&](const Word* words, const Load* loads, std::size_t items) {
                             append(*fewer, words, loads, items);
                         });
            fewer->end_run();
        }
        return fewer;
    }
    void append(runs& to, const Word* words, const Load* loads, std::size_t items) {
        to.append(words, loads, items);
        bar_.advance(items * item_bytes);
    }

    // The next items of the result.
    void put(const Word* words, const Load* loads, std::size_t items) {
        const int threads = plan_.where.threads;
        if (plan_.keys_out != nullptr) {
            write_words(*plan_.keys_out, done_, words, items, kind_of_keys(), threads);
        }
        if constexpr (load_bytes<Load> > 0) {
            write_words(*plan_.loads_out, done_, loads, items, word_kind::bits, threads);
        }
        done_ += items;
        bar_.advance(items * item_bytes);
    }

    const sort_plan& plan_;
    std::size_t items_;
    std::size_t window_;  // items
    std::size_t windows_;
    std::size_t most_runs_;  // that are merged at once
    item_room<Word, Load> room_;
    progress bar_;
    std::size_t done_ = 0;  // items of the result
};

template <class Word>
std::size_t sort_with_loads(const sort_plan& plan) {
    const bool is_wide = plan.values != nullptr
                             ? size_of(plan.values->type()) == 8
                             : plan.keys.items() > std::numeric_limits<std::uint32_t>::max();
    return is_wide ? sort_by_windows<Word, std::uint64_t>(plan).run()
                   : sort_by_windows<Word, std::uint32_t>(plan).run();
}

}  // namespace

// Narrow keys and loads are widened where there are both, for the compile time.
std::size_t windowed_sort(const sort_plan& plan) {
    const std::size_t bytes = size_of(plan.keys.type());
    if (plan.values != nullptr || plan.has_positions) {
        return bytes == 8 ? sort_with_loads<std::uint64_t>(plan)
                          : sort_with_loads<std::uint32_t>(plan);
    }
    switch (bytes) {
        case 1: return sort_by_windows<std::uint8_t, no_load>(plan).run();
        case 2: return sort_by_windows<std::uint16_t, no_load>(plan).run();
        case 4: return sort_by_windows<std::uint32_t, no_load>(plan).run();
        default: return sort_by_windows<std::uint64_t, no_load>(plan).run();
    }
}

}  // namespace lookback::cli
