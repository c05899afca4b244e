/// \file
/// A tile in a pass of a sort. Each thread loads the keys of its rows. The block counts the digits,
/// and tells the tiles after it how many keys have each value. It ranks the keys (sort_ranks.hpp),
/// puts them in order in shared memory, and looks back for how many keys with each value the tiles
/// before have (sort_look_back.hpp). Then it writes the keys: keys with one value lie side by side
/// in shared memory and in the output. The next tile is loaded while this one is written.
///
/// Ranking needs all registers, so values of up to 8 bytes never wait there. Asynchronous copies
/// bring them to shared memory during the ranking. When the keys are written, the values take their
/// places in shared memory, in order.
///
/// Shared memory: the keys of a tile, or its values in the same place; the values as read, or the
/// keys' numbers in the tile; 1 KiB a warp; 2 KiB more.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_copy.hpp"
#include "lookback/detail/device/sort_look_back.hpp"
#include "lookback/detail/device/sort_padding.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// What a block keeps in shared memory.
template <class Problem, sort_shape shape>
struct sort_pass_memory {
    using Word = typename Problem::word_type;
    using Value = typename Problem::value_type;
    static_assert(padded(shape.items()) <= 1 << 16, "the place of a key has 16 bits");
    static constexpr int values = Problem::holds_values ? shape.items() : 1;

    rank_memory<shape.warps> ranks;
    alignas(16) std::uint64_t offset[digit_values];
    claim next;
    /// The tile's keys in order. When they have been written, the same place has the tile's values.
    union {
        alignas(16) Word word[padded(shape.items())];
        alignas(16) Value value[padded(values)];
    };
    /// Where values are fetched: the numbers of their keys in the tile.
    alignas(16) std::uint16_t source[Problem::fetches_values ? padded(shape.items()) : 1];
    /// Where values are held: the values in the order of the input.
    alignas(16) Value read[values];
};

/// The digits of the keys that a thread has written, by which it finds the places of their values.
template <class Problem, sort_shape shape>
using written_digits = packed_numbers<Problem::holds_values ? shape.rows : 1, digit_bits>;

/// What passes do with a tile: the `items` items from item `first` on. `full`: the tile has as many
/// items as it has room for, so no place has to be checked.
template <class Problem, sort_shape shape, bool full>
class sort_tile {
    using Word = typename Problem::word_type;
    using memory = sort_pass_memory<Problem, shape>;
    using words = Word[shape.rows];
    using digits = written_digits<Problem, shape>;
    using places = packed_numbers<Problem::holds_values ? shape.rows : 1, 16>;

 public:
    __device__ sort_tile(const Problem& problem, const planned_pass& plan, const digit_place& place,
                         memory& shared, std::uint64_t first, int items)
        : problem_(problem),
          plan_(plan),
          place_(place),
          shared_(shared),
          first_(first),
          items_(items) {}

    /// Loads the keys' words, and starts to bring values that are held to shared memory. Behind the
    /// last key, threads hold words that come after all keys.
    __device__ void load(words& word) const {
        problem_.with_keys(plan_.from, [&](const auto& from, bool are_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = in_warp(i);
                word[i] = static_cast<Word>(~Word{0});
                if (is_in(at)) word[i] = problem_.word_from(from, first_ + at, are_keys);
            }
        });
        if constexpr (Problem::holds_values) {
            problem_.with_values(plan_.from, [&](const auto& from) {
                bring_values<shape, full>(shared_.read, from, first_, items_);
            });
        }
    }

    /// Puts the tile in order in shared memory, and finds where it goes. `start`: where the keys
    /// with this thread's value of the digit begin. Threads call `counts_up_to` with the number of
    /// keys up to the tile's end that have their value. All threads call `claim_next`, as late as
    /// possible, because other blocks may wait for the tile that it claims. Where values are held,
    /// it also writes the keys, whose digits it leaves in `written`, and then puts the values in
    /// order.
    template <class ClaimNext, class CountsUpTo>
    __device__ void sort(const words& word, digits& written,
                         const tile_statuses<std::uint32_t>& statuses, claim mine,
                         std::uint64_t start, const ClaimNext& claim_next,
                         const CountsUpTo& counts_up_to) const {
        tile_ranks<shape> ranks(shared_.ranks, place_);
        ranks.count(word, rows());
        const digit_look_back look_back(statuses, mine, thread_in_block());
        std::uint32_t count = 0;
        const std::uint32_t start_in_tile = ranks.start([&](std::uint32_t total) {
            count = total;
            look_back.publish(total);
        });
        places place{};
        put_in_order(word, ranks, place);
        claim_next();
        if (thread_in_block() < digit_values) {
            const std::uint32_t before = look_back.before();
            look_back.publish_up_to(before, count);
            shared_.offset[thread_in_block()] = start + before - start_in_tile;
            counts_up_to(before + count);
        }
        sync_block();
        if constexpr (Problem::holds_values) {
            write_keys(written);
            wait_copies();
            sync_block();
            put_values_in_order(place);
            sync_block();
        }
    }

    /// Writes the tile, or its values if the keys have been written. There is a barrier before
    /// shared memory is next written, except for a warp's own counters.
    __device__ void write(digits& written) const {
        if constexpr (!Problem::holds_values) write_keys(written);
        if constexpr (Problem::has_values) write_values(written);
    }

 private:
    __device__ bool is_in(int at) const { return full || at < items_; }
    // The place in the tile of this thread's item in row `i`. Where ranks are found, the rows of a
    // warp lie side by side (in_warp); otherwise a row spans the block (in_block).
    __device__ static int in_warp(int i) { return (warp() * shape.rows + i) * warp_lanes + lane(); }
    __device__ static int in_block(int i) { return i * shape.threads() + thread_in_block(); }
    // The same place in shared memory.
    __device__ static unsigned padded_in_block(int i) {
        return padded_in_row(thread_in_block(), i, shape.threads());
    }

    // How many of this warp's rows have any keys.
    __device__ int rows() const {
        const int left = items_ - warp() * shape.rows * warp_lanes;
        const int some = left > 0 ? (left + warp_lanes - 1) / warp_lanes : 0;
        return full || some > shape.rows ? shape.rows : some;
    }

    __device__ std::uint64_t target(std::uint32_t digit, int at) const {
        return shared_.offset[digit] + static_cast<unsigned>(at);
    }

    // Puts keys in order. Keeps their places, for values that are held; or puts their numbers in
    // the same order, for values that are fetched.
    __device__ void put_in_order(const words& word, const tile_ranks<shape>& ranks,
                                 places& place) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows()) break;
            const unsigned to = padded(ranks.next(word[i]));
            shared_.word[to] = word[i];
            if constexpr (Problem::holds_values) place.set(i, to);
            if constexpr (Problem::fetches_values) {
                shared_.source[to] = static_cast<std::uint16_t>(in_warp(i));
            }
        }
    }

    __device__ void put_values_in_order(const places& place) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const int at = in_warp(i);
            if (is_in(at)) shared_.value[place[i]] = shared_.read[at];
        }
    }

    __device__ void write_keys(digits& written) const {
        problem_.with_keys_out(plan_.to, [&](const auto& to, bool as_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = in_block(i);
                std::uint32_t digit = 0;
                if (is_in(at)) {
                    const Word word = shared_.word[padded_in_block(i)];
                    digit = place_.of(word);
                    store_key(to, target(digit, at), problem_.bits_of(word, as_keys));
                }
                if constexpr (Problem::holds_values) written.set(i, digit);
            }
        });
    }

    __device__ void write_values(const digits& written) const {
        problem_.with_values_out(plan_.to, [&](const auto& to) {
            if constexpr (Problem::holds_values) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = in_block(i);
                    if (is_in(at)) {
                        store_value(to, target(written[i], at), shared_.value[padded_in_block(i)]);
                    }
                }
            } else {
                problem_.with_values(plan_.from, [&](const auto& from) {
                    each_row<shape>(items_, [&](int at, int count) {
                        const bool mine = is_in(at);
                        const unsigned place = padded(static_cast<unsigned>(at));
                        move_values(from, to, count, first_ + (mine ? shared_.source[place] : 0),
                                    mine ? target(place_.of(shared_.word[place]), at) : 0);
                    });
                });
            }
        });
    }

    const Problem& problem_;
    planned_pass plan_;
    digit_place place_;
    memory& shared_;
    std::uint64_t first_;
    int items_;
};

}  // namespace lookback::detail::device
