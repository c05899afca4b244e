#include "windowed_sort.hpp"

#include <cstdint>
#include <limits>
#include <memory>

#include "progress.hpp"
#include "sorted_runs.hpp"
#include "table/sorting.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// The least that is read from a run at a time, so that a disk spends its time reading, not seeking.
constexpr std::size_t least_bytes_of_run = std::size_t{256} << 10;

std::size_t groups_of(std::size_t runs, std::size_t most) { return (runs + most - 1) / most; }

// How many times each item is written, the output included.
std::size_t times_written(std::size_t runs, std::size_t most) {
    std::size_t times = 1;
    for (; runs > most; runs = groups_of(runs, most)) ++times;
    return runs > 1 ? times + 1 : times;
}

class sort_by_windows {
 public:
    sort_by_windows(const sort_plan& plan, item_sizes sizes)
        : plan_(plan),
          sizes_(sizes),
          items_(plan.keys.items()),
          window_(window_items(plan.where.large_window_bytes(), sizes.both())),
          windows_(groups_of(items_, window_)),
          most_runs_(std::max<std::size_t>(window_ * sizes.both() / least_bytes_of_run, 2)),
          room_(sizes, std::min(items_, std::max(window_, most_runs_))),
          bar_(items_ * sizes.both() * (1 + times_written(windows_, most_runs_))) {}

    std::size_t run() {
        if (windows_ <= 1) {
            sort_window(0, items_);
            put(room_.words.data(), room_.loads.data(), items_);
            return windows_;
        }
        auto sorted = std::make_unique<sorted_runs>(plan_.temporary_place, sizes_, items_);
        for (std::size_t first = 0; first < items_; first += window_) {
            const std::size_t items = std::min(window_, items_ - first);
            sort_window(first, items);
            append(*sorted, room_.words.data(), room_.loads.data(), items);
            sorted->end_run();
        }
        while (sorted->runs() > most_runs_) sorted = with_fewer_runs(*sorted);
        sorted->merge(0, sorted->runs(), room_, plan_.where,
                      [&](const std::byte* words, const std::byte* loads, std::size_t items) {
                          put(words, loads, items);
                      });
        return windows_;
    }

 private:
    word_kind kind_of_keys() const {
        return plan_.is_descending ? word_kind::descending : word_kind::ascending;
    }

    // Reads items [first, first + items) of the input and sorts them.
    void sort_window(std::size_t first, std::size_t items) {
        read_words(plan_.keys, first, items, kind_of_keys(), sizes_.word, room_.words.data());
        if (plan_.values != nullptr) {
            read_words(*plan_.values, first, items, word_kind::bits, sizes_.load,
                       room_.loads.data());
        } else if (sizes_.load > 0) {
            count_up(first, items, sizes_.load, room_.loads.data(), plan_.where.threads);
        }
        if (items > 0) {
            sort_words(plan_.where.on(), sizes_.word, room_.words.data(), sizes_.load,
                       room_.loads.data(), items);
        }
        bar_.advance(items * sizes_.both());
    }

    // Reads items [first, first + items) of `in` as words.
    void read_words(const array_input& in, std::size_t first, std::size_t items, word_kind kind,
                    std::size_t word_bytes, std::byte* words) {
        const std::size_t window = window_items(usual_window, size_of(in.type()));
        std::vector<std::byte> room(
            in.lies_as(in.type()) ? 0 : std::min(window, items) * size_of(in.type()));
        input_windows windows(in, first, items, window, false);
        for (; windows.next(); words += windows.items() * word_bytes) {
            make_words(in.type(), windows.load(in.type(), room.data()), windows.items(), kind,
                       word_bytes, words, plan_.where.threads);
        }
    }

    // Merges runs in groups; each group becomes one run.
    std::unique_ptr<sorted_runs> with_fewer_runs(const sorted_runs& sorted) {
        const std::size_t groups = groups_of(sorted.runs(), most_runs_);
        auto fewer = std::make_unique<sorted_runs>(plan_.temporary_place, sizes_, items_);
        for (std::size_t g = 0; g < groups; ++g) {
            sorted.merge(g * sorted.runs() / groups, (g + 1) * sorted.runs() / groups, room_,
                         plan_.where,
                         [&](const std::byte* words, const std::byte* loads, std::size_t items) {
                             append(*fewer, words, loads, items);
                         });
            fewer->end_run();
        }
        return fewer;
    }
    void append(sorted_runs& to, const std::byte* words, const std::byte* loads,
                std::size_t items) {
        to.append(words, loads, items);
        bar_.advance(items * sizes_.both());
    }

    // Writes the next items of the result.
    void put(const std::byte* words, const std::byte* loads, std::size_t items) {
        if (plan_.keys_out != nullptr) {
            write_words(*plan_.keys_out, words, items, kind_of_keys(), sizes_.word);
        }
        if (plan_.loads_out != nullptr) {
            write_words(*plan_.loads_out, loads, items, word_kind::bits, sizes_.load);
        }
        done_ += items;
        bar_.advance(items * sizes_.both());
    }

    void write_words(array_output& out, const std::byte* words, std::size_t items, word_kind kind,
                     std::size_t word_bytes) {
        const std::size_t window = window_items(usual_window, size_of(out.type()));
        for (std::size_t i = 0; i < items; i += window) {
            const std::size_t count = std::min(window, items - i);
            std::byte* const numbers = out.room(count);
            make_numbers(word_bytes, words + i * word_bytes, count, kind, out.type(), numbers,
                         plan_.where.threads);
            out.write(numbers, count, done_ + i);
        }
    }

    const sort_plan& plan_;
    item_sizes sizes_;
    std::size_t items_;
    std::size_t window_;  // items
    std::size_t windows_;
    std::size_t most_runs_;  // that are merged at a time
    item_room room_;
    progress bar_;
    std::size_t done_ = 0;  // items of the result
};

// If there are loads, narrow keys and loads are widened: fewer pairs of types have to be compiled.
item_sizes sizes_of(const sort_plan& plan) {
    const std::size_t key = size_of(plan.keys.type());
    if (plan.values == nullptr && !plan.has_positions) return {key, 0};
    const bool is_wide = plan.values != nullptr
                             ? size_of(plan.values->type()) == 8
                             : plan.keys.items() > std::numeric_limits<std::uint32_t>::max();
    return {std::max<std::size_t>(key, 4), is_wide ? 8U : 4U};
}

}  // namespace

std::size_t windowed_sort(const sort_plan& plan) {
    return sort_by_windows(plan, sizes_of(plan)).run();
}

}  // namespace lookback::cli
