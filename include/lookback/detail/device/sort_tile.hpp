/// \file
/// A tile in a pass of a sort. The block ranks its keys by the digit (sort_ranks.hpp), tells the
/// tiles after it how many keys have each value, puts the keys in order in shared memory, looks
/// back for how many the tiles before have (sort_look_back.hpp), and writes: keys with one value
/// lie side by side in shared memory and in the output.
///
/// Shared memory: the tile's keys and what is held of values, 512 bytes a warp, 2 KiB.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_look_back.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// What a block keeps in shared memory.
template <class Problem, sort_shape shape>
struct sort_pass_memory {
    using Word = typename Problem::word_type;
    /// What stands for a value: itself, or the number of its key in the tile.
    using held =
        std::conditional_t<Problem::holds_values, typename Problem::value_type, std::uint16_t>;

    rank_memory<shape.warps> ranks;
    alignas(16) std::uint64_t offset[digit_values];
    claim next;
    alignas(16) Word word[shape.items()];
    alignas(16) held value[Problem::has_values ? shape.items() : 1];
};

/// What passes do with a tile: the `items` items from item `first` on; `full`: as many as there is
/// room for, and nothing to look out for.
template <class Problem, sort_shape shape, digit_match match, bool full>
class sort_tile {
    using Word = typename Problem::word_type;
    using memory = sort_pass_memory<Problem, shape>;

 public:
    __device__ sort_tile(const Problem& problem, const planned_pass& plan, const digit_place& place,
                         memory& shared, std::uint64_t first, int items)
        : problem_(problem),
          plan_(plan),
          place_(place),
          shared_(shared),
          first_(first),
          items_(items) {}

    /// `start`: where keys with this thread's value of the digit begin; `counts_up_to` is called
    /// with how many have it up to the tile's end, `claim_next` by all threads on the way.
    template <class ClaimNext, class CountsUpTo>
    __device__ void sort(const tile_statuses<std::uint32_t>& statuses, claim mine,
                         std::uint64_t start, const ClaimNext& claim_next,
                         const CountsUpTo& counts_up_to) const {
        Word word[shape.rows];
        load(word);
        tile_ranks<shape, match> ranks(shared_.ranks);
        ranks.count(word, rows(), place_);
        const digit_look_back look_back(statuses, mine, thread_in_block());
        std::uint32_t count = 0;
        const std::uint32_t start_in_tile = ranks.place([&](std::uint32_t total) {
            count = total;
            look_back.publish(total);
        });
        put_in_order(word, ranks);
        if (thread_in_block() < digit_values) {
            const std::uint32_t before = look_back.before();
            look_back.publish_up_to(before, count);
            shared_.offset[thread_in_block()] = start + before - start_in_tile;
            counts_up_to(before + count);
        }
        claim_next();
        sync_block();
        write_keys();
        if constexpr (Problem::has_values) write_values();
        // What is written to shared memory next, but for the warp's own counters, is behind
        // barriers.
    }

    __device__ void copy() const {
        problem_.with_keys(plan_.from, [&](const auto& from, bool are_keys) {
            problem_.with_keys_out(plan_.to, [&](const auto& to, bool as_keys) {
                Word word[shape.rows];
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = in_block(i);
                    if (is_in(at)) word[i] = word_of(from[first_ + at], are_keys);
                }
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = in_block(i);
                    if (is_in(at)) store_key(to, first_ + at, bits_of(word[i], as_keys));
                }
            });
        });
        if constexpr (Problem::has_values) {
            with_value_arrays([&](const auto& from, const auto& to) {
                each_row([&](int at, int count) {
                    move_values(from, to, count, first_ + at, first_ + at);
                });
            });
        }
    }

 private:
    __device__ bool is_in(int at) const { return full || at < items_; }
    // Places of this thread's items: when ranks are found, a warp has 32 times so many rows side by
    // side; otherwise the block has a row.
    __device__ static int in_warp(int i) { return (warp() * shape.rows + i) * warp_lanes + lane(); }
    __device__ static int in_block(int i) { return i * shape.threads() + thread_in_block(); }

    // This warp's rows that have any keys.
    __device__ int rows() const {
        const int left = items_ - warp() * shape.rows * warp_lanes;
        const int some = left > 0 ? (left + warp_lanes - 1) / warp_lanes : 0;
        return full || some > shape.rows ? shape.rows : some;
    }

    // Calls `f` for each of this warp's rows of the block, with this thread's place in it and how
    // many items it has.
    template <class F>
    __device__ void each_row(const F& f) const {
        for (int at = warp() * warp_lanes; at < items_; at += shape.threads()) {
            const int left = items_ - at;
            f(at + lane(), left < warp_lanes ? left : warp_lanes);
        }
    }

    __device__ Word word_of(Word bits, bool is_key) const {
        return is_key ? problem_.code.word(bits) : bits;
    }
    __device__ Word bits_of(Word word, bool as_key) const {
        return as_key ? problem_.code.bits(word) : word;
    }
    __device__ std::uint64_t target(Word word, int at) const {
        return shared_.offset[place_.of(word)] + static_cast<unsigned>(at);
    }

    template <class F>
    __device__ void with_value_arrays(const F& f) const {
        problem_.with_values(plan_.from, [&](const auto& from) {
            problem_.with_values_out(plan_.to, [&](const auto& to) { f(from, to); });
        });
    }

    // Behind the last key lanes hold one that goes behind all others.
    __device__ void load(Word (&word)[shape.rows]) const {
        problem_.with_keys(plan_.from, [&](const auto& from, bool are_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = in_warp(i);
                word[i] = static_cast<Word>(~Word{0});
                if (is_in(at)) word[i] = word_of(from[first_ + at], are_keys);
            }
        });
    }

    template <class Ranks>
    __device__ void put_in_order(const Word (&word)[shape.rows], const Ranks& ranks) const {
        const digit_place place = place_.again();
        const auto put = [&](const auto& value_of) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (i >= rows()) break;
                const std::uint32_t to = ranks(i, word[i], place);
                shared_.word[to] = word[i];
                if constexpr (Problem::has_values) {
                    if (is_in(in_warp(i))) shared_.value[to] = value_of(i);
                }
            }
        };
        if constexpr (Problem::holds_values) {
            problem_.with_values(plan_.from, [&](const auto& from) {
                typename memory::held value[shape.rows] = {};
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    if (is_in(in_warp(i))) value[i] = from[first_ + in_warp(i)];
                }
                put([&](int i) { return value[i]; });
            });
        } else {
            put([&](int i) { return static_cast<std::uint16_t>(in_warp(i)); });
        }
    }

    __device__ void write_keys() const {
        problem_.with_keys_out(plan_.to, [&](const auto& to, bool as_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = in_block(i);
                if (is_in(at)) {
                    const Word word = shared_.word[at];
                    store_key(to, target(word, at), bits_of(word, as_keys));
                }
            }
        });
    }

    __device__ void write_values() const {
        if constexpr (Problem::holds_values) {
            problem_.with_values_out(plan_.to, [&](const auto& to) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = in_block(i);
                    if (is_in(at)) store_value(to, target(shared_.word[at], at), shared_.value[at]);
                }
            });
        } else {
            with_value_arrays([&](const auto& from, const auto& to) {
                each_row([&](int at, int count) {
                    const bool mine = is_in(at);
                    move_values(from, to, count, first_ + (mine ? shared_.value[at] : 0),
                                mine ? target(shared_.word[at], at) : 0);
                });
            });
        }
    }

    const Problem& problem_;
    planned_pass plan_;
    digit_place place_;
    memory& shared_;
    std::uint64_t first_;
    int items_;
};

}  // namespace lookback::detail::device
