/// \file
/// Sorted runs of words and their loads, one after the other in a temporary file, and their merge.
///
/// The merge reads batches into memory and sorts each batch by the same code that sorts a window.
/// That code uses all cores, or the GPU; a tree of comparisons would use one core. It is as stable
/// as a tree if the runs are read in their order. A batch has the items of each run up to a bound.
/// From each run a batch takes at most a fixed number of items, the run's reach. The bound is the
/// least of the last keys within these reaches, so no run has a smaller key beyond its reach.
/// Source: Knuth, The Art of Computer Programming 3, 5.4.9 (forecasting); Dementiev & Sanders 2003,
/// "Asynchronous Parallel Disk Sorting" (batches).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lookback/detail/cpu/scratch.hpp"
#include "table/sorting.hpp"
#include "temporary_file.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// Bytes of a word and of its load; 0 if there are no loads.
struct item_sizes {
    std::size_t word;
    std::size_t load;
    std::size_t both() const { return word + load; }
};

/// Memory for `most` words and their loads.
struct item_room {
    item_room(item_sizes sizes, std::size_t most)
        : items(most), words(most * sizes.word), loads(most * sizes.load) {}

    std::size_t items;
    detail::scratch_array<std::byte> words;
    detail::scratch_array<std::byte> loads;
};

class sorted_runs {
 public:
    /// Has room for `items` items in all runs together.
    sorted_runs(const std::string& directory, item_sizes sizes, std::size_t items)
        : file_(directory), sizes_(sizes), loads_at_(items * sizes.word) {}

    /// Appends items to the last run. They must not be less than the items before them.
    void append(const void* words, const void* loads, std::size_t items) {
        write(items_ * sizes_.word, words, items * sizes_.word);
        write(loads_at_ + items_ * sizes_.load, loads, items * sizes_.load);
        items_ += items;
    }
    void end_run() { ends_.push_back(items_); }
    std::size_t runs() const { return ends_.size() - 1; }

    /// Merges runs [first, last). Calls take(words, loads, items) for one batch after the other. A
    /// batch has at most as many items as the room, which must hold at least one item for each of
    /// these runs.
    template <class Take>
    void merge(std::size_t first, std::size_t last, const item_room& room, const workplace& where,
               const Take& take) const {
        const std::size_t reach = room.items / (last - first);
        std::vector<std::size_t> at(ends_.data() + first, ends_.data() + last);
        for (;;) {
            const bound up_to = find_bound(first, at, reach);
            std::size_t items = 0;
            for (std::size_t r = 0; r < at.size(); ++r) {
                const std::size_t most = std::min(reach, ends_[first + r + 1] - at[r]);
                const std::size_t count = items_within(up_to, r, at[r], most);
                bring(at[r], count, room, items);
                at[r] += count;
                items += count;
            }
            if (items == 0) return;
            sort_words(where.on(), sizes_.word, room.words.data(), sizes_.load, room.loads.data(),
                       items);
            take(room.words.data(), room.loads.data(), items);
        }
    }

 private:
    // The end of a batch. Items equal to `word` are in the batch only if they come from run `run`
    // or an earlier one: run `run` may have more of them beyond its reach, and these come before
    // equal items of later runs.
    struct bound {
        std::optional<std::uint64_t> word;  // none: everything within reach is in the batch
        std::size_t run = 0;
    };

    bound find_bound(std::size_t first, const std::vector<std::size_t>& at,
                     std::size_t reach) const {
        bound least;
        for (std::size_t r = 0; r < at.size(); ++r) {
            if (ends_[first + r + 1] - at[r] <= reach) continue;  // no items are beyond its reach
            const std::uint64_t last = word_at(at[r] + reach - 1);
            if (!least.word || last < *least.word) least = {last, r};
        }
        return least;
    }

    // How many of the items from `at` on, which belong to run r, are in the batch; at most `most`.
    std::size_t items_within(const bound& up_to, std::size_t r, std::size_t at,
                             std::size_t most) const {
        if (!up_to.word) return most;
        std::size_t within = 0;
        for (std::size_t left = most; left > 0;) {
            const std::size_t half = left / 2;
            const std::uint64_t word = word_at(at + within + half);
            const bool is_within = r <= up_to.run ? word <= *up_to.word : word < *up_to.word;
            within += is_within ? half + 1 : 0;
            left = is_within ? left - half - 1 : half;
        }
        return within;
    }

    // Reads items to place `to` of the room, and has the items after them read in the background.
    void bring(std::size_t from, std::size_t items, const item_room& room, std::size_t to) const {
        read(from * sizes_.word, room.words.data() + to * sizes_.word, items * sizes_.word);
        read(loads_at_ + from * sizes_.load, room.loads.data() + to * sizes_.load,
             items * sizes_.load);
    }
    void read(std::size_t at, void* to, std::size_t bytes) const {
        if (bytes == 0) return;
        file_.expect(at + bytes, bytes);
        file_.read_at(at, {static_cast<std::byte*>(to), bytes});
    }
    std::uint64_t word_at(std::size_t i) const {
        static_assert(std::endian::native == std::endian::little);
        std::uint64_t word = 0;
        const std::span bytes = std::as_writable_bytes(std::span(&word, 1));
        file_.read_at(i * sizes_.word, bytes.first(sizes_.word));
        return word;
    }

    void write(std::size_t at, const void* data, std::size_t bytes) {
        if (bytes > 0) file_.write_at(at, {static_cast<const std::byte*>(data), bytes});
    }

    temporary_file file_;
    item_sizes sizes_;
    std::size_t loads_at_;  // bytes; words come before it
    std::size_t items_ = 0;
    std::vector<std::size_t> ends_{0};  // of the runs; each run begins where the one before it ends
};

}  // namespace lookback::cli
